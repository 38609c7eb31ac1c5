/**
 * Finding out what photos show while this device is not in use: the page takes
 * small pictures from the vault to a thread that has no keys, and brings back
 * what that found.
 *
 * @module
 */
import type { MeaningThread } from "../../../workers/meaning.ts";
import {
  type Remote,
  remote,
} from "../../../../client/threads/thread_messages.ts";
import { MOST_SMALL_PIXELS } from "../../../../client/exif/extent.ts";
import { idleWork } from "../../idle_work.ts";
import { vault } from "../../vault.ts";
import { goOver, smallPictures } from "../findings/going_over.ts";
import { pictureLooker, startThread } from "../findings/picture_threads.ts";

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
export function startModels(): Running {
  const worker = startThread("meaning.js");
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
  const { models } = status;
  const looker = pictureLooker<Float32Array | null>("meaning.js", (worker) => {
    const thread = remote<MeaningThread>(worker, () => {}).meaning;
    return {
      ready: () => thread.ready(models),
      look: (picture) => thread.picture(models, picture),
    };
  }, null);
  try {
    await goOver({
      work: looking,
      atOnce: AT_ONCE,
      toldEvery: TOLD_EVERY,
      next: (most) => vault().meaning.next(most),
      picturesOf: async (photos) =>
        smallPictures(
          await vault().photos.thumbnails(photos.map(({ id }) => id)),
        ),
      look: (picture) => looker.look(picture, MOST_SMALL_PIXELS),
      async keep({ looked, passed, unable }) {
        // This device keeps for itself what it finds, and what it cannot see.
        await vault().meaning.note(
          [
            ...looked.map(({ photo: { blob }, found: vector }) => ({
              blob,
              vector,
            })),
            ...unable.map(({ blob }) => ({ blob, vector: null })),
          ],
          passed.map(({ blob }) => blob),
        );
      },
      tell: () => vault().meaning.tell(),
    });
  } finally {
    looker.end();
  }
}
