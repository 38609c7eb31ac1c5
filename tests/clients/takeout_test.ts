/**
 * The sidecars of a Google Photos export, however they were cut or numbered.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type PassedWhy,
  planExport,
} from "../../src/media/exports/export_kind.ts";
import { PLAIN } from "../../src/media/exports/sidecar_export.ts";
import { TAKEOUT } from "../../src/media/exports/takeout_export.ts";
import {
  besidePairs,
  identifierIn,
  isLivePhoto,
  pairByName,
  pairFiles,
} from "../../src/media/exports/live_photos.ts";
import {
  addedBy,
  isCorrected,
  type SidecarFacts,
  withSidecar,
} from "../../src/media/exports/sidecar_facts.ts";
import {
  nameBefore,
  openTakeoutMatcher,
} from "../../src/media/exports/takeout.ts";
import type { Bytes } from "../../src/core/bytes.ts";
import { plainOf } from "../../src/library/mod.ts";
import { heifFile } from "../support/heif_files.ts";
import { liveExif, liveStill, liveVideo } from "../support/live_pairs.ts";
import { videoName } from "../../src/library/showing/export_layout.ts";
import type { MediaFacts } from "../../src/media/exif/mod.ts";
import type { Metadata } from "../../src/client/documents/metadata.ts";
import { readTakeoutJson } from "../../src/media/exports/takeout_json.ts";

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

const EDITED = [
  "edited",
  "bearbeitet",
  "ha editado",
  "отредактировано",
  "تم التعديل",
  "已編輯",
  "編集済み",
  "แก้ไขแล้ว",
  "đã chỉnh sửa",
  "modifié".normalize("NFD"),
  "EFFECTS-edited",
  "a word of tomorrow",
];

Deno.test("an edited file has its original's sidecar, in whatever language", () => {
  for (const word of EDITED) {
    for (
      const [file, sidecar] of [
        [`IMG_1-${word}.jpg`, "IMG_1.jpg.supplemental-metadata.json"],
        [`IMG_1-${word}(1).jpg`, "IMG_1.jpg.supplemental-metadata(1).json"],
        // The edited file alone has a number.
        [`IMG_1-${word}(1).jpg`, "IMG_1.jpg.supplemental-metadata.json"],
        [`IMG_1(2)-${word}.jpg`, "IMG_1.jpg.supplemental-metadata(2).json"],
        [`IMG_1-${word}.jpg`, "IMG_1.HEIC.supplemental-metadata.json"],
        [`a-b-${word}.jpg`, "a-b.jpg.json"],
      ] as const
    ) {
      const title = sidecar.replace(/\..*/, "") +
        (sidecar.includes("HEIC") ? ".HEIC" : ".jpg");
      assert.equal(sidecarOf(file, { [sidecar]: title }), sidecar, file);
    }
  }
  const own = { "a.jpg.json": "a.jpg", "a-edited.jpg.json": "a-edited.jpg" };
  assert.equal(sidecarOf("a-edited.jpg", own), "a-edited.jpg.json");
  for (const file of ["2014-05-13.jpg", "2014-05.jpg", "2014edited.jpg"]) {
    assert.equal(sidecarOf(file, { "2014.jpg.json": "2014.jpg" }), undefined);
  }
});

Deno.test("an edited file finds its original by the files that are there", () => {
  const path = "a/x.arw.supplemental-metadata.json";
  const { match } = openTakeoutMatcher(
    [{ path, facts: facts("x.arw") }],
    ["a/x.arw", "a/x-bewerkt.jpg"],
  );
  assert.deepEqual(match("a/x-bewerkt.jpg"), {
    sidecar: { path, facts: facts("x.arw") },
    isEdited: true,
  });
});

Deno.test("other products and litter in an export are left out and named", async () => {
  const photos = "Takeout/Фото от Google/Photos from 2014";
  const paths: Readonly<Record<string, PassedWhy | undefined>> = {
    [`${photos}/a.jpg`]: undefined,
    [`${photos}/lonely.jpg`]: undefined,
    "Takeout/Contacts/All Contacts/921.jpg": "elsewhere",
    "Takeout/Drive/holiday.pdf": "elsewhere",
    "Takeout/Drive/a.jpg": "elsewhere",
    "Takeout/archive_browser.html": "describes",
    "Takeout/.DS_Store": "litter",
    [`__MACOSX/${photos}/._a.jpg`]: "litter",
    [`__MACOSX/${photos}/._a.jpg.json`]: "litter",
    [`${photos}/Thumbs.db`]: "litter",
    [`${photos}/@eaDir/a.jpg/SYNOPHOTO_THUMB_M.jpg`]: "litter",
    [`${photos}/#recycle/a.jpg`]: "litter",
  };
  const json = JSON.stringify({
    title: "a.jpg",
    photoTakenTime: { timestamp: "1400000000" },
  });
  const files = [...Object.keys(paths), `${photos}/a.jpg.json`]
    .map((path) => ({ path, size: 1, within: "x.zip" }));
  const plan = await planExport(TAKEOUT, files, {
    textOf: () => Promise.resolve(json),
    identifierOf: () => Promise.resolve(undefined),
  });
  assert.deepEqual(
    new Map(plan.passed.map(({ file, why }) => [file.path, why])),
    new Map(Object.entries(paths).filter(([, why]) => why !== undefined)),
  );
  assert.deepEqual(
    plan.items.map(({ file }) => file.path),
    [`${photos}/a.jpg`, `${photos}/lonely.jpg`],
  );
});

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
  for (
    const text of [
      "",
      "{",
      "[]",
      "null",
      '{"title":"x","items":[]}',
      '{"title":7}',
    ]
  ) {
    assert.deepEqual(readTakeoutJson(text), { kind: "other" }, text);
  }
});

