/**
 * Looking at photos while this device is not in use, for what the account's
 * devices share: the page takes pictures from the vault to a thread that has no
 * keys, and brings back what that found.
 *
 * @module
 */
import type {
  FindingsCalls,
  PhotoLookedAt,
} from "../../../workers/findings_calls.ts";
import type { ThingsThread } from "../../../workers/faces.ts";
import type { WordsThread } from "../../../workers/words.ts";
import {
  type Remote,
  remote,
} from "../../../../client/threads/thread_messages.ts";
import { sleep } from "../../../browser.ts";
import { type IdleWork, idleWork } from "../../idle_work.ts";
import { type Thread, threadAddress } from "../../trusted.ts";
import { vault } from "../../vault.ts";

/** Photos between two looks at whether the device is in use. */
const AT_ONCE = 4;
/** Photos after which the other devices are told. */
const TOLD_EVERY = 100;
/**
 * A picture that takes longer is one of grass or gravel, in which a reader sees
 * thousands of letters (ms).
 */
const LONGEST_MS = 60_000;

/** Something that is looked for. */
interface Kind<T> {
  readonly name: "words" | "things";
  readonly thread: Thread;
  readonly calls: () => Remote<{ of: FindingsCalls<T> }>["of"];
  /** Starts to look at a picture in a thread. */
  readonly look: (worker: Worker, picture: Blob) => Promise<T>;
  /** What is in a picture that takes too long. */
  readonly nothing: T;
}

function lookingFor<T>(kind: Kind<T>): IdleWork {
  const work: IdleWork = idleWork({
    name: kind.name,
    awaitedAt: ["settings", "search"],
    work: () => lookAtAll(kind, work),
  });
  return work;
}

/** Reading the words in photos on this device. */
export const words: IdleWork = lookingFor({
  name: "words",
  thread: "words.js",
  calls: () => vault().words,
  look: (worker, picture) =>
    remote<WordsThread>(worker, () => {}).words.read(picture),
  nothing: "",
});

/** Looking for things in photos on this device. */
export const things: IdleWork = lookingFor({
  name: "things",
  thread: "faces.js",
  calls: () => vault().things,
  look: (worker, picture) =>
    remote<ThingsThread>(worker, () => {}).things.find(picture),
  nothing: new Uint8Array(),
});

async function lookAtAll<T>(kind: Kind<T>, work: IdleWork): Promise<void> {
  const { calls, thread, look, nothing } = kind;
  let worker: Worker | undefined;
  let untold = 0;
  const foundIn = async (picture: Blob): Promise<T> => {
    worker ??= new Worker(threadAddress(thread), { type: "module" });
    const ended = new AbortController();
    const found = await Promise.race([
      look(worker, picture).then((found) => ({ found })),
      sleep(LONGEST_MS, ended.signal),
    ]);
    ended.abort();
    if (found !== undefined) return found.found;
    worker.terminate();
    worker = undefined;
    return nothing;
  };
  try {
    while (work.isHere.peek()) {
      await work.idle();
      const photos = await calls().next(AT_ONCE);
      if (photos.length === 0) break;
      work.isBusy.value = true;
      const looked: PhotoLookedAt<T>[] = [];
      const passed: string[] = [];
      for (const { id, part } of photos) {
        let picture: Blob;
        try {
          picture = await vault().viewing.blob(id, part);
        } catch {
          passed.push(id);
          continue;
        }
        looked.push({ id, found: await foundIn(picture) });
      }
      if (passed.length > 0) await calls().pass(passed);
      await calls().note(looked);
      untold += looked.length;
      if (untold < TOLD_EVERY) continue;
      await calls().send();
      untold = 0;
    }
  } finally {
    // It holds a hundred megabytes.
    worker?.terminate();
    if (untold > 0) await calls().send();
  }
}
