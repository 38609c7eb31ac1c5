/**
 * Searching, which is loaded when somebody searches.
 *
 * @module
 */
import type { Library, Row } from "../../client/library/mod.ts";
import { searched } from "../../client/library/search.ts";
import { knownOf } from "../../client/library/search_known.ts";
import type { PlaceNames } from "../../client/places/place_names.ts";
import { namesFor } from "./place_names.ts";

/** The names of places, once a library had any. */
let names: PlaceNames | undefined;

/** Fetches what {@link searchIn} needs; without a connection, places are not found. */
export async function prepareSearch({ index }: Library): Promise<void> {
  names = await namesFor(index.rows()) ?? names;
}

/** Those of the rows that a query finds, in their order. */
export function searchIn<T extends readonly [row: Row, ...unknown[]]>(
  library: Library,
  rows: readonly T[],
  query: string,
): readonly T[] {
  const { platform } = library.vault.session;
  const known = knownOf(library, platform.now(), names);
  return searched(rows, ([row]) => row, query, known);
}
