/**
 * Suggestions for a search while it is typed. What a library has is counted once
 * for each of its revisions, not for each key.
 *
 * @module
 */
import { isNearBeginning } from "../../../library/base/mistyped.ts";
import { contributorsOf } from "../../../library/finding/search_known.ts";
import { MONTH_NAMES } from "../../../library/finding/search.ts";
import { partsOfYearLike } from "../../../library/finding/search_dates.ts";
import type { PictureThings } from "../../../library/finding/picture_things.ts";
import { thingsLike } from "../../../library/finding/thing_names.ts";
import { plainText } from "../../../media/plain_text.ts";
import {
  countryText,
  type PlaceNames,
} from "../../../library/finding/place_names.ts";
import type { Row } from "../../../library/mod.ts";
import { DAY_MS } from "../../../core/time.ts";
import { heldFaces, type Named, namedIn } from "./faces_loader.ts";
import { fileOfRow } from "./file_of_row.ts";
import { things } from "./findings_loader.ts";
import { FLAGS } from "../library/photo_lists.ts";
import type { Flagged, LibraryView } from "../library/library_view.ts";
import { localTime } from "../library/photo_table.ts";
import { namesFor } from "./place_names.ts";

/** Something to search for or to open. */
export type Suggestion =
  | { readonly kind: "camera" | "town" | "person"; readonly name: string }
  /** ISO 3166-1 alpha-2. */
  | { readonly kind: "country"; readonly code: string }
  | {
    readonly kind: "album" | "collection";
    readonly id: string;
    readonly title: string;
  }
  /** Months since the year 0. */
  | { readonly kind: "month"; readonly month: number }
  /** Such as `christmas 2022`, and `cat`, in the language of what is typed. */
  | { readonly kind: "feast" | "thing"; readonly text: string };

/** Lists that are offered where they have photos. */
export type OfferedList = "favourites" | "videos" | "screenshots" | "hidden";

/** What a search that is being typed is offered. */
export interface Suggestions {
  readonly lists: readonly OfferedList[];
  readonly found: readonly Suggestion[];
}

const MOST = 8;
const MOST_MONTHS = 4;
const MOST_FEASTS = 3;
const MOST_UNASKED = 3;
const MOST_THINGS = 3;
/** Letters from which on things are offered: few words have none of them. */
const LEAST_OF_THING = 2;

/** What a library has, the most frequent first. */
interface Facets {
  readonly revision: number;
  readonly cameras: readonly string[];
  /** Newest first. */
  readonly months: readonly number[];
  /** Local days since 1970. */
  readonly days: ReadonlySet<number>;
  /** As they are called here, with all their names. */
  readonly towns: readonly { readonly name: string; readonly text: string }[];
  readonly countries: readonly string[];
  readonly people: readonly string[];
  /** Things in pictures, by their numbers. */
  readonly things: readonly number[];
}

const held = new WeakMap<LibraryView, Facets>();

function facetsOf(view: LibraryView, revision: number): Facets {
  const known = held.get(view);
  if (known?.revision === revision) return known;
  const { library } = view;
  const rows = view.rowsOf({ kind: "library" });
  const names = namesFor(rows.map(([row]) => row), view.changed);
  const faces = heldFaces(library, view.changed);
  const cameras = new Map<string, number>();
  const months = new Set<number>();
  const days = new Set<number>();
  for (const [row] of rows) {
    const day = Math.floor(localTime(row) / DAY_MS);
    days.add(day);
    const model = row.metadata?.camera?.model;
    if (model) count(cameras, model);
  }
  for (const day of days) {
    const date = new Date(day * DAY_MS);
    months.add(date.getUTCFullYear() * 12 + date.getUTCMonth());
  }
  // Names that only locked photos have would tell of these.
  const shown = [...library.index.rows()].filter((row) => !view.isShut(row));
  const owners = new Set(shown.map(({ owner }) => owner));
  const facets = {
    revision,
    cameras: mostFirst(cameras),
    months: [...months].toSorted((a, b) => b - a),
    days,
    ...placesIn(rows, names),
    things: thingsIn(rows, things.held(library, view.changed)),
    people: [
      ...new Set([
        ...(faces === undefined ? [] : namesIn(shown, namedIn(faces))),
        ...[...contributorsOf(library)].flatMap(([id, name]) =>
          owners.has(id) ? [name] : []
        ),
      ]),
    ],
  };
  held.set(view, facets);
  return facets;
}

/** The names of people who are in a picture of those rows. */
function namesIn(rows: readonly Row[], { names, byFile }: Named): string[] {
  const there = new Set(
    rows.flatMap((row) => byFile.get(fileOfRow(row) ?? "")?.split("\n") ?? []),
  );
  return names.filter((name) => there.has(plainText(name)));
}

function thingsIn(
  rows: readonly Flagged[],
  seen: PictureThings | undefined,
): readonly number[] {
  if (seen === undefined) return [];
  const counts = new Map<number, number>();
  for (const [row, flags] of rows) {
    if ((flags & FLAGS.hidden) !== 0) continue;
    for (const thing of seen.of(fileOfRow(row) ?? "") ?? []) {
      count(counts, thing);
    }
  }
  return mostFirst(counts);
}

