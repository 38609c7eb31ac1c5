/**
 * When a link that follows a list is changed.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type FollowedPhotos, LinkPacing } from "./link_pacing.ts";

const SECOND = 1_000;

/** A list of assets, the name of each being its newest manifest as well. */
function list(...shown: readonly string[]): FollowedPhotos {
  return { shown, heads: shown.join() };
}

function frame() {
  const clock = { now: 1_000_000 };
  return { clock, pacing: new LinkPacing(() => clock.now) };
}

Deno.test("a frame that has its list is let alone, and one that has not been looked at is not", () => {
  const { pacing } = frame();
  assert.equal(pacing.isDue("kitchen", list("a")), true);
  pacing.settled("kitchen", list("a"), false);
  assert.equal(pacing.isDue("kitchen", list("a")), false);
  assert.equal(pacing.isDue("hall", list("a")), true);
  // The first photo that is added does not wait.
  assert.equal(pacing.isDue("kitchen", list("b", "a")), true);
});

Deno.test("photos that arrive one by one change a link every 25 seconds, what leaves its list does at once", () => {
  const { clock, pacing } = frame();
  pacing.settled("kitchen", list("b", "a"), true);
  clock.now += 24 * SECOND;
  assert.equal(pacing.isDue("kitchen", list("c", "b", "a")), false);
  assert.equal(pacing.isDue("kitchen", list("a", "b")), false);
  assert.equal(pacing.isDue("kitchen", list("a")), true);
  assert.equal(pacing.isDue("kitchen", list()), true);
  // One for another is one less, too.
  assert.equal(pacing.isDue("kitchen", list("c", "a")), true);
  clock.now += SECOND;
  assert.equal(pacing.isDue("kitchen", list("c", "b", "a")), true);
});

Deno.test("a caption or a place that changes is a change, although the photos are the same", () => {
  const { clock, pacing } = frame();
  pacing.settled("kitchen", { shown: ["a"], heads: "a 1" }, true);
  clock.now += 25 * SECOND;
  assert.equal(
    pacing.isDue("kitchen", { shown: ["a"], heads: "a 2" }),
    true,
  );
});

Deno.test("a change that fails is tried again after a pause that grows up to an hour, also one that takes away", () => {
  const { clock, pacing } = frame();
  pacing.settled("kitchen", list("a"), false);
  for (const seconds of [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]) {
    pacing.failed("kitchen");
    clock.now += (seconds - 1) * SECOND;
    assert.equal(pacing.isDue("kitchen", list()), false, `${seconds} s`);
    clock.now += SECOND;
    assert.equal(pacing.isDue("kitchen", list()), true, `${seconds} s`);
  }
  // Once it succeeded, the next failure is the first one again.
  pacing.settled("kitchen", list(), true);
  pacing.failed("kitchen");
  clock.now += 30 * SECOND;
  assert.equal(pacing.isDue("kitchen", list("a")), true);
});

Deno.test("what another device wrote is compared again, and two that disagree do not write in turn for ever", () => {
  const { clock, pacing } = frame();
  pacing.settled("kitchen", list("b", "a"), true, "index 1");
  assert.equal(pacing.isDue("kitchen", list("b", "a"), "index 1"), false);
  let index = 1;
  for (const seconds of [30, 60, 120, 240, 480]) {
    clock.now += 3_600 * SECOND;
    assert.equal(pacing.isDue("kitchen", list("b", "a"), "theirs"), true);
    index += 1;
    pacing.settled("kitchen", list("b", "a"), true, `index ${index}`);
    clock.now += (seconds - 1) * SECOND;
    assert.equal(pacing.isDue("kitchen", list("b", "a"), "theirs"), false);
    clock.now += SECOND;
    assert.equal(pacing.isDue("kitchen", list("b", "a"), "theirs"), true);
  }
  // What leaves the list goes at once all the same.
  pacing.settled("kitchen", list("b", "a"), true, "index");
  assert.equal(pacing.isDue("kitchen", list("a"), "theirs"), true);
});
