/**
 * Searching, which is loaded when somebody searches.
 *
 * @module
 */
import type { Library, Row } from "../../client/library/mod.ts";
import { searched } from "../../client/library/search.ts";
import { knownOf } from "../../client/library/search_known.ts";
import { namesFor } from "./place_names.ts";

/**
 * Those of the rows that a query finds, in their order. By their places they are
 * found once the names are here, and `onNames` was called.
 */
export function searchIn<T extends readonly [row: Row, ...unknown[]]>(
  library: Library,
  rows: readonly T[],
  query: string,
  onNames: () => void,
): readonly T[] {
  const { platform } = library.vault.session;
  const names = namesFor(library.index.rows(), onNames);
  const known = knownOf(library, platform.now(), names);
  return searched(rows, ([row]) => row, query, known);
}
