import assert from "node:assert/strict";
import { returningOf, standsForWhole, wholeOf } from "./photo_copies.ts";
import type { Row } from "./rows.ts";

const ME = "me";
const OWN = "library";

/** Rows of one picture, unless `sha256` says otherwise. */
function world(
  ...given: readonly (Partial<Row> & { id: string; sha256?: string })[]
) {
  const rows = given.map(({ sha256 = "aa", ...row }) =>
    ({
      owner: ME,
      state: "live",
      album: OWN,
      metadata: { sha256, size: 1 },
      ...row,
    }) as Row
  );
  return {
    vault: { session: { userId: ME }, libraryAlbumId: OWN },
    index: {
      get: (id: string) => rows.find((row) => row.id === id),
      allByPlaintext: (hash: string) =>
        rows.filter(({ metadata }) => metadata?.sha256 === hash),
    },
  } as unknown as Parameters<typeof wholeOf>[0];
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

Deno.test("a photo is one with its own copies in albums, from wherever it is looked at", () => {
  const context = world(
    { id: "photo", album: OWN },
    { id: "copy", album: "summer" },
    { id: "other", album: OWN, sha256: "bb" },
    { id: "theirs", album: "summer", owner: "bob" },
    { id: "gone", album: "winter", state: "deleted" },
  );
  assert.deepEqual(idsOf(wholeOf(context, "photo", "live")), ["photo", "copy"]);
  assert.deepEqual(idsOf(wholeOf(context, "copy", "live")), ["photo", "copy"]);
  assert.deepEqual(idsOf(wholeOf(context, "theirs", "live")), ["theirs"]);
  assert.deepEqual(idsOf(wholeOf(context, "gone", "live")), []);
  assert.deepEqual(idsOf(wholeOf(context, "gone", "deleted")), ["gone"]);
});

Deno.test("of two equal photos in the library one can go, and the copies in albums stay", () => {
  const context = world(
    { id: "one", album: undefined },
    { id: "two", album: OWN },
    { id: "copy", album: "summer" },
  );
  assert.deepEqual(idsOf(wholeOf(context, "one", "live")), ["one"]);
  assert.deepEqual(idsOf(wholeOf(context, "copy", "live")), [
    "one",
    "two",
    "copy",
  ]);
});

Deno.test("a list shows a copy only where the library has no photo of that state", () => {
  const context = world(
    { id: "photo", state: "deleted" },
    { id: "copy", album: "summer" },
    { id: "deleted", album: "winter", state: "deleted" },
  );
  const stands = (id: string) => {
    const row = context.index.get(id);
    return row !== undefined && standsForWhole(context, row);
  };
  assert.equal(stands("photo"), true);
  assert.equal(stands("copy"), true);
  assert.equal(stands("deleted"), false);
});

Deno.test("a photo comes back without the copy in an album that has it again", () => {
  const context = world(
    { id: "photo", state: "deleted" },
    { id: "before", album: "summer", state: "deleted" },
    { id: "again", album: "summer" },
    { id: "copy", album: "winter", state: "deleted" },
    { id: "theirs", album: "winter", owner: "bob" },
  );
  assert.deepEqual(idsOf(returningOf(context, "photo")), ["photo", "copy"]);
  // Whoever asks for that very copy gets it.
  assert.deepEqual(idsOf(returningOf(context, "before")), [
    "photo",
    "before",
    "copy",
  ]);
});
