/**
 * Looking at photos while this device is not in use, for what the account's
 * devices share: the page takes pictures from the vault to a thread that has no
 * keys, and brings back what that found.
 *
 * @module
 */
import type { FindingsCalls } from "../../../workers/finding/findings_calls.ts";
import type { ThingsThread } from "../../../workers/finding/faces.ts";
import type { PictureTextThread } from "../../../workers/finding/picture_text.ts";
import {
  type Remote,
  remote,
} from "../../../../client/stream/threads/thread_messages.ts";
import {
  MOST_PIXELS,
  MOST_SMALL_PIXELS,
} from "../../../../media/exif/extent.ts";
import { type IdleWork, idleWork } from "../../idle_work.ts";
import type { Thread } from "../../trusted.ts";
import { vault } from "../../vault.ts";
import { goOver } from "./going_over.ts";
import type { Looker } from "./looking_thread.ts";
import { pictureLooker } from "./picture_threads.ts";

/** Photos between two looks at whether the device is in use. */
const AT_ONCE = 4;
/** Photos after which the other devices are told. */
const TOLD_EVERY = 100;
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
    thread: kind.thread,
    awaitedAt: ["settings", "search"],
    work: () => lookAtAll(kind, work),
  });
  return work;
}

/** Reading the words in photos on this device. */
export const pictureText: IdleWork = lookingFor({
  name: "words",
  thread: "picture_text.js",
  calls: () => vault().pictureText,
  open(worker) {
    const thread = remote<PictureTextThread>(worker, () => {}).pictureText;
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
  const looker = pictureLooker(thread, open, nothing);
  try {
    await goOver({
      work,
      atOnce: AT_ONCE,
      toldEvery: TOLD_EVERY,
      next: (most) => calls().next(most),
      picturesOf: () => ({ id, part }) => vault().viewing.blob(id, part),
      look: (picture, { part }) =>
        looker.look(
          picture,
          part === "original" ? MOST_PIXELS : MOST_SMALL_PIXELS,
        ),
      async keep({ looked, passed, unable }) {
        if (passed.length > 0) await calls().pass(passed);
        if (unable.length > 0) await calls().leave(unable);
        if (looked.length === 0) return;
        await calls().note(
          looked.map(({ photo: { id, hash }, found }) => ({ id, hash, found })),
        );
      },
      tell: () => calls().tell(),
    });
  } finally {
    looker.end();
  }
}
