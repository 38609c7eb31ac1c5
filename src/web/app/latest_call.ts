/**
 * Asking for something that changes while it is asked for.
 *
 * @module
 */
import { sleep } from "../browser.ts";

/**
 * Makes a function that runs `ask`, one at a time: what comes while it runs
 * lets it run once more afterwards, so that the last answer is never older than
 * the last call.
 */
export function latest(ask: () => Promise<void>): () => void {
  let state: "idle" | "running" | "again" = "idle";
  const run = async () => {
    try {
      do {
        state = "running";
        await ask();
      } while (isAgain());
    } finally {
      state = "idle";
    }
  };
  const isAgain = () => state === "again";
  return () => {
    if (state === "idle") run();
    else state = "again";
  };
}

/** Between two looks (ms). */
const PAUSE_MS = 250;

/**
 * The same with a pause between two looks, for what changes many times a
 * second: each change is seen soon, and changes without end keep no one from
 * looking.
 */
export function paced(look: () => Promise<void>): () => void {
  let isFirst = true;
  return latest(async () => {
    if (!isFirst) await sleep(PAUSE_MS);
    isFirst = false;
    await look();
  });
}
