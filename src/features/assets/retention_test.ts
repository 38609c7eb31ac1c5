import assert from "node:assert/strict";
import { hasLeftTrash } from "./retention.ts";

Deno.test("a deleted asset leaves the trash after its time, its floor and its hold", () => {
  const rows: [
    deletedAt: number | null,
    heldAt: number | null,
    retentionUntil: number | null,
    aged: boolean,
  ][] = [
    [null, null, null, false],
    [null, null, 1, false],
    [900, null, null, true],
    [901, null, null, false],
    [900, 1, null, false],
    [900, 0, null, false],
    [900, null, 1_000, true],
    [900, null, 1_001, false],
    [0, null, 0, true],
  ];
  for (const [deleted_at, held_at, retention_until, aged] of rows) {
    const facts = { deleted_at, held_at, retention_until };
    assert.equal(hasLeftTrash(facts, 1_000, 100), aged, JSON.stringify(facts));
  }
});
