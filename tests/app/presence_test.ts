/**
 * When the app locks by itself.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  DEFAULT_LOCK_MINUTES,
  Presence,
} from "../../src/web/workers/vault/presence.ts";

const MINUTE_MS = 60_000;

function looking() {
  let now = 0;
  const left: string[] = [];
  const presence = new Presence(() => now, (why) => left.push(why));
  const wait = (minutes: number) => now += minutes * MINUTE_MS;
  return { presence, left, wait };
}

Deno.test("the app locks after half an hour without use", () => {
  const { presence, wait } = looking();
  wait(DEFAULT_LOCK_MINUTES - 1);
  assert.equal(presence.isDue(), false);
  presence.looked();
  wait(DEFAULT_LOCK_MINUTES - 1);
  assert.equal(presence.isDue(), false);
  wait(1);
  assert.equal(presence.isDue(), true);
});

Deno.test("who comes back after a machine slept finds it locked, not renewed", () => {
  const { presence, left, wait } = looking();
  wait(8 * 60);
  presence.looked();
  assert.deepEqual(left, ["locked"]);
});

Deno.test("what goes on is not cut off, but what begins again after a sleep is", () => {
  const { presence, wait } = looking();
  for (let minutes = 0; minutes < 120; minutes += 10) {
    wait(10);
    presence.worked();
    assert.equal(presence.isDue(), false);
  }
  wait(8 * 60);
  presence.worked();
  assert.equal(presence.isDue(), true);
});

Deno.test("who never wants it to lock is left alone", () => {
  const { presence, wait } = looking();
  presence.minutes = 0;
  wait(24 * 60);
  assert.equal(presence.isDue(), false);
});
