import assert from "node:assert/strict";
import { DAY_MS } from "../../core/time.ts";
import type { Metadata } from "../../client/documents/metadata.ts";
import { emptyState } from "../../client/documents/state.ts";
import { memoriesOn, type Memory, rowsOfMemory } from "./memories.ts";
import {
  type HiddenMemories,
  hiddenMemories,
  withHidden,
  withMemories,
  withShownAgain,
} from "./memories_hidden.ts";
import { newestFirst, type Row } from "../rows/rows.ts";

const HOME = { latitude: 47.378, longitude: 8.54 };
const BELLAGIO = { latitude: 45.987, longitude: 9.261 };
const LISBON = { latitude: 38.72, longitude: -9.14 };
const NOTHING: HiddenMemories = { isOff: false, spans: [], places: [] };

const day = (text: string) => Date.parse(text) / DAY_MS;

/** Photos of a day. */
function photos(date: string, count: number, about: Partial<Metadata> = {}) {
  return Array.from({ length: count }, (_, at): Row => ({
    id: crypto.randomUUID(),
    owner: "ada",
    head: "00".repeat(32),
    seq: 1,
    state: "live",
    at: "2026-11-01T12:00:00Z",
    blobs: [],
    epoch: 1,
    chunk_size: 65_536,
    custody: "unverified",
    metadata: {
      name: `${date}_${at}.jpg`,
      mime: "image/jpeg",
      size: 1,
      sha256: "00".repeat(32),
      derivatives: [],
      taken_at: `${date}T${String(8 + at % 12).padStart(2, "0")}:00:00Z`,
      ...about,
    },
  }));
}

/** A photo at home every third day of a year. */
function atHome(year: number): Row[] {
  return Array.from(
    { length: 122 },
    (_, at) =>
      photos(dateText(Date.UTC(year, 0, 1) / DAY_MS + at * 3), 1, {
        place: HOME,
      }),
  ).flat();
}

function dateText(at: number): string {
  return new Date(at * DAY_MS).toISOString().slice(0, 10);
}

function on(
  date: string,
  rows: readonly Row[],
  hidden = NOTHING,
): readonly Memory[] {
  return memoriesOn(day(date), newestFirst(rows), {
    isFavourite: () => false,
    hidden,
  });
}

/** What a day brings: the kinds, years and ids. */
function said(memories: readonly Memory[]): readonly string[] {
  return memories.map(({ kind, years, id }) => `${kind} ${years} ${id}`);
}

Deno.test("a day brings the same day of earlier years, the last one first", () => {
  const rows = [
    ...photos("2025-11-25", 3),
    ...photos("2019-11-25", 4),
    // Too few, and today.
    ...photos("2022-11-25", 2),
    ...photos("2026-11-25", 9),
  ];
  assert.deepEqual(said(on("2026-11-25", rows)), [
    "day 1 2025-11-25",
    "day 7 2019-11-25",
  ]);
  assert.deepEqual(said(on("2026-11-30", rows)), []);
});

Deno.test("where the day has few, its week is recalled", () => {
  const rows = [...photos("2023-11-22", 2), ...photos("2023-11-28", 2)];
  const [week] = on("2026-11-25", rows);
  assert.equal(week?.id, "2023-11-22_2023-11-28");
  assert.equal(week.kind, "week");
  assert.equal(week.rows.length, 4);
  assert.deepEqual(said(on("2026-11-26", rows)), []);
});

Deno.test("the week around New Year is that of the day a year ago, in whichever year its photos are", () => {
  const rows = photos("2025-12-31", 5);
  const before = { date: "2026-12-30", week: "2025-12-27_2026-01-02" };
  const after = { date: "2027-01-02", week: "2025-12-30_2026-01-05" };
  for (const { date, week } of [before, after]) {
    assert.deepEqual(said(on(date, rows)), [`week 1 ${week}`]);
  }
  const later = photos("2026-01-01", 5);
  assert.deepEqual(said(on("2026-12-30", later)), [`week 1 ${before.week}`]);
});

Deno.test("29 February is recalled on that day alone, and by its week", () => {
  const rows = photos("2024-02-29", 5);
  assert.deepEqual(said(on("2028-02-29", rows)), ["day 4 2024-02-29"]);
  assert.deepEqual(said(on("2026-03-01", rows)), [
    "week 2 2024-02-27_2024-03-04",
  ]);
});

