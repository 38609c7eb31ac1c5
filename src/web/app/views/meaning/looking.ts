/**
 * Finding out what photos show while this device is not in use: the page takes
 * small pictures from the vault to a thread that has no keys, and brings back
 * what that found.
 *
 * @module
 */
import type { ServedModels } from "../../../../core/meaning.ts";
import type { MeaningThread } from "../../../workers/meaning.ts";
import type { Shows, ToLookAt } from "../../../workers/meaning_calls.ts";
import {
  type Remote,
  remote,
} from "../../../../client/threads/thread_messages.ts";
import { idleWork } from "../../idle_work.ts";
import { threadAddress } from "../../trusted.ts";
import { vault } from "../../vault.ts";

/** Photos between two looks at whether the device is in use. */
const AT_ONCE = 8;
/** Photos after which the pages are told. */
const TOLD_EVERY = 200;

/** A thread that runs the models. */
export interface Running {
  readonly calls: Remote<MeaningThread>["meaning"];
  /** Ends it: it holds hundreds of megabytes. */
  end(): void;
}

/** Starts a thread; it loads the models with its first work. */
export function startThread(): Running {
  const worker = new Worker(threadAddress("meaning.js"), { type: "module" });
  return {
    calls: remote<MeaningThread>(worker, () => {}).meaning,
    end: () => worker.terminate(),
  };
}

/** Looking at photos on this device. */
export const looking = idleWork({
  name: "meaning",
  awaitedAt: ["meaning", "settings"],
  work: lookAtAll,
});

async function lookAtAll(): Promise<void> {
  const status = await vault().meaning.status();
  if (status.kind !== "on" || status.left === 0) return;
  let running: Running | undefined;
  let untold = 0;
  try {
    while (looking.isHere.peek()) {
      await looking.idle();
      const photos = await vault().meaning.next(AT_ONCE);
      if (photos.length === 0) break;
      looking.isBusy.value = true;
      running ??= startThread();
      await lookAt(photos, status.models, running);
      untold += photos.length;
      if (untold < TOLD_EVERY) continue;
      await vault().meaning.tell();
      untold = 0;
    }
  } finally {
    running?.end();
    if (untold > 0) await vault().meaning.tell();
  }
}

async function lookAt(
  photos: readonly ToLookAt[],
  models: ServedModels,
  { calls }: Running,
): Promise<void> {
  const blobs = new Map(photos.map(({ id, blob }) => [id, blob]));
  const thumbs = await vault().photos.thumbnails([...blobs.keys()]);
  const pictures: { readonly blob: string; readonly picture: Blob }[] = [];
  const without: string[] = [];
  for (const { id, bytes, mime: type = "image/jpeg" } of thumbs) {
    const blob = blobs.get(id) ?? "";
    if (bytes === undefined) without.push(blob);
    else pictures.push({ blob, picture: new Blob([bytes], { type }) });
  }
  const vectors = await calls.pictures(
    models,
    pictures.map(({ picture }) => picture),
  );
  const found = pictures.map(({ blob }, at): Shows => ({
    blob,
    vector: vectors[at] ?? null,
  }));
  await vault().meaning.note(found, without);
}
