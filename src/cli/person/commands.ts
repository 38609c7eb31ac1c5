/**
 * The commands for people; the other ones are for operators.
 *
 * @module
 */
import type { Command } from "commander";
import type { CommandContext } from "../verb.ts";
import { addReceiveCommands } from "../receive/commands.ts";
import { ACCOUNT_ROWS, ORIGIN_ROWS } from "./account/account_rows.ts";
import {
  ARCHIVE_ROWS,
  FAVOURITE_ROWS,
  FILE_ROWS,
  MISSING_ROWS,
  TRASH_ROWS,
} from "./files/file_rows.ts";
import { IMPORT_ROWS } from "./files/import_rows.ts";
import { addRows, type Row } from "./row.ts";
import {
  ALBUM_ROWS,
  CONTACT_ROWS,
  INBOX_ROWS,
  LINK_ROWS,
  SHARING_ROWS,
} from "./sharing/sharing_rows.ts";
import { WITNESS_ROWS } from "./proofs/witness_rows.ts";

const FAMILIES: readonly (readonly [
  name: string,
  description: string,
  rows: readonly Row[],
])[] = [
  ["favourite", "your favourite files", FAVOURITE_ROWS],
  ["archive", "files that are out of the timeline", ARCHIVE_ROWS],
  ["trash", "deleted files that you can still restore", TRASH_ROWS],
  ["missing", "photos that the server lost", MISSING_ROWS],
  [
    "witnesses",
    "the witnesses of the public logs that you trust",
    WITNESS_ROWS,
  ],
  ["links", "the links that you made", LINK_ROWS],
  ["origin", "the address that your links begin with", ORIGIN_ROWS],
  ["inbox", "files that guests have sent", INBOX_ROWS],
  ["contact", "people of other servers", CONTACT_ROWS],
  ["album", "albums with other people", ALBUM_ROWS],
  ["import", "import what another program exported", IMPORT_ROWS],
];

/** Adds the commands for people to the program. */
export function addPeopleCommands(
  program: Command,
  context: CommandContext,
): void {
  program.commandsGroup("People:");
  addRows(program, context, [...ACCOUNT_ROWS, ...FILE_ROWS, ...SHARING_ROWS]);
  for (const [name, description, rows] of FAMILIES) {
    addRows(program.command(name).description(description), context, rows);
  }
  addReceiveCommands(program, context);
  program.commandsGroup("Operator:");
}
