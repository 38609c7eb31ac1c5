import assert from "node:assert/strict";
import { takingTurns } from "./turns.ts";

Deno.test("work begins once the work before it has ended, also where that failed", async () => {
  const inTurn = takingTurns();
  const steps: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = inTurn(async () => {
    steps.push("first begins");
    await gate.promise;
    steps.push("first ends");
    throw new Error("first");
  });
  const second = inTurn(() => {
    steps.push("second");
    return 2;
  });
  await Promise.resolve();
  gate.resolve();
  await assert.rejects(first, /first/);
  assert.equal(await second, 2);
  assert.deepEqual(steps, ["first begins", "first ends", "second"]);
});
