/**
 * What the record of deletions holds of the server's word.
 *
 * @module
 */
import assert from "node:assert/strict";
import { DAY_MS } from "../../core/time.ts";
import {
  emptyDeletions,
  isDeleted,
  isSaidRestored,
  withBackInTrash,
  withMoved,
  withSaidRestored,
} from "./deletions_record.ts";

const ID = "018f0000-0000-7000-8000-000000000001";
const NOTED = 1_000 * DAY_MS;

Deno.test("a photo that the server first restored and then has in the trash again counts as deleted only within a day of the deletion's note, before and after", () => {
  const deleted = withMoved(emptyDeletions(), [{ id: ID }], true, NOTED);
  const restored = withSaidRestored(deleted, [ID]);
  assert.equal(isSaidRestored(restored, ID), true);
  for (
    const [after, counts] of [
      [0, true],
      [DAY_MS - 1, true],
      [DAY_MS, false],
      // The device that noted it had a clock that was ahead.
      [1 - DAY_MS, true],
      [-DAY_MS, false],
    ] as const
  ) {
    const record = withBackInTrash(restored, [ID], NOTED + after);
    assert.equal(isDeleted(record, ID), counts, `${after}`);
    assert.equal(isSaidRestored(record, ID), !counts, `${after}`);
  }
});
