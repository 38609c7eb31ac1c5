/**
 * The command line. Exit status: 0 done, 1 refused or failed, 2 usage; the
 * commands for people have more (`people/faults.ts`).
 *
 * @module
 */
import { Command, CommanderError } from "commander";
import { NAME, VERSION } from "../app.ts";
import { OperatorFault } from "../core/operator.ts";
import type { Platform } from "../core/platform.ts";
import { ConfigFault } from "../core/settings.ts";
import type { Host } from "../server/host.ts";
import { isJournal, withSeverity } from "../server/log/journal_severities.ts";
import { type LogStyle, spoken } from "../server/log/logging.ts";
import { StoreFault } from "../store/sqlite/database.ts";
import { addAccountCommands } from "./operator/account.ts";
import { addAssetCommands } from "./operator/asset.ts";
import { addBackupCommands } from "./backup/backup.ts";
import { addBlobCommands } from "./operator/blobs.ts";
import { addCheckCommand } from "./operator/check.ts";
import { addCompletionsCommand } from "./completions.ts";
import { addConfigCommands } from "./operator/config.ts";
import { addDeprecationCommands } from "./operator/deprecation.ts";
import { addDoctorCommand } from "./operator/doctor.ts";
import type { Environment } from "./environment.ts";
import { failureInWords } from "./failure.ts";
import { addGcCommand } from "./operator/gc.ts";
import { addHealthcheckCommand } from "./operator/healthcheck.ts";
import { addInitCommand } from "./operator/init.ts";
import { addKeyCommands } from "./operator/keys.ts";
import { addLogCommands } from "./operator/log.ts";
import type { AddCommands, CommandContext } from "./operator/operator.ts";
import { addPeerCommands } from "./operator/peer.ts";
import { addPeopleCommands } from "./person/commands.ts";
import { addReceiptCommands } from "./operator/receipts.ts";
import { addReportCommands } from "./report.ts";
import { addRestoreCommand } from "./backup/restore.ts";
import { addAdoptCopyCommand } from "./operator/adopt_copy.ts";
import { addRollbackCommand } from "./backup/rollback.ts";
import { addServeCommand, ServerFault } from "./serve.ts";
import { type Streams, writeOut } from "./streams.ts";
import { addOperatorCommands } from "./operator/operator_log.ts";
import { addNotifyCommands } from "./operator/notify.ts";
import { addWitnessCommands } from "./operator/witness.ts";
import { PROTOCOL_MAX, PROTOCOL_MIN } from "../core/protocol.ts";
import { openApiDocument } from "../http/openapi/openapi.ts";
import { ROUTES } from "../routes.ts";
import { SCHEMA } from "../store/sqlite/migrations.ts";
import { addVerbs, type Verb } from "./verb.ts";

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
  addRollbackCommand,
  addAdoptCopyCommand,
  addKeyCommands,
  addDeprecationCommands,
  addCheckCommand,
  addGcCommand,
  addBlobCommands,
  addReceiptCommands,
  addLogCommands,
  addWitnessCommands,
  addNotifyCommands,
  addOperatorCommands,
  addAboutCommands,
  addCompletionsCommand,
  addHealthcheckCommand,
];

/**
 * Every command with its arguments and options, and nothing run: what the
 * manual and the shells' completions are made of, too.
 */
export function declareProgram(
  context: CommandContext,
  prepare: (program: Command) => void = () => {},
): Command {
  const program = new Command("strongroom")
    .description(
      "Stores and shares photos and files, end-to-end encrypted.",
    )
    .version(VERSION, "-V, --version")
    // What stands behind a command is that command's, or its subcommand's.
    .enablePositionalOptions()
    .exitOverride();
  // Commands inherit it when they are added.
  prepare(program);
  for (const add of FAMILIES) add(program, context);
  return program;
}

/** What a program gets if it does not run as a process of its own. */
export interface Given {
  readonly streams: Streams;
  readonly environment: Environment;
  /** For a server. */
  readonly host?: Host;
}

