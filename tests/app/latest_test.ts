/**
 * Looking at what changes while it is looked at.
 *
 * @module
 */
import assert from "node:assert/strict";
import { latest, paced } from "../../src/web/app/latest.ts";

/** Between two looks at what changes without end. */
const PAUSE_MS = 250;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("what changes without end is looked at all the same, and after the last change once more", async () => {
  let [now, seen, looks] = [0, 0, 0];
  const begun = performance.now();
  const look = paced(async () => {
    looks += 1;
    seen = now;
    await pause(1);
  });
  look();
  for (let n = 0; n < 40; n++) {
    now += 1;
    look();
    await pause(20);
  }
  const meanwhile = looks;
  while (seen !== now) await pause(10);
  assert(meanwhile >= 2, `${meanwhile} looks`);
  // One at first, and then never two within that pause, however slow it is.
  const most = 2 + (performance.now() - begun) / PAUSE_MS;
  assert(looks <= most, `${looks} looks, and not ${most}`);
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
