/**
 * What a member, a guest or an issuer of a link writes about a file may be
 * anything. A table of such values goes through everything that shows files:
 * one bad record costs at most itself.
 *
 * @module
 */
import assert from "node:assert/strict";
import { printable, printableJson } from "../../src/cli/phrasing.ts";
import { treeOf } from "../../src/cli/person/files/webdav_tree.ts";
import { layoutOf } from "../../src/cli/person/files/names.ts";
import { safeName } from "../../src/media/exports/file_names.ts";
import { exportPath } from "../../src/library/showing/export_layout.ts";
import { xmpOf } from "../../src/media/exports/xmp_writer.ts";
import {
  guestBinding,
  openGuestFile,
  sealGuestFile,
} from "../../src/client/documents/guest.ts";
import { DocumentError } from "../../src/client/documents/fields.ts";
import { drawingOf, simplified } from "../../src/media/pictures/photo_edit.ts";
import { localDay } from "../../src/library/rows/rows.ts";
import { queryOf } from "../../src/library/finding/search.ts";
import { type Row, takenAt } from "../../src/library/rows/rows.ts";
import { decodeMetadata } from "../../src/client/documents/metadata.ts";
import { decodeShareIndex } from "../../src/client/documents/share.ts";
import { sealingKeyPairFromSeed } from "../../src/client/keys/sealing.ts";
import { toBase64Url, utf8 } from "../../src/core/bytes.ts";
import { columnsOf } from "../../src/web/workers/library/photo_table.ts";

const NOW = "2026-11-21T12:00:00.000Z";

/** Times that people, cameras and attackers write. */
const TIMES: readonly unknown[] = [
  "2016-12-31T23:59:60Z",
  "2016-12-31T23:59:60.999999999Z",
  "2024-02-30T00:00:00Z",
  "2024-13-01T00:00:00Z",
  "0000-01-01T00:00:00Z",
  "0000-01-01T00:00:00+23:59",
  "9999-12-31T23:59:59Z",
  "9999-12-31T23:59:59-23:59",
  "-001-01-01T00:00:00Z",
  "+010000-01-01T00:00:00Z",
  "275760-09-13T00:00:00Z",
  "NaN",
  "Infinity",
  "",
  "yesterday",
  0,
  -1,
  1e300,
  true,
  [],
  {},
  null,
];

/** Texts of names, folders, captions and media types. */
const TEXTS: readonly string[] = [
  "-rf",
  "--output=x",
  "-",
  ".",
  "..",
  "....",
  "../../etc/passwd",
  "a\u0000b",
  "\u001b]0;title\u0007\u001b[2J",
  "\u009b31mred",
  "photo\u202egpj.exe",
  "\u2066isolated\u2069",
  "\uffff",
  "\ufffe.jpg",
  "\ufdd0",
  "\u{1ffff}",
  "a\ud800b",
  "\udfff\ud800",
  "\u2028line\u2029",
  "<&>\"']]>",
  "con.jpg",
  `${".".repeat(1_000)}x`,
  `${" .".repeat(500)}x`,
  "e\u0301".repeat(500),
  "\u{1f468}\u200d".repeat(300),
];

/** A person's live file. */
function rowOf(change: Partial<Row>): Row {
  return {
    id: crypto.randomUUID(),
    owner: "somebody",
    head: "00".repeat(32),
    seq: 1,
    state: "live",
    at: NOW,
    blobs: [],
    epoch: 1,
    chunk_size: 65_536,
    custody: "unverified",
    ...change,
  };
}

/** The JSON of metadata, as a program of anybody's may write it. */
function written(change: Readonly<Record<string, unknown>>) {
  return utf8(JSON.stringify({
    v: 1,
    name: "a.jpg",
    mime: "image/jpeg",
    size: 10,
    sha256: "00".repeat(32),
    derivatives: [],
    ...change,
  }));
}

