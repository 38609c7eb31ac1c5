/**
 * The vault's calls about the things in photos.
 *
 * @module
 */
import type { Row } from "../../../library/mod.ts";
import type { VaultContext } from "../vault/context.ts";
import { type FindingsCalls, findingsCalls } from "./findings_calls.ts";
import { things } from "./findings_loader.ts";
import { pictureOf } from "../library/photo_table.ts";

/** The calls of the group `things`; a thing is its number. */
export function thingsCalls(context: VaultContext): FindingsCalls<Uint8Array> {
  return findingsCalls(context, things, (row: Row) => pictureOf(row));
}
