/**
 * Looking at photos while this device is not in use, for what the account's
 * devices share: the page takes pictures from the vault to a thread that has no
 * keys, and brings back what that found.
 *
 * @module
 */
import type { FindingsCalls } from "../../../workers/findings_calls.ts";
import type { ThingsThread } from "../../../workers/faces.ts";
import type { WordsThread } from "../../../workers/words.ts";
import {
  type Remote,
  remote,
} from "../../../../client/threads/thread_messages.ts";
import {
  MOST_PIXELS,
  MOST_SMALL_PIXELS,
} from "../../../../client/exif/extent.ts";
import { sleep } from "../../../browser.ts";
import { type IdleWork, idleWork } from "../../idle_work.ts";
import { type Thread, threadAddress } from "../../trusted.ts";
import { vault } from "../../vault.ts";
import { lookAt, type Looker, PictureLooker } from "./looking_thread.ts";

/** Photos between two looks at whether the device is in use. */
const AT_ONCE = 4;
/** Photos after which the other devices are told. */
const TOLD_EVERY = 100;
/**
 * A picture that takes longer is left to quicker devices (ms). In one of grass
 * or gravel a reader sees thousands of letters.
 */
const LONGEST_MS = 60_000;

/** Something that is looked for. */
interface Kind<T> {
  readonly name: "words" | "things";
  readonly thread: Thread;
  readonly calls: () => Remote<{ of: FindingsCalls<T> }>["of"];
  readonly open: (worker: Worker) => Looker<T>;
  /** What is in what is no picture. */
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
  open(worker) {
    const thread = remote<WordsThread>(worker, () => {}).words;
    return { ready: thread.ready, look: thread.read };
  },
  nothing: "",
});

/** Looking for things in photos on this device. */
export const things: IdleWork = lookingFor({
  name: "things",
  thread: "faces.js",
  calls: () => vault().things,
  open(worker) {
    const thread = remote<ThingsThread>(worker, () => {}).things;
    return { ready: thread.ready, look: thread.find };
  },
  nothing: new Uint8Array(),
});

async function lookAtAll<T>(
  { calls, thread, open, nothing }: Kind<T>,
  work: IdleWork,
): Promise<void> {
  const looker = new PictureLooker({
    start: () => new Worker(threadAddress(thread), { type: "module" }),
    open,
    tooLong: (signal) => sleep(LONGEST_MS, signal),
    nothing,
  });
  let untold = 0;
  try {
    while (work.isHere.peek()) {
      await work.idle();
      const photos = await calls().next(AT_ONCE);
      if (photos.length === 0) break;
      work.isBusy.value = true;
      const { looked, passed, unable, ...rest } = await lookAt(
        photos,
        ({ id, part }) => vault().viewing.blob(id, part),
        (picture, { part }) =>
          looker.look(
            picture,
            part === "original" ? MOST_PIXELS : MOST_SMALL_PIXELS,
          ),
      );
      if (passed.length > 0) await calls().pass(passed);
      if (unable.length > 0) await calls().leave(unable);
      if (looked.length > 0) {
        await calls().note(
          looked.map(({ photo: { id }, found }) => ({ id, found })),
        );
      }
      // Those that were passed over are told, too: fewer are left.
      untold += looked.length + passed.length + unable.length;
      if ("fault" in rest) throw rest.fault;
      if (untold < TOLD_EVERY) continue;
      await calls().send();
      untold = 0;
    }
  } finally {
    looker.end();
    if (untold > 0) await calls().send();
  }
}
