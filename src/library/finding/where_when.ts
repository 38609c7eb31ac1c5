/**
 * Where and when some photos were taken, in as few words as a line has room
 * for.
 *
 * @module
 */
import { localDay, type Row } from "../rows/rows.ts";
import type { PlaceNames } from "./place_names.ts";

/** What tells the town of a place. */
export type Towns = Pick<PlaceNames, "townOf">;

/** A town by its name, or a country by its code (ISO 3166-1 alpha-2). */
type Where =
  | { readonly town: string }
  | { readonly country: string };

/** What some photos have in common. */
export interface WhereWhen {
  /** Those of most photos first; none if nothing is known. */
  readonly where: readonly Where[];
  /** The local times of the first and the last, as if they were UTC (ms). */
  readonly from?: number;
  readonly until?: number;
}

/** More towns are called by their country. */
const MOST_TOWNS = 2;
const MOST_COUNTRIES = 3;
/** A place of fewer of the photos is one on the way. */
const LEAST_SHARE = 0.1;

/** What is known of rows; without names only when they were taken. */
export function whereWhen(
  rows: readonly Row[],
  names: Towns | undefined,
): WhereWhen {
  let from = Infinity;
  let until = -Infinity;
  for (const row of rows) {
    // When something was stored says nothing about the photo.
    if (row.metadata?.taken_at === undefined) continue;
    const at = localDay(row).getTime();
    from = Math.min(from, at);
    until = Math.max(until, at);
  }
  return {
    where: names === undefined ? [] : placesOf(rows, names),
    ...(from <= until ? { from, until } : {}),
  };
}

function placesOf(rows: readonly Row[], names: Towns): readonly Where[] {
  const towns = new Map<string, number>();
  const countries = new Map<string, number>();
  let placed = 0;
  for (const { metadata } of rows) {
    const town = metadata?.place && names.townOf(metadata.place);
    if (!town) continue;
    placed++;
    towns.set(town.name, (towns.get(town.name) ?? 0) + 1);
    countries.set(town.country, (countries.get(town.country) ?? 0) + 1);
  }
  const often = (counted: ReadonlyMap<string, number>) =>
    [...counted].filter(([, n]) => n >= placed * LEAST_SHARE)
      .toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  const [inTowns, inCountries] = [often(towns), often(countries)];
  // Where nothing happened often, the countries still say something.
  return inTowns.length > 0 && inTowns.length <= MOST_TOWNS
    ? inTowns.map((town) => ({ town }))
    : inCountries.slice(0, MOST_COUNTRIES).map((country) => ({ country }));
}
