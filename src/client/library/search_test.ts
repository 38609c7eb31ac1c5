import assert from "node:assert/strict";
import type { Metadata } from "../metadata.ts";
import type { Row } from "./rows.ts";
import { type MoreKnown, queryOf, searched } from "./search.ts";

/** A Tuesday. */
const NOW = Date.UTC(2026, 10, 24, 9);

function photo(name: string, change: Partial<Metadata> = {}): Row {
  return {
    id: crypto.randomUUID(),
    owner: "ada",
    head: "00".repeat(32),
    seq: 1,
    state: "live",
    at: "2020-02-02T12:00:00Z",
    blobs: [],
    epoch: 1,
    chunk_size: 65_536,
    custody: "unverified",
    metadata: {
      name,
      mime: "image/jpeg",
      size: 1,
      sha256: "00".repeat(32),
      derivatives: [],
      ...change,
    },
  };
}

/** The names of what is found. */
function find(rows: readonly Row[], text: string, more: MoreKnown = {}) {
  return searched(rows, (row) => row, text, { now: NOW, ...more })
    .map((row) => row.metadata?.name);
}

/** Photos that are called by the day when they were taken. */
const DAYS = [
  "2026-11-24",
  "2026-11-23",
  "2026-11-22",
  "2026-11-16",
  "2026-11-15",
  "2026-10-31",
  "2026-10-01",
  "2026-08-31",
  "2025-12-25",
  "2025-08-15",
  "2024-06-15",
  "2023-12-31",
  "2023-07-06",
  "2023-06-07",
  "2023-02-01",
  "2022-12-24",
  "2022-01-05",
].map((day) => photo(`of ${day}.jpg`, { taken_at: `${day}T12:00:00Z` }));

const DATES: readonly (readonly [queries: string, days: readonly string[]])[] =
  [
    ["today", ["2026-11-24"]],
    ["heute", ["2026-11-24"]],
    ["yesterday", ["2026-11-23"]],
    ["gestern", ["2026-11-23"]],
    ["this week", ["2026-11-24", "2026-11-23"]],
    ["last week", ["2026-11-22", "2026-11-16"]],
    ["letzte Woche", ["2026-11-22", "2026-11-16"]],
    ["last month", ["2026-10-31", "2026-10-01"]],
    ["letzten Monat", ["2026-10-31", "2026-10-01"]],
    ["last year", ["2025-12-25", "2025-08-15"]],
    ["letztes Jahr", ["2025-12-25", "2025-08-15"]],
    ["last summer", ["2026-08-31"]],
    ["im letzten Sommer", ["2026-08-31"]],
    ["last monday", ["2026-11-23"]],
    ["last christmas", ["2025-12-25"]],
    ["summer 2023", ["2023-07-06", "2023-06-07"]],
    ["2023 Sommer", ["2023-07-06", "2023-06-07"]],
    ["winter 2022", ["2023-02-01", "2022-12-24", "2022-01-05"]],
    ["christmas 2022", ["2022-12-24"]],
    ["an Weihnachten 2022", ["2022-12-24"]],
    ["christmas", ["2025-12-25", "2022-12-24"]],
    ["06/2024", ["2024-06-15"]],
    ["6.2024", ["2024-06-15"]],
    ["2024-06", ["2024-06-15"]],
    ["15.6.2024", ["2024-06-15"]],
    ["15. 6. 2024", ["2024-06-15"]],
    ["15.06.2024", ["2024-06-15"]],
    ["2024-06-15", ["2024-06-15"]],
    ["6/15/2024", ["2024-06-15"]],
    ["15/6/2024", ["2024-06-15"]],
    // Either may be the month.
    ["6/7/2023", ["2023-07-06", "2023-06-07"]],
    ["6.7.2023", ["2023-07-06"]],
    ["31.13.2023", []],
    ["2024", ["2024-06-15"]],
    ["in 2024", ["2024-06-15"]],
    ["june", ["2024-06-15", "2023-06-07"]],
    ["Juni 2023", ["2023-06-07"]],
    ["sunday 2023", ["2023-12-31"]],
    ["Sonntag 2023", ["2023-12-31"]],
  ];

for (const [query, days] of DATES) {
  Deno.test(`“${query}” finds what was taken then`, () => {
    assert.deepEqual(
      find(DAYS, query),
      days.map((day) => `of ${day}.jpg`),
    );
  });
}

Deno.test("without a clock, today is a word as others are", () => {
  const rows = [photo("today.jpg"), ...DAYS];
  assert.deepEqual(
    rows.filter(queryOf("today")).map((row) => row.metadata?.name),
    ["today.jpg"],
  );
});

Deno.test("the date is that of where the photo was taken", () => {
  const late = photo("late.jpg", {
    taken_at: "2024-06-14T23:30:00Z",
    taken_offset: 120,
  });
  assert.deepEqual(find([late], "15.6.2024"), ["late.jpg"]);
  assert.deepEqual(find([late], "14.6.2024"), []);
});

