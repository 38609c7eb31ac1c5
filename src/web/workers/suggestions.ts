/**
 * Suggestions for a search while it is typed.
 *
 * @module
 */
import { MONTH_NAMES } from "../../client/library/search.ts";
import { plainText } from "../../client/places/gazetteer.ts";
import {
  countryText,
  type PlaceNames,
} from "../../client/places/place_names.ts";
import { FLAGS } from "./photo_lists.ts";
import type { Flagged, LibraryView } from "./library_view.ts";
import { localTime } from "./photo_table.ts";
import { namesFor } from "./place_names.ts";

/** Something to search for or to open. */
export type Suggestion =
  | { readonly kind: "camera" | "town"; readonly name: string }
  /** ISO 3166-1 alpha-2. */
  | { readonly kind: "country"; readonly code: string }
  | {
    readonly kind: "album" | "collection";
    readonly id: string;
    readonly title: string;
  }
  /** Months since the year 0. */
  | { readonly kind: "month"; readonly month: number };

/** Lists that are offered where they have photos. */
export type OfferedList = "favourites" | "videos" | "screenshots" | "hidden";

/** What a search that is being typed is offered. */
export interface Suggestions {
  readonly lists: readonly OfferedList[];
  readonly found: readonly Suggestion[];
}

const MOST = 8;
const MOST_MONTHS = 4;
const MOST_UNASKED = 3;

/**
 * Suggestions that match a typed text; the most frequent ones for an empty
 * text.
 */
export function suggestionsFor(
  view: LibraryView,
  typed: string,
): readonly Suggestion[] {
  const { library } = view;
  const rows = view.rowsOf({ kind: "library" });
  const words = typed.normalize("NFC").toLowerCase().split(/\s+/)
    .filter((word) => word !== "");
  const fits = (text: string) => {
    const lower = text.normalize("NFC").toLowerCase();
    return words.every((word) => lower.includes(word));
  };
  const cameras = new Map<string, number>();
  const months = new Set<number>();
  for (const [row] of rows) {
    const date = new Date(localTime(row));
    months.add(date.getUTCFullYear() * 12 + date.getUTCMonth());
    const model = row.metadata?.camera?.model;
    if (model) cameras.set(model, (cameras.get(model) ?? 0) + 1);
  }
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
  const named = [...cameras].toSorted(([, a], [, b]) => b - a)
    .filter(([name]) => fits(name))
    .map(([name]) => ({ kind: "camera" as const, name }));
  const names = namesFor(rows.map(([row]) => row), view.changed);
  const placed = names === undefined ? [] : placesIn(rows, names, fits);
  const dated = [...months].filter((month) => fits(namesOf(month)))
    .slice(0, MOST_MONTHS)
    .map((month) => ({ kind: "month" as const, month }));
  // Some of each kind before anything is typed.
  const most = words.length === 0 ? MOST_UNASKED : MOST;
  return [
    ...dated,
    ...placed.slice(0, most),
    ...named.slice(0, most),
    ...lists.slice(0, most),
  ].slice(0, MOST);
}

/** Towns and countries that fit, those of most photos first. */
function placesIn(
  rows: readonly Flagged[],
  names: PlaceNames,
  fits: (text: string) => boolean,
): readonly Suggestion[] {
  const towns = new Map<string, number>();
  const countries = new Map<string, number>();
  const count = (of: Map<string, number>, name: string) =>
    of.set(name, (of.get(name) ?? 0) + 1);
  for (const [{ metadata }] of rows) {
    const town = metadata?.place && names.townOf(metadata.place);
    if (!town) continue;
    count(towns, town.name);
    count(countries, town.country);
  }
  const most = (of: Map<string, number>) =>
    [...of].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  return [
    ...most(countries).filter((code) => fits(countryText(code)))
      .map((code) => ({ kind: "country" as const, code })),
    ...most(towns).filter((name) => fits(`${name} ${plainText(name)}`))
      .map((name) => ({ kind: "town" as const, name })),
  ];
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
