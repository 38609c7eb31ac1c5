/**
 * The command line. Exit status: 0 done, 1 refused or failed, 2 usage; the
 * commands for people have more (`person/faults.ts`).
 *
 * @module
 */
import { Command, CommanderError } from "commander";
import type { Argon2Cost } from "../client/keys/argon2.ts";
import { VERSION } from "../core/version.ts";
import { OperatorFault } from "../core/operator.ts";
import type { Platform } from "../core/platform.ts";
import { ConfigFault } from "../core/settings.ts";
import type { Host } from "../server/host.ts";
import { isJournal, withSeverity } from "../server/log/journal_severities.ts";
import { type LogStyle, spoken } from "../server/log/logging.ts";
import { StoreFault } from "../store/failure.ts";
import type { Environment } from "./environment.ts";
import { failureInWords, ServerFault } from "./failure.ts";
import type { AddCommands, CommandContext } from "./verb.ts";
import { type Streams, writeOut } from "./streams.ts";

const USAGE = 2;

type Load = () => Promise<AddCommands>;

/** The commands for people: every name that is not an operator's. */
const PEOPLE: Load = () =>
  import("./person/commands.ts").then((m) => m.addPeopleCommands);

/**
 * The operator's commands, in the order in which `--help` lists them. Each is
 * loaded when it is named, so that no start pays for the others.
 */
const OPERATOR: ReadonlyMap<string, Load> = new Map<string, Load>([
  ["serve", () => import("./serve.ts").then((m) => m.addServeCommand)],
  ["init", () => import("./operator/init.ts").then((m) => m.addInitCommand)],
  [
    "config",
    () => import("./operator/config.ts").then((m) => m.addConfigCommands),
  ],
  [
    "doctor",
    () => import("./operator/doctor.ts").then((m) => m.addDoctorCommand),
  ],
  [
    "account",
    () => import("./operator/account.ts").then((m) => m.addAccountCommands),
  ],
  [
    "asset",
    () => import("./operator/asset.ts").then((m) => m.addAssetCommands),
  ],
  ["report", () => import("./report.ts").then((m) => m.addReportCommands)],
  ["peer", () => import("./operator/peer.ts").then((m) => m.addPeerCommands)],
  [
    "backup",
    () => import("./backup/backup.ts").then((m) => m.addBackupCommands),
  ],
  [
    "restore",
    () => import("./backup/restore.ts").then((m) => m.addRestoreCommand),
  ],
  [
    "rollback",
    () => import("./backup/rollback.ts").then((m) => m.addRollbackCommand),
  ],
  [
    "adopt-copy",
    () => import("./operator/adopt_copy.ts").then((m) => m.addAdoptCopyCommand),
  ],
  ["keys", () => import("./operator/keys.ts").then((m) => m.addKeyCommands)],
  [
    "deprecation",
    () =>
      import("./operator/deprecation.ts").then((m) => m.addDeprecationCommands),
  ],
  ["check", () => import("./operator/check.ts").then((m) => m.addCheckCommand)],
  ["gc", () => import("./operator/gc.ts").then((m) => m.addGcCommand)],
  ["blobs", () => import("./operator/blobs.ts").then((m) => m.addBlobCommands)],
  [
    "receipts",
    () => import("./operator/receipts.ts").then((m) => m.addReceiptCommands),
  ],
  ["log", () => import("./operator/log.ts").then((m) => m.addLogCommands)],
  [
    "witness",
    () => import("./operator/witness.ts").then((m) => m.addWitnessCommands),
  ],
  [
    "notify",
    () => import("./operator/notify.ts").then((m) => m.addNotifyCommands),
  ],
  [
    "operator",
    () =>
      import("./operator/operator_log.ts").then((m) => m.addOperatorCommands),
  ],
  ["openapi", () => import("./about.ts").then((m) => m.addOpenApiCommand)],
  ["version", () => import("./about.ts").then((m) => m.addVersionCommand)],
  [
    "completions",
    () => import("./completions.ts").then((m) => m.addCompletionsCommand),
  ],
  [
    "healthcheck",
    () =>
      import("./operator/healthcheck.ts").then((m) => m.addHealthcheckCommand),
  ],
]);

/** The command that runs when none is named. */
const DEFAULT = "serve";

/**
 * Every command with its arguments and options, and nothing run: what the
 * manual and the shells' completions are made of, too.
 */
export function declareProgram(context: CommandContext): Promise<Command> {
  return declare(context, [PEOPLE, ...OPERATOR.values()]);
}

async function declare(
  context: CommandContext,
  families: readonly Load[],
  prepare: (program: Command) => void = () => {},
): Promise<Command> {
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
  const adds = await Promise.all(families.map((load) => load()));
  for (const add of adds) add(program, context);
  return program;
}

/** The families that a command line needs. */
function familiesFor(args: readonly string[]): readonly Load[] {
  const [name = DEFAULT] = args;
  const all = [PEOPLE, ...OPERATOR.values()];
  if (name === "help" || name === "completions") return all;
  if (!name.startsWith("-")) return [OPERATOR.get(name) ?? PEOPLE];
  if (args.includes("--help") || args.includes("-h")) return all;
  if (name === "--version" || name === "-V") return [];
  return [OPERATOR.get(DEFAULT) ?? PEOPLE];
}

/** What a program gets if it does not run as a process of its own. */
interface Given {
  readonly streams: Streams;
  readonly environment: Environment;
  /** For a server. */
  readonly host?: Host;
  /** The cost of a guess at a passphrase; the suite's by default. */
  readonly passphraseCost?: Argon2Cost;
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
  const program = await declare(
    {
      platform,
      streams,
      environment: given?.environment,
      host: given?.host,
      passphraseCost: given?.passphraseCost,
      say,
      warn,
      endWith,
    },
    familiesFor(args),
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
