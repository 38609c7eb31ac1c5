/**
 * How a command for people is declared: as a row of its family's table. What a
 * row does is loaded when it is run, so that the server's start does not pay
 * for it.
 *
 * @module
 */
import type { Command } from "commander";
import type { CommandContext } from "../verb.ts";
import {
  type CliContext,
  type CliOptions,
  type OpenProfile,
  withCliContext,
  withProfile,
} from "./cli_context.ts";

/** Of commands that make a link. */
export const QR = ["--qr", "also show the link as a QR code"] as const;

interface Declared {
  /** Its name and its arguments, as `--help` shows them. */
  readonly usage: string;
  readonly alias?: string;
  readonly description: string;
  /** In addition to the options of every command: flags, help, the default. */
  readonly options?: readonly (readonly [
    flags: string,
    help: string,
    otherwise?: string,
  ])[];
  /** One command line, without the program's name. */
  readonly example: string;
}

interface PersonRow extends Declared {
  readonly needs?: undefined;
  run(
    cli: CliContext,
    options: CliOptions,
    ...given: readonly (string | string[] | undefined)[]
  ): Promise<void>;
}

interface ProfileRow extends Declared {
  /** It also runs when no one is signed in. */
  readonly needs: "profile";
  run(
    profile: OpenProfile,
    options: CliOptions,
    ...given: readonly (string | string[] | undefined)[]
  ): Promise<void>;
}

/**
 * A row of a family's table. `run` is a method, so that a row may name the
 * options and the arguments that it declares.
 */
export type Row = PersonRow | ProfileRow;

/** Adds rows to a family, or to the program itself. */
export function addRows(
  family: Command,
  context: CommandContext,
  rows: readonly Row[],
): void {
  for (const row of rows) addRow(family, context, row);
}

function addRow(family: Command, context: CommandContext, row: Row): void {
  const command = family.command(row.usage).description(row.description);
  if (row.alias !== undefined) command.alias(row.alias);
  for (const [flags, help, otherwise] of row.options ?? []) {
    if (otherwise === undefined) command.option(flags, help);
    else command.option(flags, help, otherwise);
  }
  command
    .option(
      "--profile <name>",
      "one of several accounts on this machine",
      "default",
    )
    .option(
      "--secret-file <path>",
      "a file with the phrase that encrypts the keys on this machine; " +
        "default: ROOM_SECRET_FILE, or a unit's credential " +
        "strongroom-phrase",
    )
    .option("--json", "print one JSON event per line")
    .addHelpText("after", `\nExample:\n  strongroom ${row.example}`)
    .action(async () => {
      const options: CliOptions = command.opts();
      const given: (string | string[] | undefined)[] = command.processedArgs;
      if (row.needs === "profile") {
        await withProfile(
          context,
          options,
          (profile) => row.run(profile, options, ...given),
        );
      } else {
        await withCliContext(
          context,
          options,
          (cli) => row.run(cli, options, ...given),
        );
      }
    });
}
