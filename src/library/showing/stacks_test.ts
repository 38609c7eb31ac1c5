import assert from "node:assert/strict";
import { mediaTypeOf } from "../../media/media_types.ts";
import type { Row } from "../rows/rows.ts";
import {
  burstOf,
  stacked,
  stackOf,
  wantsStacks,
  withStacks,
} from "./stacks.ts";

const LIBRARY = "the library";

interface Told {
  readonly owner?: string;
  readonly album?: string;
  readonly path?: string;
  /** Null where the file does not say when it was taken. */
  readonly at?: string | null;
}

function row(name: string, told: Told = {}): Row {
  const { owner = "ada", album, path, at = "2024-06-01T10:00:00Z" } = told;
  return {
    id: [owner, album, path, name, at].join(),
    owner,
    album,
    metadata: {
      name,
      mime: mediaTypeOf(name),
      path,
      ...(at === null ? {} : { taken_at: at }),
    },
  } as unknown as Row;
}

/** What is shown of a list: each tile, with those behind it. */
function shown(...rows: readonly Row[]): readonly string[] {
  const { tiles, behind } = stacked(rows, (one) => one, LIBRARY);
  const nameOf = (one: Row) => one.metadata?.name ?? "";
  return tiles.map((tile) =>
    [tile, ...behind.get(tile) ?? []].map(nameOf).join(" ")
  );
}

Deno.test("a photo with its raw file is one, and the photo stands for both", () => {
  assert.deepEqual(
    shown(
      row("IMG_2.JPG"),
      row("IMG_1.CR2"),
      row("img_1.jpg", { at: "2024-06-01T10:00:00.450Z" }),
      row("clip.mp4"),
    ),
    ["IMG_2.JPG", "img_1.jpg IMG_1.CR2", "clip.mp4"],
  );
  assert.deepEqual(
    shown(row("a.dng"), row("a.heic"), row("a.jpg")),
    ["a.heic a.dng a.jpg"],
  );
});

Deno.test("a raw file and a photo are apart where anything of them differs", () => {
  const raw = row("a.dng", { path: "2024" });
  for (
    const other of [
      row("b.jpg", { path: "2024" }),
      row("a.jpg", { path: "2023" }),
      row("a.jpg", { path: "2024", owner: "bob" }),
      row("a.jpg", { path: "2024", album: "walks" }),
      row("a.jpg", { path: "2024", at: "2024-06-01T10:00:01Z" }),
      row("a.jpg", { path: "2024", at: null }),
      row("a.mov", { path: "2024" }),
      row("a.nef", { path: "2024" }),
    ]
  ) {
    assert.equal(shown(raw, other).length, 2, other.id);
  }
  assert.equal(
    shown(row("a.dng", { at: null }), row("a.jpg", { at: null })).length,
    2,
  );
  // The library says of some of its rows that they are in it.
  assert.equal(shown(row("a.dng"), row("a.jpg", { album: LIBRARY })).length, 1);
});

Deno.test("the same second makes no burst", () => {
  assert.deepEqual(
    shown(row("IMG_1.jpg"), row("IMG_2.jpg"), row("IMG_1.heic")),
    ["IMG_1.jpg", "IMG_2.jpg", "IMG_1.heic"],
  );
});

Deno.test("bursts are told by their names, and the phone's choice stands for them", () => {
  const bursts = [
    [
      "00000IMG_00000_BURST20190807123456789.jpg",
      "00001IMG_00001_BURST20190807123456789_COVER.jpg",
      "00002IMG_00002_BURST20190807123456789.jpg",
    ],
    [
      "IMG_20190807_123456_BURST001.jpg",
      "IMG_20190807_123456_BURST002_COVER.jpg",
      "IMG_20190807_123456_BURST003.jpg",
    ],
    [
      "PXL_20240807_123456789.RAW-02.ORIGINAL.dng",
      "PXL_20240807_123456789.RAW-01.MP.COVER.jpg",
    ],
    [
      "DSC_0001_BURST20180101120000000.JPG",
      "DSC_0002_BURST20180101120000000.JPG",
    ],
  ];
  for (const names of bursts) {
    // Seconds apart, as those of a long burst are.
    const rows = names.map((name, at) =>
      row(name, { at: `2024-06-01T10:00:0${at}Z` })
    );
    const cover = names.find((name) => name.includes("COVER")) ?? names[0];
    assert.deepEqual(
      shown(...rows),
      [[cover, ...names.filter((name) => name !== cover)].join(" ")],
    );
  }
  // Two bursts are two stacks, and one picture is no stack.
  assert.equal(shown(...bursts.flat().map((name) => row(name))).length, 4);
  assert.deepEqual(shown(row("IMG_1_BURST001.jpg")), ["IMG_1_BURST001.jpg"]);
  for (
    const name of [
      "PXL_20240807_123456789.jpg",
      "PXL_20240807_123456789.MP.jpg",
      "sunburst1.jpg",
      "burst.jpg",
      "a_burst.jpg",
      "",
      `${"_burst".repeat(40)}.jpg`,
    ]
  ) assert.equal(burstOf(name), undefined, name);
});

Deno.test("a stack is where its tile is, and opens with all that is left of it", () => {
  const [raw, photo, other] = [row("a.dng"), row("a.jpg"), row("b.jpg")];
  assert.deepEqual(shown(photo, other, raw), ["a.jpg a.dng", "b.jpg"]);
  const opened = (asked: Row, ...rows: readonly Row[]) =>
    stackOf(rows, (one) => one, asked, LIBRARY).map(({ id }) => id);
  assert.deepEqual(opened(photo, raw, other, photo), [raw.id, photo.id]);
  // The photo was deleted meanwhile.
  assert.deepEqual(opened(photo, raw, other), [raw.id]);
  assert.deepEqual(opened(other, raw, other), [other.id]);
});

Deno.test("stacks are there until a person turns them off", () => {
  assert(wantsStacks({}));
  const off = withStacks({}, false, 1_000);
  assert(!wantsStacks(off));
  assert(wantsStacks(withStacks(off, true, 2_000)));
});
