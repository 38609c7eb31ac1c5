/**
 * Waiting for what comes to be so.
 *
 * @module
 */
import assert from "node:assert/strict";

const STEP_MS = 50;
/** Far more than any machine needs (two minutes): what is not so by then never is. */
const MOST_TRIES = 2_400;

/**
 * Asks again and again until that is the answer: pages whose policy lets
 * nothing be evaluated cannot be asked to wait by themselves.
 */
export async function until<T>(
  told: () => Promise<T>,
  wanted: T | ((told: T) => boolean),
): Promise<void> {
  const isIt = (answer: T) =>
    wanted instanceof Function ? wanted(answer) : answer === wanted;
  for (let tries = 0;; tries++) {
    const answer = await told();
    if (isIt(answer)) return;
    assert(tries < MOST_TRIES, `it stayed ${answer}`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
