/**
 * The commands for people, beside those of whoever runs a server.
 *
 * @module
 */
import type { Command } from "commander";
import type { CommandContext } from "../operator.ts";
import { ACCOUNT_ROWS } from "./account_rows.ts";
import { FILE_ROWS, TRASH_ROWS } from "./file_rows.ts";
import { IMPORT_ROWS } from "./import_rows.ts";
import { addRows, type Row } from "./row.ts";
import {
  ALBUM_ROWS,
  INBOX_ROWS,
  LINK_ROWS,
  SHARING_ROWS,
} from "./sharing_rows.ts";

const FAMILIES: readonly (readonly [
  name: string,
  description: string,
  rows: readonly Row[],
])[] = [
  ["trash", "what was thrown away and is not gone yet", TRASH_ROWS],
  ["links", "the links you made", LINK_ROWS],
  ["inbox", "what guests have sent", INBOX_ROWS],
  ["album", "albums with other people", ALBUM_ROWS],
  ["import", "take in what another program exported", IMPORT_ROWS],
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
  program.commandsGroup("Operator:");
}
