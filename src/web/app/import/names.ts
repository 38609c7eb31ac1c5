/**
 * Naming what an import is of.
 *
 * @module
 */
import type { BegunImport } from "../../workers/library/import_calls.ts";
import { shownName } from "../safe_text.ts";

/** Names that are told; an export may have a hundred zips. */
const MOST_NAMED = 3;

/** The first of the zips and folders that were chosen. */
export function namesOf({ names }: BegunImport): string {
  const named = names.slice(0, MOST_NAMED).map(shownName).join(", ");
  return names.length > MOST_NAMED ? `${named}, …` : named;
}
