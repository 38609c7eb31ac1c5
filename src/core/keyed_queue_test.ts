import assert from "node:assert/strict";
import { KeyedQueue } from "./keyed_queue.ts";

Deno.test("work of a key waits for the one before, whatever becomes of that, and others do not", async () => {
  const queue = new KeyedQueue(3);
  const first = Promise.withResolvers<void>();
  const seen: string[] = [];
  const one = queue.run("a", async () => {
    await first.promise;
    seen.push("one");
    throw new Error("one failed");
  });
  const two = queue.run("a", () => {
    seen.push("two");
    return Promise.resolve(2);
  });
  const other = queue.run("b", () => {
    seen.push("other");
    return Promise.resolve();
  });
  await other;
  assert.deepEqual(seen, ["other"]);
  first.resolve();
  await assert.rejects(one ?? Promise.resolve(), /one failed/);
  assert.equal(await two, 2);
  assert.deepEqual(seen, ["other", "one", "two"]);
});

Deno.test("who comes when too many wait is turned away, and later is not", async () => {
  const queue = new KeyedQueue(2);
  const gate = Promise.withResolvers<void>();
  const running = [0, 1].map(() => queue.run("a", () => gate.promise));
  assert.equal(queue.run("a", () => gate.promise), undefined);
  assert.notEqual(queue.run("b", () => gate.promise), undefined);
  gate.resolve();
  await Promise.all(running);
  await Promise.resolve();
  assert.equal(await queue.run("a", () => Promise.resolve(3)), 3);
});