/** The records of the table: one change each, and some of several. */
function* records(): Generator<Readonly<Record<string, unknown>>> {
  for (const taken_at of TIMES) {
    yield { taken_at, modified_at: taken_at };
    for (const taken_offset of [-1_440, 1_440]) {
      yield { taken_at, taken_offset };
    }
  }
  for (const text of TEXTS) {
    const short = text.slice(0, 255);
    yield { name: text, path: text, caption: text, mime: short };
  }
  for (const extreme of [1, Number.MAX_SAFE_INTEGER]) {
    yield { width: extreme, height: 1, duration_ms: extreme, size: extreme };
    yield { width: 1, height: extreme };
  }
  for (const extreme of [0, 1, 1e-300]) {
    const crop = { x: extreme, y: 1, width: extreme, height: 1e-300 };
    yield { edit: { mirrored: true, turns: 3, angle: 45, crop } };
  }
  yield { edit: {}, rating: -1, keywords: [] };
  yield {
    rating: 0,
    keywords: [...Array(256)].map(() => "\u{1f468}".repeat(255)),
  };
  yield { thumbhash: "AA==" };
  yield { thumbhash: "/////////////////////w==" };
}

Deno.test("every malicious record goes through every view of a file, and none of them throws", () => {
  const rows = [...records()].map((change, at) => {
    const metadata = decodeMetadata(written(change));
    const id = `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
    return rowOf({ id, at: NOW, metadata });
  });
  assert(rows.length > 90);
  const day = layoutOf("{yyyy}/{mm}/{dd}/{name}");
  const found = queryOf("2016");
  for (const row of rows) {
    const at = takenAt(row);
    assert(Number.isFinite(at));
    assert.match(localDay(row).toISOString(), /^\d{4}-/);
    assert.match(day(row), /^\d{4}\/\d\d\/\d\d\/[^/]+$/);
    assert.equal(typeof found(row), "boolean");
    exportPath(row, new Map());
    if (row.metadata !== undefined) xmpOf(row.metadata);
    JSON.parse(printableJson(row.metadata));
  }
  const columns = columnsOf(rows.map((row) => [row, 0]), 1);
  assert([...columns.taken].every(Number.isFinite));
  assert([...columns.ratio].every((ratio) => ratio > 0));
  const tree = treeOf(rows, layoutOf("{name}"));
  assert.equal(tree.names.size, rows.length);
});

/** What no program writes into the fields that a person changes. */
const REFUSED: readonly Readonly<Record<string, unknown>>[] = [
  ...["x", [], 1, true].map((edit) => ({ edit })),
  ...[-46, 45.001, 1e300, "12"].map((angle) => ({ edit: { angle } })),
  ...[4, -1, 0.5, "1"].map((turns) => ({ edit: { turns } })),
  ...[-0.1, 1.1, 1e300, "0.5", null].map((x) => ({
    edit: { crop: { x, y: 0, width: 1, height: 1 } },
  })),
  { edit: { crop: { x: 0, y: 0, width: 1 } } },
  ...[101, -101, 0.5, "9"].map((brightness) => ({ edit: { brightness } })),
  { edit: { mirrored: "yes" } },
  ...["5", 6, -2, 4.5, 1e300].map((rating) => ({ rating })),
  { keywords: "beach" },
  { keywords: [1] },
  { keywords: [""] },
  { keywords: ["x".repeat(256)] },
  { keywords: ["x".repeat(1_000_000)] },
  { keywords: [...Array(257)].map((_, at) => String(at)) },
  { caption: "x".repeat(1_000_000) },
  { caption: { html: "<b>" } },
];

Deno.test("recipes, stars and tags that are out of bounds are refused from every author", () => {
  for (const change of REFUSED) {
    assert.throws(
      () => decodeMetadata(written(change)),
      DocumentError,
      JSON.stringify(change).slice(0, 100),
    );
  }
  // What is null is absent, as everywhere.
  assert.equal(decodeMetadata(written({ rating: null })).rating, undefined);
  // JSON has no such numbers: they are refused like a text.
  const json = new TextDecoder().decode(written({ edit: { angle: 12 } }));
  for (const number of ["1e999", "-1e999", "NaN", "Infinity"]) {
    const lie = utf8(json.replace('"angle":12', `"angle":${number}`));
    assert.throws(() => decodeMetadata(lie), DocumentError, number);
  }
});

Deno.test("every recipe that is let in draws a picture of some pixels, and no more than were asked for", () => {
  const extremes = [0, 1, 1e-300, 0.5];
  for (const angle of [-45, 0, 1e-300, 45]) {
    for (const turns of [0, 1, 2, 3]) {
      for (const x of extremes) {
        for (const width of extremes) {
          const edit = {
            angle,
            turns,
            crop: { x, y: width, width, height: x },
          };
          decodeMetadata(written({ edit }));
          for (
            const picture of [
              { width: 1, height: 1 },
              { width: 30_000, height: 1 },
              { width: 1, height: 30_000 },
              { width: 8_000, height: 6_000 },
            ]
          ) {
            const made = drawingOf(picture, edit, 1_000_000);
            assert(made.matrix.every(Number.isFinite));
            assert(Number.isInteger(made.width) && made.width >= 1);
            assert(Number.isInteger(made.height) && made.height >= 1);
            // What is thinner than a pixel has one, and is no longer for that.
            assert(made.width <= Math.max(1_000_000, picture.width));
            assert(made.width * made.height <= 1_010_000);
          }
          const kept = simplified(edit);
          if (kept !== undefined) decodeMetadata(written({ edit: kept }));
        }
      }
    }
  }
});

Deno.test("a time that no parser takes counts as absent, and a leap second is the second after it", () => {
  for (const [at, time] of TIMES.entries()) {
    const metadata = decodeMetadata(written({ taken_at: time }));
    const isTaken = takenAt(rowOf({ at: NOW, metadata })) !== Date.parse(NOW);
    assert.equal(isTaken, at < 2, String(time));
  }
  const row = rowOf({
    at: NOW,
    metadata: decodeMetadata(written({ taken_at: TIMES[0] })),
  });
  assert.equal(takenAt(row), Date.UTC(2017, 0, 1));
});

Deno.test("a guest's file and an item of a link may have any time", () => {
  const pair = sealingKeyPairFromSeed(new Uint8Array(32));
  const binding = guestBinding("0".repeat(32));
  const file = { v: 1, name: "a", mime: "b", key: new Uint8Array(32) } as const;
  const sealed = sealGuestFile(
    { ...file, taken_at: "2016-12-31T23:59:60Z" },
    pair.publicKey,
    binding,
    (length) => new Uint8Array(length),
  );
  const opened = openGuestFile(sealed, pair.secretKey, binding);
  assert.equal(opened?.taken_at, "2016-12-31T23:59:60Z");
  for (const taken_at of TIMES) {
    const index = decodeShareIndex(utf8(JSON.stringify({
      v: 1,
      n: 0,
      items: [{
        name: "a.jpg",
        mime: "image/jpeg",
        size: 1,
        hash: "00".repeat(32),
        key: toBase64Url(new Uint8Array(32)),
        chunk_size: 65_536,
        taken_at,
      }],
    })));
    assert.equal(index.items.length, 1);
  }
});

Deno.test("a name is one name on a disk, in a terminal and in JSON", () => {
  const unsafe =
    /[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029\p{Noncharacter_Code_Point}]/u;
  for (const text of TEXTS) {
    const name = safeName(text);
    assert.doesNotMatch(name, /^[-.]|^$|[/\\]|[.\s]$/, text);
    assert(!unsafe.test(name), name);
    assert(name.isWellFormed(), text);
    assert(new TextEncoder().encode(name).length <= 200);
    assert(!unsafe.test(printable(text)), text);
    const json = printableJson({ text });
    assert(!unsafe.test(json), json);
    assert.deepEqual(JSON.parse(json), { text });
  }
  assert.equal(safeName(`${"x".repeat(5_000)}.jpg`).slice(-4), ".jpg");
});

Deno.test("letters and emoji that are joined, or kept apart, keep what does that", () => {
  for (const name of ["👨‍👩‍👧 2019.jpg", "می‌خواهم.jpg", "क्‍ष.jpg"]) {
    assert.equal(safeName(name), name);
  }
  assert.equal(safeName("photo\u202egpj.exe"), "photo_gpj.exe");
  assert.equal(safeName("a\u200bb.jpg"), "a_b.jpg");
});

Deno.test("a name of any length is made safe without looking at more than its ends", () => {
  // A quadratic loop over these would not end within the test's life.
  for (const letter of [".", " ", "-", "\u0000", "\u{1f468}", "a"]) {
    const name = safeName(letter.repeat(5_000_000));
    assert(new TextEncoder().encode(name).length <= 200);
  }
});

Deno.test("many files of one name each get one of their own", () => {
  const rows = Array.from(
    { length: 20_000 },
    () =>
      rowOf({
        at: NOW,
        metadata: decodeMetadata(written({ name: "same.jpg" })),
      }),
  );
  assert.equal(treeOf(rows, layoutOf("{name}")).names.size, rows.length);
});
