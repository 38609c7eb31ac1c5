/**
 * Searching, which is loaded when somebody searches.
 *
 * @module
 */
import type { Library, Row } from "../../client/library/mod.ts";
import { searched } from "../../client/library/search.ts";
import { knownOf } from "../../client/library/search_known.ts";

/** Those of the rows that a query finds, in their order. */
export function searchIn<T extends readonly [row: Row, ...unknown[]]>(
  library: Library,
  rows: readonly T[],
  query: string,
): readonly T[] {
  const { platform } = library.vault.session;
  const known = knownOf(library, platform.now());
  return searched(rows, ([row]) => row, query, known);
}
