/**
 * The work of the app's queue: media threads prepare files, the vault stores
 * them.
 *
 * @module
 */
import type { AlbumOfExport } from "../../workers/library/import_calls.ts";
import type {
  Described,
  GivenFile,
} from "../../workers/media/pictures/calls.ts";
import { collectAfter } from "../../../client/stream/threads/collecting.ts";
import { sleep } from "../../browser.ts";
import { ADDING, locks } from "./adding_lock.ts";
import { effect } from "@preact/signals";
import {
  askForNetwork,
  canHandOver,
  flush,
  gather,
  handsOver,
  isGathering,
  onNetwork,
  settleBy,
} from "./handing_over.ts";
import { isAdding } from "../adding.ts";
import { onVault, vault } from "../vault.ts";
import { stillOf } from "./stills.ts";
import { THREADS, withMedia, withPictures } from "./media_threads.ts";
import { lendThreads } from "./sealing_threads.ts";
import {
  fileOf,
  type Item,
  type Note,
  type Preparation,
  roomOf,
  UploadQueue,
  type UploadWork,
} from "./queue.ts";

/** A file that is ready to be sent. */
export interface Prepared extends Described {
  readonly file: File;
  readonly sha256: string;
  /** Albums of an export that it belongs to. */
  readonly albums?: readonly AlbumOfExport[];
}

/** Small pictures by the files' ids, the oldest first. */
const pictures = new Map<string, Blob>();
/** No more are held: the panel shows fewer. */
const MOST_PICTURES = 200;

/** The small picture of a file, where there is one. */
export function pictureOf(id: string): Blob | undefined {
  return pictures.get(id);
}

function keepPicture(id: string, { derivatives }: Described): void {
  const small = derivatives.find(({ kind }) => kind === "thumbnail");
  if (small === undefined) return;
  // A copy: the bytes themselves go to the vault.
  pictures.set(
    id,
    new Blob([new Uint8Array(small.bytes)], { type: "image/jpeg" }),
  );
  const [oldest] = pictures.keys();
  if (pictures.size > MOST_PICTURES && oldest !== undefined) {
    pictures.delete(oldest);
  }
}

/** What is said of a file although it is kept. */
function noteOf(file: File, { about, isCut }: Described): Note | undefined {
  if (file.size === 0) return "empty";
  if (isCut) return "cut";
  const isPicture = /^(image|video)\//.test(file.type);
  // It has one as soon as something of it could be drawn.
  const isDrawn = about.thumbhash !== undefined;
  return isPicture && !isDrawn ? "undrawn" : undefined;
}

/** What a person knows of a file. */
function notedOf({ file, folder }: Pick<Item, "file" | "folder">) {
  return { name: file.name, folder, size: file.size };
}

/** Whether this page has not added anything yet. */
let isFirst = true;

/** Describes a file that is to be sent, and keeps its picture for the panel. */
export async function describeFile(
  id: string,
  file: File,
  given: Pick<GivenFile, "folder" | "motion" | "told">,
  sha256: string,
): Promise<Exclude<Preparation<Prepared>, { readonly known: true }>> {
  const frame = file.type.startsWith("video/")
    ? await stillOf(file)
    : undefined;
  const described = await withPictures(({ pictures }, isPlain) =>
    pictures.describe({
      file,
      name: file.name,
      modifiedAt: file.lastModified,
      frame,
      isPlain,
      ...given,
    })
  ).finally(() => frame?.close());
  for (const { bytes } of described.derivatives) collectAfter(bytes.length);
  keepPicture(id, described);
  const note = noteOf(file, described);
  const { dateFrom } = described;
  return {
    known: false,
    prepared: { ...described, file, sha256 },
    ...(note === undefined ? {} : { note }),
    ...(dateFrom === undefined ? {} : { dateFrom }),
  };
}

/**
 * Sees to the video of a still that is in the library; false if it is a file of
 * its own.
 */
async function bringVideo(
  assetId: string,
  still: File,
  video: File,
): Promise<boolean> {
  const sha256 = await withMedia(({ pictures }) => pictures.hash(video));
  const place = await vault().imports.video(assetId, video.size, sha256);
  if (place !== "lacking") return place === "known";
  const motion = await withMedia(({ exports }) =>
    exports.motion(still, video, video.name, {
      isKnownAlone: false,
      needsLength: false,
    })
  );
  if (motion === undefined) return false;
  await vault().imports.addVideo(assetId, motion);
  return true;
}

