import assert from "node:assert/strict";
import { Turns } from "./turns.ts";

Deno.test("work of a key waits for the one before, whatever becomes of that, and others do not", async () => {
  const turns = new Turns(3);
  const first = Promise.withResolvers<void>();
  const seen: string[] = [];
  const one = turns.run("a", async () => {
    await first.promise;
    seen.push("one");
    throw new Error("one failed");
  });
  const two = turns.run("a", () => {
    seen.push("two");
    return Promise.resolve(2);
  });
  const other = turns.run("b", () => {
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
  const turns = new Turns(2);
  const gate = Promise.withResolvers<void>();
  const running = [0, 1].map(() => turns.run("a", () => gate.promise));
  assert.equal(turns.run("a", () => gate.promise), undefined);
  assert.notEqual(turns.run("b", () => gate.promise), undefined);
  gate.resolve();
  await Promise.all(running);
  await Promise.resolve();
  assert.equal(await turns.run("a", () => Promise.resolve(3)), 3);
});
