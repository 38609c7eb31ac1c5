import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { Arrivals } from "./arrivals.ts";

Deno.test("each arrival ends one wait, and so does the end", async () => {
  const ending = new AbortController();
  const arrivals = new Arrivals(ending.signal);
  await arrivals.next();
  arrivals.note();
  await arrivals.next();
  const waiting = arrivals.next();
  ending.abort();
  await waiting;
  await arrivals.next();
});

Deno.test("waits for arrivals leave no listeners behind", async () => {
  const { signal } = new AbortController();
  const arrivals = new Arrivals(signal);
  await arrivals.next();
  const before = getEventListeners(signal, "abort").length;
  for (let wait = 0; wait < 3; wait++) {
    const next = arrivals.next();
    arrivals.note();
    await next;
  }
  assert.equal(before, 1);
  assert.equal(getEventListeners(signal, "abort").length, before);
});