function count<T>(of: Map<T, number>, name: T): void {
  of.set(name, (of.get(name) ?? 0) + 1);
}

function mostFirst<T>(of: ReadonlyMap<T, number>): readonly T[] {
  return [...of].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
}

/**
 * Suggestions that match a typed text, or if there are none, that it may have
 * meant; the most frequent ones for an empty text.
 */
export function suggestionsFor(
  view: LibraryView,
  typed: string,
  revision: number,
): readonly Suggestion[] {
  const facets = facetsOf(view, revision);
  const words = plainText(typed).split(/\s+/).filter((word) => word !== "");
  const exact = fitting(view, facets, typed, words, (text) => {
    const plain = plainText(text);
    return words.every((word) => plain.includes(word));
  });
  if (exact.length > 0 || words.length === 0) return exact;
  return fitting(view, facets, typed, words, (text) => {
    const parts = plainText(text).split(/[^\p{L}\p{N}]+/u);
    return words.every((word) =>
      parts.some((part) => part.startsWith(word) || isNearBeginning(word, part))
    );
  });
}

function fitting(
  { library }: LibraryView,
  { cameras, months, days, towns, countries, people, ...facets }: Facets,
  typed: string,
  words: readonly string[],
  fits: (text: string) => boolean,
): readonly Suggestion[] {
  const lists = [
    ...library.albums.list().map(({ id, title }) => ({
      kind: "album" as const,
      id,
      title: title ?? "",
    })),
    ...library.collections.list().map(({ id, title }) => ({
      kind: "collection" as const,
      id,
      title,
    })),
  ].filter(({ title }) => title !== "" && fits(title));
  const named = <K extends "camera" | "person">(
    kind: K,
    names: readonly string[],
  ) => names.filter(fits).map((name) => ({ kind, name }));
  const dated = months.filter((month) => fits(namesOf(month)))
    .slice(0, MOST_MONTHS)
    .map((month) => ({ kind: "month" as const, month }));
  const feasts = words.length === 0 ? [] : partsOfYearLike(typed, days)
    .slice(0, MOST_FEASTS)
    .map((text) => ({ kind: "feast" as const, text }));
  const lands = countries.filter((code) => fits(countryText(code)))
    .map((code) => ({ kind: "country" as const, code }));
  const inTowns = towns.filter(({ text }) => fits(text))
    .map(({ name }) => ({ kind: "town" as const, name }));
  const [first = ""] = words;
  const seen = words.length === 1 && first.length >= LEAST_OF_THING
    ? thingsLike(first, facets.things)
    : [];
  // Some of each kind before anything is typed.
  const most = words.length === 0 ? MOST_UNASKED : MOST;
  return [
    ...feasts,
    ...dated,
    ...[...lands, ...inTowns].slice(0, most),
    ...named("person", people).slice(0, most),
    ...seen.slice(0, MOST_THINGS)
      .map((text) => ({ kind: "thing" as const, text })),
    ...named("camera", cameras).slice(0, most),
    ...lists.slice(0, most),
  ].slice(0, MOST);
}

/** Towns and countries, those of most photos first. */
function placesIn(
  rows: readonly Flagged[],
  names: PlaceNames | undefined,
): Pick<Facets, "towns" | "countries"> {
  const towns = new Map<string, number>();
  const called = new Map<string, string>();
  const countries = new Map<string, number>();
  for (const [{ metadata }] of names === undefined ? [] : rows) {
    const town = metadata?.place && names?.townOf(metadata.place);
    if (!town) continue;
    count(towns, town.name);
    if (!called.has(town.name)) {
      called.set(town.name, names?.namesAt(metadata.place) ?? "");
    }
    count(countries, town.country);
  }
  return {
    towns: mostFirst(towns).map((name) => ({
      name,
      text: `${name} ${called.get(name)}`,
    })),
    countries: mostFirst(countries),
  };
}

/** Those of the lists that have photos: an empty one leads nowhere. */
export function listsOf(view: LibraryView): readonly OfferedList[] {
  const rows = view.rowsOf({ kind: "library" });
  const has: Readonly<Record<OfferedList, boolean>> = {
    favourites: view.rowsOf({ kind: "favourites" }).length > 0,
    videos: rows.some(([{ metadata }]) => metadata?.mime.startsWith("video/")),
    screenshots: rows.some(([, flags]) => (flags & FLAGS.screenshot) !== 0),
    hidden: view.rowsOf({ kind: "hidden" }).length > 0,
  };
  const names = ["favourites", "videos", "screenshots", "hidden"] as const;
  return names.filter((name) => has[name]);
}

/** The names of a month to match, such as `june juni 2024 2024-06`. */
function namesOf(month: number): string {
  const [year, at] = [Math.floor(month / 12), month % 12];
  const names = MONTH_NAMES.map((names) => names[at] ?? "").join(" ");
  return `${names} ${year} ${year}-${String(at + 1).padStart(2, "0")}`;
}