const work: UploadWork<Prepared> = {
  remember(items) {
    // An import is remembered as a whole: its files cannot be chosen one by one.
    const noted = items.filter(({ imported }) => imported === undefined)
      .map(notedOf);
    if (noted.length === 0) return;
    // It is a help and no more: what is added is added without it.
    vault().uploads.remember(noted, isFirst).catch(() => {});
    isFirst = false;
  },
  forget(items) {
    const noted = items.filter(({ imported }) => imported === undefined)
      .map(notedOf);
    if (noted.length > 0) vault().uploads.forget(noted).catch(() => {});
  },
  async prepare(item) {
    const { id, folder, motion, imported, isBesidePair, albumId } = item;
    if (imported !== undefined) return await imported.prepare(id);
    const file = fileOf(item);
    const sha256 = await withMedia(({ pictures }) => pictures.hash(file));
    const known = await vault().uploads.known(sha256);
    if (known !== undefined) {
      if (motion !== undefined && !await bringVideo(known, file, motion)) {
        queue.add([{ file: motion, folder, albumId }]);
      }
      return { known: true };
    }
    const made = await describeFile(id, file, { folder, motion }, sha256);
    const note = made.note ?? (isBesidePair ? "beside" : undefined);
    return { ...made, ...(note === undefined ? {} : { note }) };
  },
  async send({ id, file, folder, albumId, imported }, prepared) {
    const noted = notedOf({ file, folder });
    const given = { id, albumId, noted, ...prepared };
    if (handsOver.value) {
      const sealed = await vault().uploads.handOver(given);
      if (sealed !== undefined) {
        imported?.done(sealed.assetId);
        await gather(id, sealed);
        return "handed";
      }
    }
    const { outcome, assetId } = await vault().uploads.take(given);
    imported?.done(assetId);
    return outcome;
  },
  stop(ids) {
    vault().uploads.stop(ids);
  },
  wait: (ms) => sleep(ms),
  async hasRoom({ file }, { derivatives }) {
    const usage = await vault().settings.usage();
    const { quota_bytes: quota } = usage;
    const counted = usage.used_bytes + usage.trash_bytes + usage.reserved_bytes;
    return quota === undefined || quota === null ||
      counted + roomOf(file, derivatives) <= quota;
  },
};

/** The queue of this page. */
export const queue = new UploadQueue(work, { preparing: THREADS, sending: 4 });

onVault("uploads", ({ id, done }) => queue.progress(id, done));
settleBy((id, outcome) => queue.settle(id, outcome));

/** Lets the browser send what is left, so that the page may be closed. */
function handOver(): void {
  handsOver.value = true;
  queue.restart();
}

/** Waits for a network again: the browser knows sooner than the next attempt. */
queue.halt.subscribe((halt) => {
  if (halt === "offline") askForNetwork();
});
onNetwork.add(() => {
  if (queue.halt.value === "offline") queue.resume();
});

/** Ends what tells the other tabs that this one is adding files. */
let untell: (() => void) | undefined;

/** Whether this page is needed for what is added. */
function isNeeded(): boolean {
  return queue.active || isGathering.value;
}

effect(() => {
  queue.version.value;
  if (!queue.active && isGathering.value) flush();
  isAdding.value = isNeeded();
  if (!isNeeded()) {
    untell?.();
    untell = undefined;
  } else if (untell === undefined) {
    const { promise, resolve } = Promise.withResolvers<void>();
    untell = resolve;
    locks?.request(ADDING, { mode: "shared" }, () => promise);
  }
});

/** The browser goes on where it can, once this page may be gone. */
function handOverIfLeft(): void {
  if (canHandOver && !handsOver.value && isNeeded()) handOver();
}

// Warns, because leaving the page would stop files that are being sent. Whoever
// stays a moment leaves them to the browser.
addEventListener("beforeunload", (event) => {
  if (!isNeeded()) return;
  event.preventDefault();
  handOverIfLeft();
});
// A phone ends apps that were put away, and asks no one before. On a desktop a
// hidden tab goes on.
document.addEventListener("visibilitychange", () => {
  if (document.hidden && matchMedia("(hover: none)").matches) handOverIfLeft();
});

/**
 * Adds files to the queue. A still and its video become one live photo if they
 * belong together.
 */
export async function addFiles(
  found: readonly { readonly file: File; readonly folder: string }[],
  albumId?: string,
): Promise<void> {
  lendThreads();
  const files = found.map(({ file, folder }) => ({
    file,
    path: `${folder}/${file.name}`,
  }));
  const { pairs, besides } = await withMedia(({ pictures }) =>
    pictures.livePhotos(files)
  );
  const videos = new Map(pairs);
  const taken = new Set(videos.values());
  const beside = new Set(besides);
  queue.add(
    found.flatMap((one, at) => {
      if (taken.has(at)) return [];
      const video = videos.get(at);
      const motion = video === undefined ? undefined : found[video]?.file;
      return [{ ...one, motion, albumId, isBesidePair: beside.has(at) }];
    }),
  );
}