Deno.test("an album may have only a title, and a time of 0 is ignored", () => {
  for (
    const more of [
      "",
      ',"description":""',
      ',"sharedAlbumComments":[{"text":"?"}]',
      ',"location":"Rome","enrichments":[]',
    ]
  ) {
    assert.deepEqual(readTakeoutJson(`{"title":"Walks"${more}}`), {
      kind: "album",
      title: "Walks",
    });
  }
  const read = readTakeoutJson(
    '{"title":"a.jpg","photoTakenTime":{"timestamp":"0"}}',
  );
  assert.equal(read.kind === "sidecar" && read.facts.takenAt, undefined);
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
  assert.deepEqual(withSidecar(other, said), {
    ...other,
    taken_at: "2024-06-30T10:00:00Z",
    taken_source: "sidecar",
  });
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

Deno.test("a date that a person corrected in Google Photos wins, one that a zone explains does not", () => {
  const about = { name: "a.jpg", mime: "image/jpeg", taken_source: "exif" };
  const said = facts("a.jpg", "2024-06-30T10:00:00Z");
  const cases = {
    "2024-06-30T10:00:00Z": false,
    "2024-06-30T15:45:01Z": false,
    "2024-07-01T00:00:00Z": false,
    "2024-06-30T10:00:07Z": false,
    "2024-07-01T00:15:00Z": true,
    "2024-06-29T10:00:00Z": true,
    "2024-06-30T10:07:00Z": true,
    "1970-01-01T00:00:00Z": true,
  };
  for (const [taken_at, isRight] of Object.entries(cases)) {
    const file = { ...about, taken_at };
    assert.equal(isCorrected(file, said), isRight, taken_at);
    assert.equal(
      withSidecar(file, said).taken_source,
      isRight ? "sidecar" : "exif",
    );
  }
  // The camera's zone is where the photo was taken.
  assert.equal(
    withSidecar(
      { ...about, taken_at: "2001-01-01T00:00:00Z", taken_offset: 120 },
      said,
    ).taken_offset,
    120,
  );
  const person = { ...about, taken_at: "2001-01-01T00:00:00Z" };
  assert(!isCorrected({ ...person, taken_source: "person" }, said));
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
  // Apps make live photos of long videos, and say so with an identifier.
  assert(isLivePhoto(id("x"), { ...id("x"), durationMs: 60_000 }, false));
  assert(!isLivePhoto({}, { ...id("x"), durationMs: 60_000 }, false));
});

const MOMENT = "2024-08-15T10:00:00.000Z";
const TAKEN_WITH: readonly (readonly [string, MediaFacts, boolean])[] = [
  ["at once", { takenAt: MOMENT }, true],
  ["three seconds later", { takenAt: "2024-08-15T10:00:03Z" }, true],
  ["four seconds later", { takenAt: "2024-08-15T10:00:04Z" }, false],
  [
    "in UTC, two hours behind the camera's clock",
    { takenAt: "2024-08-15T08:00:01Z", takenIsUtc: true },
    true,
  ],
  [
    "in a zone of quarters",
    { takenAt: "2024-08-15T04:15:00Z", takenIsUtc: true },
    true,
  ],
  [
    "five minutes later, by another camera that counts alike",
    { takenAt: "2024-08-15T10:05:00Z", takenIsUtc: true },
    false,
  ],
  [
    "weeks later, by another phone",
    { takenAt: "2024-09-01T08:00:00Z", takenIsUtc: true },
    false,
  ],
  ["without a date", {}, true],
];

Deno.test("without identifiers a name pairs a still and a video only if they were taken at once", () => {
  for (const [when, video, isPair] of TAKEN_WITH) {
    const short = { ...video, durationMs: 2_000 };
    assert.equal(isLivePhoto({ takenAt: MOMENT }, short, false), isPair, when);
    const known = { takenAt: MOMENT, contentIdentifier: "x" };
    const its = { ...short, contentIdentifier: "x" };
    assert(isLivePhoto(known, its, true), when);
    assert(
      !isLivePhoto(known, { ...its, contentIdentifier: "y" }, false),
      when,
    );
  }
  const dated = { takenAt: MOMENT, durationMs: 2_000 };
  assert(!isLivePhoto({}, dated, false), "a still without a date");
  // Two zones that are known do not differ by a zone.
  const [here, there] = [120, 0].map((takenOffset) => ({
    takenAt: takenOffset === 0 ? MOMENT : "2024-08-15T08:00:00Z",
    takenOffset,
  }));
  assert(!isLivePhoto(here ?? {}, { ...there, durationMs: 1 }, false));
});

Deno.test("names of pairs: iCloud's, Google's bare ones, AVIF, and a JPEG next to a HEIC", () => {
  const pairsOf = (...names: readonly string[]) =>
    [...pairByName(names.map((path) => ({ path })))]
      .map(([still, video]) => `${still.path} ${video.path}`);
  const pairs: readonly (readonly string[])[] = [
    ["IMG_2.JPG", "IMG_2_HEVC.MOV"],
    ["MVIMG_2018.jpg", "MVIMG_2018"],
    ["IMG_7.avif", "IMG_7.MOV"],
    ["IMG_E5.JPG", "IMG_E5.MOV"],
    ["a.MP.jpg", "a.MP"],
  ];
  for (const pair of pairs) {
    assert.deepEqual(pairsOf(...pair), [pair.join(" ")]);
  }
  const three = ["IMG_1.JPG", "IMG_1.HEIC", "IMG_1.MOV"];
  assert.deepEqual(pairsOf(...three), ["IMG_1.HEIC IMG_1.MOV"]);
  const files = three.map((path) => ({ path }));
  assert.deepEqual(
    besidePairs(files, pairByName(files)).map(({ path }) => path),
    ["IMG_1.JPG"],
  );
  assert.deepEqual(pairsOf("a.JPG", "a.PNG", "a.MOV"), []);
});

/** Files of one folder with their identifiers, and the pairs they are. */
const IDENTIFIED: readonly (readonly [
  string,
  Readonly<Record<string, string | undefined>>,
  readonly string[],
])[] = [
  [
    "whatever their names",
    { "beach.heic": "a", "sea.mov": "a", "hut.JPG": "b", "film.MP4": "b" },
    ["beach.heic sea.mov", "hut.JPG film.MP4"],
  ],
  [
    "the JPEG of a HEIC's name, where it has the identifier",
    { "1.HEIC": undefined, "1.JPG": "a", "1.MOV": "a" },
    ["1.JPG 1.MOV"],
  ],
  [
    "the HEIC, where both have it",
    { "1.JPG": "a", "1.HEIC": "a", "1.MOV": "a" },
    ["1.HEIC 1.MOV"],
  ],
  [
    "each its own of an edited photo, whose files have one identifier",
    {
      "IMG_5.HEIC": "a",
      "IMG_5.MOV": "a",
      "IMG_E5.JPG": "a",
      "IMG_E5.MOV": "a",
    },
    ["IMG_5.HEIC IMG_5.MOV", "IMG_E5.JPG IMG_E5.MOV"],
  ],
  [
    "crosswise, where the names are those of others",
    { "1.JPG": "a", "1.MOV": "b", "2.JPG": "b", "2.MOV": "a" },
    ["2.JPG 1.MOV", "1.JPG 2.MOV"],
  ],
  [
    "the rest by their names",
    {
      "1.JPG": "a",
      "x.MOV": "a",
      "2.JPG": undefined,
      "2.MOV": undefined,
      "1.MOV": undefined,
    },
    ["1.JPG x.MOV", "2.JPG 2.MOV"],
  ],
  [
    "none of several stills and videos of other names",
    { "a.JPG": "a", "b.JPG": "a", "v.MOV": "a", "w.MOV": "a" },
    [],
  ],
  [
    "no still with one of several videos",
    { "a.JPG": "a", "v.MOV": "a", "w.MOV": "a" },
    [],
  ],
  [
    "those that are left once names have paired the others",
    { "a.JPG": "a", "b.JPG": "a", "a.MOV": "a", "w.MOV": "a" },
    ["a.JPG a.MOV", "b.JPG w.MOV"],
  ],
  ["no video without one of its name or identifier", { "v.MOV": "a" }, []],
];

Deno.test("a content identifier pairs a still and a video whatever their names, and before names do", async () => {
  for (const [how, ids, right] of IDENTIFIED) {
    const files = Object.keys(ids).map((path) => ({ path }));
    const asked: string[] = [];
    const pairs = await pairFiles(files, ({ path }) => {
      asked.push(path);
      return Promise.resolve(ids[path]);
    });
    assert.deepEqual(
      [...pairs].map(([still, video]) => `${still.path} ${video.path}`),
      right,
      how,
    );
    assert.equal(new Set(asked).size, asked.length, "each is read once");
  }
  const far = [{ path: "a/1.JPG" }, { path: "b/2.MOV" }];
  const same = () => Promise.resolve("a");
  assert.equal((await pairFiles(far, same)).size, 0, "one folder");
  // Without a video that has an identifier, no still is read.
  await pairFiles([{ path: "1.JPG" }, { path: "1.MOV" }], ({ path }) => {
    assert.equal(path, "1.MOV");
    return Promise.resolve(undefined);
  });
});

Deno.test("a plan names the still that has a live photo's name and is no part of it", async () => {
  const files = ["IMG_1.JPG", "IMG_1.HEIC", "IMG_1.MOV", "IMG_2.JPG"]
    .map((path) => ({ path, size: 1, within: "folder" }));
  const { items } = await planExport(PLAIN, files, {
    textOf: () => Promise.resolve(""),
    identifierOf: () => Promise.resolve(undefined),
  });
  assert.deepEqual(
    items.map(({ file, video, isBesidePair }) => [
      file.path,
      video?.file.path,
      isBesidePair,
    ]),
    [
      ["IMG_1.JPG", undefined, true],
      ["IMG_1.HEIC", "IMG_1.MOV", false],
      ["IMG_2.JPG", undefined, false],
    ],
  );
});

Deno.test("the identifier of a still is in Apple's note, in a JPEG and in a HEIC, and that of a video in its keys", async () => {
  const id = "4636F170-F379-42AC-9CEA-20233E95936F";
  const files: Readonly<Record<string, (identifier?: string) => Bytes>> = {
    "a.jpg": (identifier) => liveStill("a", identifier),
    "a.heic": (identifier) =>
      heifFile("heic", liveExif("a", identifier), [64, 48], false),
    "a.MOV": (identifier) => liveVideo("a", identifier),
  };
  for (const [name, make] of Object.entries(files)) {
    assert.equal(await identifierIn(name, plainOf(make(id))), id, name);
    assert.equal(await identifierIn(name, plainOf(make())), undefined, name);
    // What cannot be read is named when its turn comes.
    assert.equal(
      await identifierIn(name, plainOf(make(id).slice(0, 40))),
      undefined,
    );
  }
});

Deno.test("a plan pairs the files of an export by their identifiers, as a push does, whatever their names", async () => {
  for (const [how, ids, right] of IDENTIFIED) {
    const files = Object.keys(ids)
      .map((path) => ({ path: `a/${path}`, size: 1, within: "x.zip" }));
    const { items } = await planExport(PLAIN, files, {
      textOf: () => Promise.resolve(""),
      identifierOf: ({ path }) => Promise.resolve(ids[path.slice(2)]),
    });
    const pairs = items.flatMap(({ file, video }) =>
      video === undefined
        ? []
        : [`${file.path.slice(2)} ${video.file.path.slice(2)}`]
    );
    assert.deepEqual(pairs.sort(), right.toSorted(), how);
  }
});

Deno.test("the video of a live photo keeps its name next to its still, wherever that is", () => {
  const named = (still: string, name: string | undefined, original?: string) =>
    videoName(
      still,
      { mime: "video/quicktime", ...(name === undefined ? {} : { name }) },
      original,
    );
  for (
    const [still, name, original, right] of [
      ["IMG_1.HEIC", "IMG_1.MOV", "IMG_1.HEIC", "IMG_1.MOV"],
      ["a/IMG_1.heic", "IMG_1.mov", "IMG_1.heic", "a/IMG_1.mov"],
      ["a/IMG_1 (2).HEIC", "IMG_1.MOV", "IMG_1.HEIC", "a/IMG_1 (2).MOV"],
      ["IMG_2.JPG", "IMG_2_HEVC.MOV", "IMG_2.JPG", "IMG_2_HEVC.MOV"],
      ["beach.heic", "beach-video.MP4", "beach.heic", "beach-video.MP4"],
      ["beach.heic", "sea.MP4", "beach.heic", "beach.MP4"],
      ["IMG_1.HEIC", undefined, "IMG_1.HEIC", "IMG_1.mov"],
      ["IMG_1.HEIC", "IMG_1/../../x.sh", "IMG_1.HEIC", "IMG_1.mov"],
      ["IMG_1.HEIC", "IMG_1.exe", "IMG_1.HEIC", "IMG_1.mov"],
    ] as const
  ) assert.equal(named(still, name, original), right);
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