Deno.test("days in a row far from home are a trip, with what has no place", () => {
  const rows = [
    ...atHome(2026),
    ...photos("2026-10-10", 5, { place: BELLAGIO }),
    ...photos("2026-10-11", 1),
    ...photos("2026-10-12", 3, { place: BELLAGIO }),
  ].filter(({ metadata }) =>
    // No one was at home then.
    !/^2026-10-1[0-2]/.test(metadata?.taken_at ?? "") ||
    metadata?.place !== HOME
  );
  const [trip, ...more] = on("2026-10-20", rows);
  assert.deepEqual([trip?.kind, trip?.id, trip?.rows.length, more.length], [
    "trip",
    "2026-10-10_2026-10-12",
    9,
    0,
  ]);
  // Not while one is there or has just come home; in a year again, in one card.
  assert.deepEqual(said(on("2026-10-13", rows)), []);
  assert.deepEqual(said(on("2027-10-11", rows)), [
    "trip 1 2026-10-10_2026-10-12",
  ]);
});

Deno.test("a person who moves is at home where they live by then", () => {
  const lisbon = atHome(2027).map((row) => ({
    ...row,
    metadata: row.metadata && { ...row.metadata, place: LISBON },
  }));
  assert.deepEqual(said(on("2027-12-05", [...atHome(2026), ...lisbon])), []);
});

Deno.test("at the end of a year, its best photos are recalled", () => {
  const rows = [
    ...atHome(2026),
    ...photos("2026-05-01", 3, { rating: 5, place: HOME }),
  ];
  assert.deepEqual(said(on("2026-12-09", rows)), []);
  for (const date of ["2026-12-10", "2027-01-31"]) {
    const year = on(date, rows).find(({ kind }) => kind === "year");
    assert.equal(year?.id, "2026");
    assert.equal(year.rows.length, 60);
    const liked = year.rows.filter(({ metadata }) => metadata?.rating === 5);
    assert.equal(liked.length, 3);
    const months = new Set(
      year.rows.map(({ metadata }) => metadata?.taken_at?.slice(0, 7)),
    );
    assert.equal(months.size, 12);
  }
  assert.deepEqual(said(on("2027-02-01", rows)), []);
});

Deno.test("screenshots, documents and what is dated by its file are no memories", () => {
  const rows = [
    ...photos("2025-11-25", 3, { name: "Screenshot_1.png" }),
    ...photos("2024-11-25", 3, { mime: "application/pdf" }),
    ...photos("2023-11-25", 3, { taken_source: "mtime" }),
  ];
  assert.deepEqual(said(on("2026-11-25", rows)), []);
  assert.equal(photosOf("2025-11-25", rows).length, 0);
});

function photosOf(id: string, rows: readonly Row[], hidden = NOTHING) {
  return rowsOfMemory(id, rows, { isFavourite: () => false, hidden });
}

Deno.test("days and places that are hidden are in no memory, until they are shown again", () => {
  const rows = [
    ...photos("2025-11-25", 3, { place: BELLAGIO }),
    ...photos("2024-11-25", 3, { place: LISBON }),
    ...photos("2023-11-25", 3),
  ];
  let { settings } = emptyState();
  const now = Date.UTC(2026, 10, 25);
  // Varenna is across the lake.
  const place = { latitude: 46.01, longitude: 9.284 };
  const days = { from: day("2024-11-24"), until: day("2024-11-26") };
  settings = withHidden(settings, { place }, now);
  settings = withHidden(settings, { days }, now);
  const hidden = hiddenMemories(settings);
  assert.deepEqual(said(on("2026-11-25", rows, hidden)), [
    "day 3 2023-11-25",
  ]);
  assert.equal(photosOf("2025-11-25", rows, hidden).length, 0);

  const some = hiddenMemories(withShownAgain(settings, now, { days }));
  assert.deepEqual(said(on("2026-11-25", rows, some)), [
    "day 2 2024-11-25",
    "day 3 2023-11-25",
  ]);
  assert.deepEqual(hiddenMemories(withShownAgain(settings, now)), NOTHING);
  assert.equal(hiddenMemories(withMemories(settings, false, now)).isOff, true);
});

Deno.test("an id of no days has no photos", () => {
  const rows = photos("2025-11-25", 3);
  for (const id of ["", "x", "2025-11", "2025-11-26_2025-11-24", "9999"]) {
    assert.equal(photosOf(id, rows).length, 0, id);
  }
  assert.equal(photosOf("2025-11-01_2025-11-30", rows).length, 3);
});
