/**
 * Asking for something that changes while it is asked for.
 *
 * @module
 */

/**
 * Makes a function that runs `ask`, one at a time: what comes while it runs lets
 * it run once more afterwards, so that the last answer is never older than the
 * last call.
 */
export function latest(ask: () => Promise<void>): () => void {
  let state: "idle" | "running" | "again" = "idle";
  const run = async () => {
    do {
      state = "running";
      await ask();
    } while (isAgain());
    state = "idle";
  };
  const isAgain = () => state === "again";
  return () => {
    if (state === "idle") run();
    else state = "again";
  };
}
