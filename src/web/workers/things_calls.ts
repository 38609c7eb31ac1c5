/**
 * The vault's calls about the things in photos.
 *
 * @module
 */
import type { Row } from "../../client/library/mod.ts";
import type { VaultContext } from "./context.ts";
import { type FindingsCalls, findingsCalls } from "./findings_calls.ts";
import { things } from "./findings_loader.ts";
import { pictureOf } from "./photo_table.ts";

/** The calls of the group `things`; a thing is its number. */
export function thingsCalls(context: VaultContext): FindingsCalls<Uint8Array> {
  return findingsCalls(context, things, (row: Row) => pictureOf(row));
}
