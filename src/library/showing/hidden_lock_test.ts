import assert from "node:assert/strict";
import { HeldTime } from "../../../tests/support/held_time.ts";
import { HIDDEN_OPEN_MS, HiddenLock } from "./hidden_lock.ts";

function lockInHeldTime() {
  const time = new HeldTime();
  const told: boolean[] = [];
  let hasPin = false;
  const lock: HiddenLock = new HiddenLock(
    { now: () => time.passed, sleep: time.sleep },
    () => hasPin,
    () => told.push(lock.isOpen),
  );
  return { time, lock, told, set: (is: boolean) => hasPin = is };
}

Deno.test("without a PIN nothing is locked, and one that another device sets locks at once", () => {
  const { lock, set } = lockInHeldTime();
  assert(lock.isOpen);
  set(true);
  assert(!lock.isOpen);
  set(false);
  assert(lock.isOpen);
});

Deno.test("hidden photos close by themselves five minutes after they were opened, and pages are told", async () => {
  const { time, lock, told, set } = lockInHeldTime();
  set(true);
  lock.open();
  await time.asleep(1, HIDDEN_OPEN_MS);
  time.advance(HIDDEN_OPEN_MS - 1);
  assert(lock.isOpen);
  time.advance(1);
  assert(!lock.isOpen);
  // The sleeper is awake, and tells after it.
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(told, [true, false]);
});

Deno.test("who opens them again has five minutes from then on", async () => {
  const { time, lock, set } = lockInHeldTime();
  set(true);
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

Deno.test("they close at once when a person says so", async () => {
  const { time, lock, told, set } = lockInHeldTime();
  set(true);
  lock.open();
  await time.asleep(1, HIDDEN_OPEN_MS);
  lock.close();
  assert(!lock.isOpen);
  lock.close();
  assert.deepEqual(told, [true, false]);
});
