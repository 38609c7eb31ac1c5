/**
 * What the page of a link shows while its thread waits.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toldWaits } from "../../src/web/workers/shared/told_wait.ts";

/** Two waits at 1,000 ms, of 500 ms and 200 ms, and what the page is told. */
function twoWaits() {
  const sleeping = new Map<number, () => void>();
  const told: number[] = [];
  const wait = toldWaits({
    now: () => 1_000,
    sleep: (ms) => new Promise((resolve) => sleeping.set(ms, resolve)),
    tell: (until) => told.push(until),
  });
  const waits = new Map([500, 200].map((ms) => [ms, wait(ms)]));
  const end = async (ms: number) => {
    sleeping.get(ms)?.();
    await waits.get(ms);
  };
  return { told, end };
}

Deno.test("a wait of one client that ends hides no longer wait of another", async () => {
  const { told, end } = twoWaits();
  assert.deepEqual(told, [1_500, 1_500]);
  await end(200);
  assert.deepEqual(told.at(-1), 1_500);
  await end(500);
  assert.deepEqual(told.at(-1), 0);
});

Deno.test("once the longest wait has ended, the page shows until when the other one lasts", async () => {
  const { told, end } = twoWaits();
  await end(500);
  assert.deepEqual(told.at(-1), 1_200);
  await end(200);
  assert.deepEqual(told.at(-1), 0);
});