/** Runs a command line to its end; resolves to the exit status. */
export async function runProgram(
  args: readonly string[],
  platform: Platform,
  given?: Given,
): Promise<number> {
  const streams = given?.streams ?? Deno;
  let status = 0;
  const endWith = (end: number) => status = end;
  const put = (text: string, to: "stdout" | "stderr") =>
    writeOut(new TextEncoder().encode(text), streams[to]);
  const say = (line: string) => put(`${line}\n`, "stdout");
  const warn = (line: string) => put(`strongroom: ${line}\n`, "stderr");
  const program = declareProgram(
    {
      platform,
      streams,
      environment: given?.environment,
      host: given?.host,
      say,
      warn,
      endWith,
    },
    (command) =>
      given === undefined
        ? command.configureOutput({ outputError: sayUsage })
        : writeTo(command, put),
  );
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
    // The reader of the output has closed it, as `head` does.
    if (error instanceof Deno.errors.BrokenPipe) return 1;
    if (!(error instanceof ServerFault)) {
      for (const line of complaintsOf(error)) warn(line);
      return 1;
    }
    const { cause, style, status } = error;
    for (const line of complaintsOf(cause)) {
      put(`${fatal(line, style, platform.now())}\n`, "stderr");
    }
    return status;
  }
}

/** What is no command would be taken for an argument of the default one. */
function isNoCommand(program: Command, name: string): boolean {
  return !name.startsWith("-") && name !== "help" &&
    program.commands.every((command) => command.name() !== name);
}

/** A fault of usage in the form of every other complaint. */
function sayUsage(text: string, write: (text: string) => void): void {
  write(text.replace(/^error: /, "strongroom: "));
}

/** Has help and faults of usage written where everything else is. */
function writeTo(
  command: Command,
  put: (text: string, to: "stdout" | "stderr") => void,
): void {
  command.configureOutput({
    outputError: sayUsage,
    writeOut: (text) => put(text, "stdout"),
    writeErr: (text) => put(text, "stderr"),
    // As where the output is no terminal.
    getOutHelpWidth: () => 80,
    getErrHelpWidth: () => 80,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
}

/** Why the server ended, as a line of its log. */
function fatal(line: string, style: LogStyle, now: number): string {
  const words = style === "pretty" ? `strongroom: ${line}` : line;
  return withSeverity(
    spoken(words, "fatal", style, now),
    "fatal",
    isJournal(),
  );
}

/** A line each. */
function complaintsOf(error: unknown): readonly string[] {
  return error instanceof ConfigFault
    ? error.faults
    : error instanceof Deno.errors.NotCapable
    ? [
      `${error.message}: put settings into the environment, not on the ` +
      "command line, because `deno task start` derives its permissions " +
      "from there",
    ]
    : error instanceof StoreFault || error instanceof OperatorFault
    ? [error.message]
    : [failureInWords(error) ?? faultOfOurs(error)];
}

/** With all that a report of it needs. */
function faultOfOurs(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

/** Adds `openapi` and `version` to the program; neither looks at any data. */
function addAboutCommands(
  program: Command,
  context: CommandContext,
): void {
  addVerbs(program, context, VERBS);
}

const VERBS: readonly Verb[] = [
  {
    usage: "openapi",
    description: "print the API as OpenAPI 3.1, the same as /openapi.json",
    example: "openapi > openapi.json",
    run() {
      const specs = ROUTES.map(({ spec }) => spec);
      const json = openApiDocument(specs, VERSION);
      return { json, lines: [JSON.stringify(json)] };
    },
  },
  {
    usage: "version",
    description:
      "print the version of the program, its database schema and its " +
      "protocol",
    example: "version --json",
    run() {
      const protocol = { min: PROTOCOL_MIN, max: PROTOCOL_MAX };
      const deno = Deno.version.deno;
      return {
        json: { name: NAME, version: VERSION, schema: SCHEMA, deno, protocol },
        lines: [
          `${NAME} ${VERSION}`,
          `database schema ${SCHEMA}`,
          `protocol ${protocol.min} to ${protocol.max}`,
          `deno ${deno}`,
        ],
      };
    },
  },
];
