/**
 * The sidecars of a Google Photos export, however they were cut or numbered.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  isLivePhoto,
  pairByName,
} from "../../src/client/exports/live_photos.ts";
import {
  addedBy,
  type SidecarFacts,
  withSidecar,
} from "../../src/client/exports/sidecar_facts.ts";
import {
  nameBefore,
  openTakeoutMatcher,
} from "../../src/client/exports/takeout.ts";
import type { Metadata } from "../../src/client/metadata.ts";
import { readTakeoutJson } from "../../src/client/exports/takeout_json.ts";

function facts(title: string, takenAt = "2024-06-30T12:00:00Z"): SidecarFacts {
  return { title, takenAt, favourite: false, archived: false, trashed: false };
}

function sidecarOf(path: string, sidecars: Readonly<Record<string, string>>) {
  const matcher = openTakeoutMatcher(
    Object.entries(sidecars).map(([path, title], at) => ({
      path,
      facts: facts(title, `2024-06-30T12:00:${10 + at}Z`),
    })),
  );
  return matcher.match(path)?.sidecar.path;
}

const LONG = "a name that is as long as anybody would ever ";
const CASES: readonly (readonly [string, string, string, string])[] = [
  [
    "whole",
    "a/IMG_1.jpg",
    "a/IMG_1.jpg.supplemental-metadata.json",
    "IMG_1.jpg",
  ],
  ["of an older export", "a/IMG_1.jpg", "a/IMG_1.jpg.json", "IMG_1.jpg"],
  ["without the file's end", "a/IMG_1.jpg", "a/IMG_1.json", "IMG_1.jpg"],
  ["cut to a letter", "a/IMG_1.jpg", "a/IMG_1.jpg.s.json", "IMG_1.jpg"],
  ["cut to a dot", "a/IMG_1.jpg", "a/IMG_1.jpg..json", "IMG_1.jpg"],
  [
    "with its number moved",
    "a/IMG_1(2).jpg",
    "a/IMG_1.jpg.supplemental-metadata(2).json",
    "IMG_1.jpg",
  ],
  [
    "with its number moved, before",
    "a/IMG_1(2).jpg",
    "a/IMG_1.jpg(2).json",
    "IMG_1.jpg",
  ],
  [
    "with its number where it was",
    "a/IMG_1(2).jpg",
    "a/IMG_1(2).jpg.supplemental-meta.json",
    "IMG_1(2).jpg",
  ],
  [
    "cut within the file's name",
    `a/${LONG}52.jpg`,
    `a/${(LONG + "52.jpg").slice(0, 46)}.json`,
    `${LONG}52.jpg`,
  ],
  [
    "cut and numbered",
    `a/${LONG}5(1).jpg`,
    `a/${(LONG + "5.jpg.supp").slice(0, 46)}(1).json`,
    `${LONG}5.jpg`,
  ],
  [
    "of the file before it was edited",
    "a/IMG_1-edited.jpg",
    "a/IMG_1.jpg.supplemental-metadata.json",
    "IMG_1.jpg",
  ],
  [
    "edited, in German, numbered",
    "a/IMG_1-bearbeitet(1).jpg",
    "a/IMG_1.jpg.supplemental-metadata(1).json",
    "IMG_1.jpg",
  ],
  [
    "edited as JPEG",
    "a/IMG_1-edited.jpg",
    "a/IMG_1.HEIC.supplemental-metadata.json",
    "IMG_1.HEIC",
  ],
  ["of another case", "a/IMG_1.JPG", "a/IMG_1.jpg.json", "IMG_1.jpg"],
  [
    "found by its title alone",
    "a/IMG_1.jpg",
    "a/something else.json",
    "IMG_1.jpg",
  ],
  [
    "in another folder, by its title",
    "Walks/IMG_1.jpg",
    "Photos from 2024/IMG_1.jpg.json",
    "IMG_1.jpg",
  ],
  [
    "whose title has what names have not",
    "a/What_ me_.jpg",
    "a/x.json",
    "What? me*.jpg",
  ],
  [
    "decomposed",
    "a/\u00fcbung.jpg",
    "a/u\u0308bung.jpg.json".normalize("NFD"),
    "\u00fcbung.jpg",
  ],
];

for (const [how, file, sidecar, title] of CASES) {
  Deno.test(`a sidecar is found: ${how}`, () => {
    assert.equal(sidecarOf(file, { [sidecar]: title }), sidecar);
    if (how.includes("title")) return;
    // Its name is enough.
    assert.equal(sidecarOf(file, { [sidecar]: "no title helps" }), sidecar);
  });
}

Deno.test("every length that a sidecar is cut to is accepted", () => {
  const whole = "walk.jpg.supplemental-metadata";
  for (let length = "walk.jpg".length; length <= whole.length; length++) {
    const path = `${whole.slice(0, length)}.json`;
    assert.equal(sidecarOf("walk.jpg", { [path]: "no title helps" }), path);
  }
});

Deno.test("no file takes the sidecar of another one", () => {
  for (
    const [file, sidecar] of [
      ["a/IMG_1.jpg", "a/IMG_12.jpg.json"],
      ["a/IMG_12.jpg", "a/IMG_1.jpg.json"],
      ["a/IMG_1.jpg", "a/IMG_1.jpg(1).json"],
      ["a/IMG_1(1).jpg", "a/IMG_1.jpg.json"],
      ["a/IMG_1.jpg", "b/IMG_1.png.json"],
    ] as const
  ) {
    assert.equal(sidecarOf(file, { [sidecar]: "another" }), undefined, file);
  }
});

Deno.test("a title that two photographs of two days have tells of neither", () => {
  const two = { "b/x.json": "IMG_1.jpg", "c/y.json": "IMG_1.jpg" };
  assert.equal(sidecarOf("a/IMG_1.jpg", two), undefined);
});

Deno.test("names of which only the cut part is the same are told apart by number", () => {
  const cut = (LONG + "and more").slice(0, 46);
  const both = {
    [`a/${cut}.json`]: `${LONG}and more of it.jpg`,
    [`a/${cut}(1).json`]: `${LONG}and more of that.jpg`,
  };
  const stem = (LONG + "and more").slice(0, 47);
  assert.equal(sidecarOf(`a/${stem}.jpg`, both), `a/${cut}.json`);
  assert.equal(sidecarOf(`a/${stem}(1).jpg`, both), `a/${cut}(1).json`);
});

Deno.test("a cut or numbered file gets the name that it had", () => {
  const matched = (title: string, isEdited = false) => ({
    sidecar: { path: "x.json", facts: facts(title) },
    isEdited,
  });
  assert.equal(nameBefore("IMG_1(3).jpg", matched("IMG_1.jpg")), "IMG_1.jpg");
  const long = `${LONG}and far beyond that.jpg`;
  assert.equal(nameBefore(`${long.slice(0, 47)}.jpg`, matched(long)), long);
  assert.equal(
    nameBefore("a-edited.jpg", matched("a.jpg", true)),
    "a-edited.jpg",
  );
  assert.equal(nameBefore("a.jpg", matched("../../etc/passwd")), "a.jpg");
});

Deno.test("sidecars and albums are told by what they say", () => {
  const sidecar = readTakeoutJson(JSON.stringify({
    title: "walk.jpg",
    description: "by the lake",
    photoTakenTime: { timestamp: "1719748800", formatted: "30 Jun 2024" },
    geoData: { latitude: 0, longitude: 0, altitude: 0 },
    geoDataExif: { latitude: 47.5, longitude: 8.7, altitude: 440 },
    favorited: true,
  }));
  assert.deepEqual(sidecar, {
    kind: "sidecar",
    facts: {
      title: "walk.jpg",
      takenAt: "2024-06-30T12:00:00.000Z",
      place: { latitude: 47.5, longitude: 8.7, altitude: 440 },
      caption: "by the lake",
      favourite: true,
      archived: false,
      trashed: false,
    },
  });
  for (
    const said of [
      { title: "Walks", access: "protected", date: { timestamp: "1" } },
      { albumData: { title: "Walks", description: "" } },
    ]
  ) {
    assert.deepEqual(readTakeoutJson(JSON.stringify(said)), {
      kind: "album",
      title: "Walks",
    });
  }
  for (const text of ["", "{", "[]", "null", '{"title":"x"}', '{"title":7}']) {
    assert.deepEqual(readTakeoutJson(text), { kind: "other" }, text);
  }
});

Deno.test("the file's own date comes first, and its zone from the sidecar", () => {
  const about = { name: "a.jpg", mime: "image/jpeg" };
  const said = facts("a.jpg", "2024-06-30T10:00:00Z");
  const local = {
    ...about,
    taken_at: "2024-06-30T12:00:01Z",
    taken_source: "exif",
  };
  assert.deepEqual(withSidecar(local, said), {
    ...local,
    taken_at: "2024-06-30T10:00:00Z",
    taken_offset: 120,
  });
  const other = { ...local, taken_at: "2001-01-01T00:00:00Z" };
  assert.deepEqual(withSidecar(other, said), other);
  const disk = {
    ...about,
    taken_at: "2026-01-01T00:00:00Z",
    taken_source: "mtime",
  };
  assert.deepEqual(withSidecar(disk, said), {
    ...about,
    taken_at: "2024-06-30T10:00:00Z",
    taken_source: "sidecar",
  });
});

Deno.test("a still and its video are one photograph, two photographs of a name are not", () => {
  const [still, video, alone] = ["a/1(1).HEIC", "a/1(1).MP4", "a/1.MP4"]
    .map((path) => ({ path }));
  assert(still && video && alone);
  assert.deepEqual([...pairByName([still, video, alone])], [[still, video]]);
  const id = (contentIdentifier: string) => ({ contentIdentifier });
  assert(isLivePhoto(id("x"), id("x"), true));
  assert(!isLivePhoto(id("x"), id("y"), false));
  assert(isLivePhoto({}, { durationMs: 2_900 }, false));
  assert(!isLivePhoto({}, { durationMs: 2_900 }, true));
  assert(!isLivePhoto({}, { durationMs: 60_000 }, false));
});

Deno.test("names that differ in their letters' case alone have a sidecar each", () => {
  const sidecars = {
    "a/a.jpg.supplemental-metadata.json": "a.jpg",
    "a/A.JPG.supplemental-metadata.json": "A.JPG",
  };
  for (const name of ["a.jpg", "A.JPG"]) {
    assert.equal(
      sidecarOf(`a/${name}`, sidecars),
      `a/${name}.supplemental-metadata.json`,
    );
  }
});

Deno.test("a title without an extension finds the file that was given one", () => {
  for (const label of [".supplemental-metadata", ".suppl", ""]) {
    const sidecar = `a/Beach${label}.json`;
    assert.equal(sidecarOf("a/Beach.jpg", { [sidecar]: "Beach" }), sidecar);
    assert.equal(sidecarOf("a/Beach", { [sidecar]: "Beach" }), sidecar);
  }
  // Another file's, whose name merely begins alike.
  assert.equal(
    sidecarOf("a/Beach.jpg", { "a/Beach.png.json": "Beach.png" }),
    undefined,
  );
});

Deno.test("of two sidecars of the same bytes the earlier date stays, in whatever order", () => {
  const metadata = {
    name: "a.jpg",
    mime: "image/jpeg",
    size: 1,
    sha256: "00".repeat(32),
    derivatives: [],
  };
  const early = facts("a.jpg", "2020-01-01T00:00:00Z");
  const late = facts("a.jpg", "2021-01-01T00:00:00Z");
  for (const order of [[early, late], [late, early]]) {
    let held: Metadata = metadata;
    for (const one of order) held = { ...held, ...addedBy(held, one) };
    assert.equal(held.taken_at, "2020-01-01T00:00:00Z");
    for (const one of order) assert.equal(addedBy(held, one), undefined);
  }
});
