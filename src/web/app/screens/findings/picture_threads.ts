/**
 * The threads of the app that look at pictures.
 *
 * @module
 */
import { sleep } from "../../../browser.ts";
import { type Thread, threadAddress } from "../../trusted.ts";
import { type Looker, PictureLooker } from "./looking_thread.ts";

/**
 * A picture that takes longer is left to quicker devices (ms). In one of grass
 * or gravel a reader sees thousands of letters.
 */
const LONGEST_MS = 60_000;

/** Starts a thread of the app. */
function startThread(thread: Thread): Worker {
  return new Worker(threadAddress(thread), { type: "module" });
}

/** What looks at pictures in a thread, which is started with the first one. */
export function pictureLooker<T>(
  thread: Thread,
  open: (worker: Worker) => Looker<T>,
  /** What is in what is no picture. */
  nothing: T,
): PictureLooker<T> {
  return new PictureLooker({
    start: () => startThread(thread),
    open,
    tooLong: (signal) => sleep(LONGEST_MS, signal),
    nothing,
  });
}
