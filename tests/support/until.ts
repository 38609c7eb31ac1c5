/**
 * Waiting for what a page comes to show.
 *
 * @module
 */
import assert from "node:assert/strict";

const STEP_MS = 50;
const MOST_TRIES = 600;

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
