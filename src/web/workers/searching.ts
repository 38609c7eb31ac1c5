/**
 * Searching, which is loaded when somebody searches.
 *
 * @module
 */
import type { Library } from "../../client/library/mod.ts";
import { searched } from "../../client/library/search.ts";
import { knownOf } from "../../client/library/search_known.ts";
import type { Flagged } from "./library_view.ts";

/** Those of the rows that a query finds, in their order. */
export function searchIn(
  library: Library,
  rows: readonly Flagged[],
  query: string,
): readonly Flagged[] {
  const { platform } = library.vault.session;
  const known = knownOf(library, platform.now());
  return searched(rows, ([row]) => row, query, known);
}
