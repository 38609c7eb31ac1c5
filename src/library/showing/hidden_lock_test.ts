import assert from "node:assert/strict";
import { HeldTime } from "../../../tests/support/held_time.ts";
import { HIDDEN_OPEN_MS, HiddenLock } from "./hidden_lock.ts";

function lockInHeldTime() {
  const time = new HeldTime();
  const told: boolean[] = [];
  const lock: HiddenLock = new HiddenLock(
    { now: () => time.passed, sleep: time.sleep },
    () => told.push(lock.isOpen),
  );
  return { time, lock, told };
}

Deno.test("without a phrase on the device nothing is locked", () => {
  const { lock, told } = lockInHeldTime();
  assert(lock.isOpen);
  lock.set(true);
  assert(!lock.isOpen);
  lock.set(false);
  assert(lock.isOpen);
  assert.deepEqual(told, [false, true]);
});

Deno.test("hidden photos close by themselves five minutes after they were opened, and pages are told", async () => {
  const { time, lock, told } = lockInHeldTime();
  lock.set(true);
  lock.open();
  await time.asleep(1, HIDDEN_OPEN_MS);
  time.advance(HIDDEN_OPEN_MS - 1);
  assert(lock.isOpen);
  time.advance(1);
  assert(!lock.isOpen);
  // The sleeper is awake, and tells after it.
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(told, [false, true, false]);
});

Deno.test("who opens them again has five minutes from then on", async () => {
  const { time, lock } = lockInHeldTime();
  lock.set(true);
  lock.open();
  await time.asleep(1, HIDDEN_OPEN_MS);
  time.advance(HIDDEN_OPEN_MS / 2);
  lock.open();
  await time.asleep(1, HIDDEN_OPEN_MS);
  time.advance(HIDDEN_OPEN_MS - 1);
  assert(lock.isOpen);
  time.advance(1);
  assert(!lock.isOpen);
});

Deno.test("they close at once when somebody says so", async () => {
  const { time, lock, told } = lockInHeldTime();
  lock.set(true);
  lock.open();
  await time.asleep(1, HIDDEN_OPEN_MS);
  lock.close();
  assert(!lock.isOpen);
  lock.close();
  assert.deepEqual(told, [false, true, false]);
});
