/**
 * The command line. Exit status: 0 done, 1 refused or failed, 2 usage; the
 * commands for people have more (`people/faults.ts`).
 *
 * @module
 */
import { Command, CommanderError } from "commander";
import { VERSION } from "../app.ts";
import { OperatorFault } from "../core/operator.ts";
import type { Platform } from "../core/platform.ts";
import { ConfigFault } from "../core/settings.ts";
import { isJournal, withSeverity } from "../server/journal.ts";
import { type LogStyle, spoken } from "../server/logging.ts";
import { StoreFault } from "../store/database.ts";
import { addAboutCommands } from "./about.ts";
import { addAccountCommands } from "./account.ts";
import { addAssetCommands } from "./asset.ts";
import { addBackupCommands } from "./backup.ts";
import { addCheckCommand } from "./check.ts";
import { addCompletionsCommand } from "./completions.ts";
import { addConfigCommands } from "./config.ts";
import { addDeprecationCommands } from "./deprecation.ts";
import { addDoctorCommand } from "./doctor.ts";
import { failureInWords } from "./failure.ts";
import { addGcCommand } from "./gc.ts";
import { addHealthcheckCommand } from "./healthcheck.ts";
import { addInitCommand } from "./init.ts";
import { addKeyCommands } from "./keys.ts";
import type { AddCommands, CommandContext } from "./operator.ts";
import { addPeerCommands } from "./peer.ts";
import { addPeopleCommands } from "./people/commands.ts";
import { addReceiptCommands } from "./receipts.ts";
import { addReportCommands } from "./report.ts";
import { addRestoreCommand } from "./restore.ts";
import { addServeCommand, ServerFault } from "./serve.ts";
import { writeOut } from "./streams.ts";

const USAGE = 2;

/** The families of commands, in the order in which `--help` lists them. */
const FAMILIES: readonly AddCommands[] = [
  addPeopleCommands,
  addServeCommand,
  addInitCommand,
  addConfigCommands,
  addDoctorCommand,
  addAccountCommands,
  addAssetCommands,
  addReportCommands,
  addPeerCommands,
  addBackupCommands,
  addRestoreCommand,
  addKeyCommands,
  addDeprecationCommands,
  addCheckCommand,
  addGcCommand,
  addReceiptCommands,
  addAboutCommands,
  addCompletionsCommand,
  addHealthcheckCommand,
];

/**
 * Every command with its arguments and options, and nothing run: what the
 * manual and the shells' completions are made of, too.
 */
export function declareProgram(context: CommandContext): Command {
  const program = new Command("strongroom")
    .description(
      "Keeps photos and files end-to-end encrypted and shares them.",
    )
    .version(VERSION, "-V, --version")
    // What stands behind a command is that command's, or its subcommand's.
    .enablePositionalOptions()
    .exitOverride();
  for (const add of FAMILIES) add(program, context);
  return program;
}

/** Runs a command line to its end; resolves to the exit status. */
export async function runProgram(
  args: readonly string[],
  platform: Platform,
): Promise<number> {
  let status = 0;
  const endWith = (end: number) => status = end;
  const program = declareProgram({ platform, say, warn, endWith });
  const [name] = args;
  if (name !== undefined && isNoCommand(program, name)) {
    warn(`there is no command ${JSON.stringify(name)}: see strongroom --help`);
    return USAGE;
  }
  try {
    await program.parseAsync(args, { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? 0 : USAGE;
    }
    // Whoever read along has enough, as `head` has.
    if (error instanceof Deno.errors.BrokenPipe) return 1;
    if (!(error instanceof ServerFault)) {
      for (const line of complaintsOf(error)) warn(line);
      return 1;
    }
    const { cause, style, status } = error;
    for (const line of complaintsOf(cause)) fail(line, style, platform.now());
    return status;
  }
}

/** What is no command would be taken for an argument of the default one. */
function isNoCommand(program: Command, name: string): boolean {
  return !name.startsWith("-") && name !== "help" &&
    program.commands.every((command) => command.name() !== name);
}

/** One line to whoever started the program. */
function say(line: string): void {
  writeOut(new TextEncoder().encode(`${line}\n`));
}

/** One line beside the answer. */
function warn(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`strongroom: ${line}\n`));
}

/** Why the server ended, among the lines of its log. */
function fail(line: string, style: LogStyle, now: number): void {
  const words = style === "pretty" ? `strongroom: ${line}` : line;
  const text = withSeverity(
    spoken(words, "fatal", style, now),
    "fatal",
    isJournal(),
  );
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** A line each. */
function complaintsOf(error: unknown): readonly string[] {
  return error instanceof ConfigFault
    ? error.faults
    : error instanceof Deno.errors.NotCapable
    ? [
      `${error.message}: settings in the environment, not on the command ` +
      "line, are what `deno task start` takes its permissions from",
    ]
    : error instanceof StoreFault || error instanceof OperatorFault
    ? [error.message]
    : [failureInWords(error) ?? faultOfOurs(error)];
}

/** With all that a report of it needs. */
function faultOfOurs(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}
