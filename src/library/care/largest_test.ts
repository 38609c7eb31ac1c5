import assert from "node:assert/strict";
import { bytesOf, largest } from "./largest.ts";
import type { Row } from "../rows/rows.ts";

/** A row of a size, with a video of another next to it. */
function row(id: string, size: number, video?: number): Row {
  return {
    id,
    metadata: {
      name: id,
      size,
      derivatives: video === undefined ? [] : [{ kind: "motion", size: video }],
    },
  } as unknown as Row;
}

Deno.test("what takes most comes first, with the video of a live photo counted", () => {
  const rows = [row("a", 10), row("live", 15, 30), row("b", 40), row("c", 10)];
  const of = (most: number) =>
    largest(rows, (one) => one, most).map(({ id }) => id);
  assert.deepEqual(of(10), ["live", "b", "a", "c"]);
  assert.deepEqual(of(2), ["live", "b"]);
});

Deno.test("what does not open here takes nothing that is known", () => {
  assert.equal(bytesOf({ metadata: undefined }), 0);
  const [first] = largest(
    [{ id: "shut" } as Row, row("a", 1)],
    (one) => one,
    1,
  );
  assert.equal(first?.id, "a");
});
