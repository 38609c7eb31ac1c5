/**
 * Looking at what changes while it is looked at.
 *
 * @module
 */
import assert from "node:assert/strict";
import { latest, paced } from "../../src/web/app/latest_call.ts";

/** Between two looks at what changes without end. */
const PAUSE_MS = 250;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Has pauses between two looks end when a test says so. */
function holdPauses(): Disposable & { readonly end: () => boolean } {
  const { setTimeout: real } = globalThis;
  const held: (() => void)[] = [];
  const hold = (act: () => void, ms?: number) => {
    if (ms !== PAUSE_MS) return real(act, ms);
    held.push(act);
    return 0;
  };
  Object.assign(globalThis, { setTimeout: hold });
  return {
    end: () => {
      const first = held.shift();
      first?.();
      return first !== undefined;
    },
    [Symbol.dispose]: () => Object.assign(globalThis, { setTimeout: real }),
  };
}

Deno.test("what changes without end is looked at all the same, and after the last change once more", async () => {
  using pauses = holdPauses();
  let [now, seen, looks, ended] = [0, 0, 0, 0];
  const look = paced(async () => {
    looks += 1;
    seen = now;
    await Promise.resolve();
  });
  look();
  for (let n = 1; n <= 40; n++) {
    now += 1;
    look();
    await pause(0);
    if (n % 10 === 0 && pauses.end()) ended += 1;
    await pause(0);
  }
  // One at first, and then one after each pause.
  assert.equal(ended, 4);
  assert.equal(looks, 1 + ended);
  while (pauses.end()) await pause(0);
  assert.equal(seen, now);
  // Nothing changes any more, and nothing is looked at.
  const all = looks;
  await pause(0);
  assert.equal(pauses.end(), false);
  assert.equal(looks, all);
});

Deno.test("what could not be looked at is looked at again with the next change", async () => {
  let looks = 0;
  const failed = Promise.withResolvers<void>();
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    failed.resolve();
  }, { once: true });
  const look = latest(async () => {
    looks += 1;
    await pause(0);
    if (looks === 1) throw new Error("no answer");
  });
  look();
  await failed.promise;
  look();
  while (looks < 2) await pause(1);
});
