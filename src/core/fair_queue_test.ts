import assert from "node:assert/strict";
import { FairQueue } from "./fair_queue.ts";

function queueOf(maxSize: number, items: readonly string[]) {
  const queue = new FairQueue<string>(maxSize);
  const turnedAway = items.flatMap((item) =>
    queue.push(item.charAt(0), item) ?? []
  );
  return { queue, turnedAway };
}

function drained(queue: FairQueue<string>): string[] {
  return Array.from({ length: queue.size }, () => queue.shift() ?? "");
}

Deno.test("everybody has a turn before anybody has a second one", () => {
  const { queue } = queueOf(10, ["a1", "a2", "a3", "b1", "a4", "c1", "c2"]);
  assert.deepEqual(drained(queue), ["a1", "b1", "c1", "a2", "c2", "a3", "a4"]);
  assert.equal(queue.shift(), undefined);
  assert.equal(queue.size, 0);
});

Deno.test("a client that comes back waits behind those who wait already", () => {
  const { queue } = queueOf(10, ["a1", "b1"]);
  assert.equal(queue.shift(), "a1");
  queue.push("a", "a2");
  assert.deepEqual(drained(queue), ["b1", "a2"]);
});

Deno.test("a full queue turns away the newest request of the client with the most", () => {
  const { queue, turnedAway } = queueOf(4, [
    ...["a1", "a2", "a3", "a4"],
    ...["b1", "a5", "c1", "b2", "d1", "e1"],
  ]);
  assert.deepEqual(turnedAway, ["a4", "a5", "a3", "b2", "a2", "e1"]);
  assert.deepEqual(drained(queue), ["a1", "b1", "c1", "d1"]);
});

Deno.test("emptying gives back whatever waited", () => {
  const { queue } = queueOf(4, ["a1", "b1", "a2"]);
  assert.deepEqual(queue.clear().toSorted(), ["a1", "a2", "b1"]);
  assert.deepEqual([queue.size, queue.shift()], [0, undefined]);
});
