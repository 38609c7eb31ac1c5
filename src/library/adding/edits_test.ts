import assert from "node:assert/strict";
import type { Metadata } from "../../client/documents/metadata.ts";
import { editedAbout, type Edits, keywordsIn, shiftIn } from "./edits.ts";

const PHOTO: Metadata = {
  name: "a.jpg",
  mime: "image/jpeg",
  size: 1,
  sha256: "00".repeat(32),
  taken_at: "2024-06-30T12:00:00.000Z",
  taken_offset: 120,
  taken_source: "exif",
  caption: "by the lake",
  rating: 3,
  keywords: ["lake", "grandma"],
  derivatives: [],
};

Deno.test("dates are set, shifted and given a zone, and each photo keeps the rest of its own", () => {
  const taken = (edit: Edits["taken"], photo: Metadata = PHOTO) =>
    editedAbout(photo, { taken: edit });
  assert.deepEqual(
    taken({ kind: "set", local: Date.UTC(2020, 0, 2, 8, 30) }),
    {
      taken_at: "2020-01-02T06:30:00.000Z",
      taken_offset: 120,
      taken_source: "person",
    },
  );
  // Over New Year, and by less than an hour.
  const eve = { ...PHOTO, taken_at: "2023-12-31T23:30:00.000Z" };
  assert.equal(
    taken({ kind: "shift", minutes: 90 }, eve)?.taken_at,
    "2024-01-01T01:00:00.000Z",
  );
  assert.equal(
    taken({ kind: "shift", minutes: -30 }, eve)?.taken_at,
    "2023-12-31T23:00:00.000Z",
  );
  // The clock stays 14:00, in New York.
  assert.deepEqual(taken({ kind: "zone", offset: -240 }), {
    taken_at: "2024-06-30T18:00:00.000Z",
    taken_offset: -240,
    taken_source: "person",
  });
  const unknown = { ...PHOTO, taken_offset: undefined };
  assert.equal(
    taken({ kind: "zone", offset: 60 }, unknown)?.taken_at,
    "2024-06-30T11:00:00.000Z",
  );
});

Deno.test("a place is set, without the altitude of the one before, and not where it is the same", () => {
  const place = { latitude: 45.98, longitude: 9.26 };
  const known = { ...PHOTO, place: { latitude: 1, longitude: 2, altitude: 3 } };
  for (const photo of [PHOTO, known]) {
    assert.deepEqual(editedAbout(photo, { place }), { place });
  }
  const same = { ...PHOTO, place: { ...place, altitude: 200 } };
  assert.equal(editedAbout(same, { place }), undefined);
});

Deno.test("what has no date is set, but neither shifted nor given a zone", () => {
  const undated = { ...PHOTO, taken_at: undefined, taken_offset: undefined };
  for (
    const taken of [
      { kind: "shift", minutes: 60 },
      { kind: "zone", offset: 60 },
    ] as const
  ) assert.equal(editedAbout(undated, { taken }), undefined);
  const local = Date.UTC(2020, 0, 2);
  assert.equal(
    editedAbout(undated, { taken: { kind: "set", local } })?.taken_at,
    "2020-01-02T00:00:00.000Z",
  );
  // Nor is anything shifted to where no form could show it.
  const far = { kind: "shift", minutes: -1e9 } as const;
  assert.equal(editedAbout(PHOTO, { taken: far }), undefined);
});

Deno.test("captions, ratings and keywords change, and what is the same is not sent again", () => {
  const cases: readonly [Edits, ReturnType<typeof editedAbout>][] = [
    [{}, undefined],
    [{ caption: "by the lake", rating: 3, added: ["lake"] }, undefined],
    [{ taken: { kind: "shift", minutes: 0 } }, undefined],
    [{ taken: { kind: "zone", offset: 120 } }, undefined],
    [{ caption: "" }, { caption: undefined }],
    [{ caption: "new" }, { caption: "new" }],
    [{ rating: 0 }, { rating: undefined }],
    [{ rating: 5 }, { rating: 5 }],
    [{ added: ["2024"], removed: ["lake"] }, { keywords: ["grandma", "2024"] }],
    [{ removed: ["lake", "grandma"] }, { keywords: undefined }],
    [{ removed: ["of nobody"] }, undefined],
  ];
  for (const [edits, about] of cases) {
    assert.deepEqual(editedAbout(PHOTO, edits), about, JSON.stringify(edits));
  }
  const many = Array.from({ length: 300 }, (_, n) => `${n}`);
  assert.equal(editedAbout(PHOTO, { added: many })?.keywords?.length, 256);
});

Deno.test("keywords and shifts are read as people type them", () => {
  assert.deepEqual(keywordsIn(" lake, #Grandma;lake,, Como "), [
    "lake",
    "Grandma",
    "Como",
  ]);
  const shifts: readonly [string, number | undefined][] = [
    ["3", 180],
    ["+3", 180],
    ["-1:30", -90],
    ["−2", -120],
    ["0,5", 30],
    ["8760", 525_600],
    ["", undefined],
    ["1.5:30", undefined],
    ["1:75", undefined],
    ["two", undefined],
  ];
  for (const [typed, minutes] of shifts) {
    assert.equal(shiftIn(typed), minutes, typed);
  }
});
