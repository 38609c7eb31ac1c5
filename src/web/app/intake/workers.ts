/**
 * The work of the app's queue: threads for pictures, the vault for the rest.
 *
 * @module
 */
import type { MediaGroups } from "../../work/media.ts";
import type { Described } from "../../work/pictures/calls.ts";
import { sleep } from "../../browser.ts";
import { type Remote, remote } from "../../work/wire.ts";
import { threadAddress } from "../trusted.ts";
import { onVault, vault } from "../vault.ts";
import { frameOf } from "./frames.ts";
import { IntakeQueue, type IntakeWork } from "./queue.ts";

/** A thread each, but for the one that the page needs. */
const THREADS = Math.max(1, Math.min(4, navigator.hardwareConcurrency - 1));

interface Thread {
  readonly calls: Remote<MediaGroups>;
  busy: number;
}

const threads: Thread[] = [];

/** The picture thread with least to do; started when they are needed. */
export async function withMedia<T>(
  work: (calls: Remote<MediaGroups>) => Promise<T>,
): Promise<T> {
  if (threads.length < THREADS && threads.every(({ busy }) => busy > 0)) {
    const worker = new Worker(threadAddress("media.js"), { type: "module" });
    threads.push({ calls: remote<MediaGroups>(worker, () => {}), busy: 0 });
  }
  const thread = threads.reduce((a, b) => b.busy < a.busy ? b : a);
  thread.busy += 1;
  try {
    return await work(thread.calls);
  } finally {
    thread.busy -= 1;
  }
}

interface Prepared extends Described {
  readonly sha256: string;
}

const work: IntakeWork<Prepared> = {
  async prepare({ file, folder, motion }) {
    const sha256 = await withMedia(({ pictures }) => pictures.hash(file));
    if (await vault().intake.known(sha256) !== undefined) {
      return { known: true };
    }
    const frame = file.type.startsWith("video/")
      ? await frameOf(file)
      : undefined;
    const described = await withMedia(({ pictures }) =>
      pictures.describe({
        file,
        name: file.name,
        folder,
        modifiedAt: file.lastModified,
        frame,
        motion,
      })
    );
    return { known: false, prepared: { ...described, sha256 } };
  },
  async send({ id, file, albumId }, prepared) {
    const { outcome } = await vault().intake.take({
      id,
      file,
      albumId,
      ...prepared,
    });
    return outcome;
  },
  stop(ids) {
    vault().intake.stop(ids);
  },
  wait: (ms) => sleep(ms),
};

/** The queue of this page. */
export const queue = new IntakeQueue(work, { preparing: THREADS, sending: 4 });

onVault("intake", ({ id, done }) => queue.progress(id, done));

// Leaving now would end what is being sent.
addEventListener("beforeunload", (event) => {
  if (queue.active) event.preventDefault();
});

/**
 * Adds files to the queue; a still and its film become one live photo, where
 * they are one.
 */
export async function addFiles(
  found: readonly { readonly file: File; readonly folder: string }[],
  albumId?: string,
): Promise<void> {
  const paths = found.map(({ file, folder }) => `${folder}/${file.name}`);
  const pairs = await withMedia(({ pictures }) => pictures.pairs(paths));
  const films = new Map<number, number>();
  for (const [still, film] of pairs) {
    const [first, second] = [found[still]?.file, found[film]?.file];
    if (first === undefined || second === undefined) continue;
    const one = await withMedia(({ pictures }) =>
      pictures.isLivePhoto(first, second)
    );
    if (one) films.set(still, film);
  }
  const taken = new Set(films.values());
  queue.add(
    found.flatMap((one, at) => {
      if (taken.has(at)) return [];
      const film = films.get(at);
      const motion = film === undefined ? undefined : found[film]?.file;
      return [{ ...one, motion, albumId }];
    }),
  );
}
