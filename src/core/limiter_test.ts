import assert from "node:assert/strict";
import { chargeAll, Limiter } from "./limiter.ts";

const MINUTE = 60_000;

Deno.test("a budget is spent per key and comes back with the next window", () => {
  const limiter = new Limiter({ limit: 2, windowMs: MINUTE });
  assert.equal(limiter.charge("a", 0), undefined);
  assert.equal(limiter.charge("a", 10), undefined);
  assert.deepEqual(limiter.charge("a", 20), { retryAt: MINUTE });
  assert.equal(limiter.charge("b", 20), undefined);
  assert.equal(limiter.charge("a", MINUTE), undefined);
});

Deno.test("a full table forgets its idlest key and refuses no client", () => {
  const limiter = new Limiter({ limit: 1, windowMs: MINUTE, maxKeys: 3 });
  limiter.charge("a", 0);
  limiter.charge("b", 10);
  limiter.charge("c", 20);
  // Refused, and yet used: whoever hammers is not the idlest.
  assert.deepEqual(limiter.charge("a", 30), { retryAt: MINUTE });
  assert.equal(limiter.charge("d", 40), undefined);
  assert.equal(limiter.size, 3);
  assert.deepEqual(limiter.charge("a", 50), { retryAt: MINUTE });
  assert.equal(limiter.charge("b", 60), undefined);
});

Deno.test("a flood of keys costs one client its place, never another one an answer", () => {
  const limiter = new Limiter({ limit: 2, windowMs: MINUTE, maxKeys: 100 });
  for (let n = 0; n < 1_000; n++) {
    assert.equal(limiter.charge(`flood ${n}`, n), undefined);
    if (n % 500 === 0) {
      assert.equal(limiter.charge("honest", n), undefined);
    }
  }
  assert.equal(limiter.size, 100);
});

Deno.test("a charge may weigh more than one, and what is refused leaves the rest", () => {
  const limiter = new Limiter({ limit: 10, windowMs: MINUTE });
  assert.equal(limiter.charge("a", 0, 6), undefined);
  assert.deepEqual(limiter.charge("a", 1, 5), { retryAt: MINUTE });
  assert.equal(limiter.charge("a", 2, 4), undefined);
  assert.deepEqual(limiter.charge("a", 3, 1), { retryAt: MINUTE });
  assert.equal(limiter.charge("b", 3, 10), undefined);
  assert.equal(limiter.charge("a", MINUTE, 10), undefined);
});

Deno.test("the first charge of a window may be above the limit; nothing follows it", () => {
  const limiter = new Limiter({ limit: 10, windowMs: MINUTE });
  assert.equal(limiter.charge("a", 0, 1_000), undefined);
  assert.deepEqual(limiter.charge("a", 1, 1), { retryAt: MINUTE });
  assert.equal(limiter.charge("a", MINUTE, 1_000), undefined);
  const closed = new Limiter({ limit: 0, windowMs: MINUTE });
  assert.deepEqual(closed.charge("a", 0, 1), { retryAt: MINUTE });
});

Deno.test("a clock that is set back does not prolong a window", () => {
  const limiter = new Limiter({ limit: 1, windowMs: MINUTE });
  limiter.charge("a", 10 * MINUTE);
  assert.equal(limiter.charge("a", 0), undefined);
});

Deno.test("of budgets that are spent together, one that refuses spares the others", () => {
  const narrow = new Limiter({ limit: 1, windowMs: MINUTE });
  const wide = new Limiter({ limit: 2, windowMs: MINUTE });
  const both = (key: string) => chargeAll([[wide, "w"], [narrow, key]], 0);
  assert.equal(both("a"), undefined);
  for (let n = 0; n < 5; n++) assert.deepEqual(both("a"), { retryAt: MINUTE });
  assert.equal(both("b"), undefined);
  assert.deepEqual(both("c"), { retryAt: MINUTE });
  assert.equal(narrow.size, 2);
});