const LAKE = photo("P1000042.RW2", {
  mime: "image/x-panasonic-rw2",
  camera: { make: "Panasonic", model: "DC-G9" },
  caption: "Grandma at the lake",
  keywords: ["holidays"],
  rating: 4,
  taken_at: "2023-07-06T10:00:00Z",
});
const FILM = photo("rocket_start.mp4", { mime: "video/mp4", rating: 5 });
const PLAIN = photo("breakfast.jpg", { path: "2023/lisbon" });
const OTHERS = [LAKE, FILM, PLAIN];

const TEXTS: readonly (readonly [query: string, found: readonly Row[]])[] = [
  ["g9", [LAKE]],
  ["grandma lake", [LAKE]],
  ["holidays", [LAKE]],
  ["raw", [LAKE]],
  ["photos", [LAKE, PLAIN]],
  ["video", [FILM]],
  ["4 stars", [LAKE]],
  ["★★★★", [LAKE]],
  ["★★★★☆", [LAKE]],
  ["4 sterne", [LAKE]],
  ["4+ stars", [LAKE, FILM]],
  ["5★ rocket", [FILM]],
  ["1 star", []],
  ["lisbon", [PLAIN]],
  // Mistyped: a letter wrong, missing, too many, swapped, at either end.
  ["rocknt", [FILM]],
  ["roket", [FILM]],
  ["rockett", [FILM]],
  ["rokcet", [FILM]],
  ["orcket", [FILM]],
  ["xocket", [FILM]],
  ["brekfast", [PLAIN]],
  ["granmda lake", [LAKE]],
  ["grandma rockt", []],
  ["breakfst in lisbn", []],
  ["breakfst lisbn", [PLAIN]],
  ["panasnic 4 strs", []],
  // What begins like it was meant, as of words typed right.
  ["braekf", [PLAIN]],
  // Short words, numbers, two edits, and a word that is somewhere.
  ["laek", []],
  ["p1000043", []],
  ["rcknet", []],
  ["rocket lake", []],
  // Words that mean something.
  ["sumer 2023", [LAKE]],
  ["vidoes", [FILM]],
];

for (const [query, found] of TEXTS) {
  Deno.test(`“${query}” finds ${found.length}, mistyped or not`, () => {
    assert.deepEqual(
      find(OTHERS, query),
      found.map((row) => row.metadata?.name),
    );
  });
}

Deno.test("what matches exactly leaves no room for mistyped words", () => {
  const rows = [photo("stark.jpg"), photo("storm.jpg"), photo("start.jpg")];
  assert.deepEqual(find(rows, "stark"), ["stark.jpg"]);
  assert.deepEqual(find(rows, "starx"), ["stark.jpg", "start.jpg"]);
});

Deno.test("an album's title finds its photos, mistyped or not", () => {
  const rows = [photo("a.jpg"), photo("b.jpg")];
  const more = { told: (row: Row) => row === rows[0] ? "\nsummer 2023" : "" };
  assert.deepEqual(find(rows, "summer 2023", more), ["a.jpg"]);
  assert.deepEqual(find(rows, "sumner", more), ["a.jpg"]);
});

Deno.test("hidden photos are found only where they are asked for", () => {
  const rows = [photo("lake.jpg"), photo("lakeside.jpg", { hidden: true })];
  assert.deepEqual(find(rows, "lake"), ["lake.jpg"]);
  assert.deepEqual(find(rows, "lakeside"), []);
  assert.deepEqual(find(rows, "laekside"), []);
  assert.deepEqual(find(rows, rows[1]?.id ?? ""), []);
  assert.deepEqual(find(rows, "hidden"), ["lakeside.jpg"]);
  assert.deepEqual(find(rows, "hidden lake"), ["lakeside.jpg"]);
  assert.deepEqual(find(rows, "ausgeblendet laekside"), ["lakeside.jpg"]);
  const shown = { showsHidden: true };
  assert.deepEqual(find(rows, "lake", shown), ["lake.jpg", "lakeside.jpg"]);
});

Deno.test("a search looks at each row a few times, and reads its texts once", () => {
  let [looked, read] = [0, 0];
  const rows = Array.from({ length: 500 }, (_, at) => {
    const row = photo(`image_${at}.jpg`);
    const { metadata } = row;
    return {
      ...row,
      metadata: metadata && {
        ...metadata,
        get name() {
          read++;
          return metadata.name;
        },
      },
    };
  });
  const count = (text: string) => {
    [looked, read] = [0, 0];
    searched(
      rows,
      (row) => {
        looked++;
        return row;
      },
      text,
      { now: NOW },
    );
    return [looked / rows.length, read / rows.length];
  };
  assert.deepEqual(count("last summer"), [1, 1]);
  assert.deepEqual(count("image"), [1, 0]);
  // Once for the query, and once for the texts, which have nothing like it.
  assert.deepEqual(count("rocket breakfast"), [2, 0]);
  // And once more for what is like it.
  assert.deepEqual(count("imgae"), [3, 0]);
  // A word that cannot be mistyped is not tried.
  assert.deepEqual(count("8472 xyz"), [1, 0]);
});
