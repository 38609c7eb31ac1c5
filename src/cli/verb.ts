/**
 * How a command is declared: as a row of its family's table, with what it does
 * and what it says.
 *
 * @module
 */
import type { Command } from "commander";
import type { Config } from "../config.ts";
import type { ServiceContext } from "../features/service_context.ts";
import type { Argon2Cost } from "../client/keys/argon2.ts";
import type { Access } from "../store/sqlite/database.ts";
import type { Platform } from "../core/platform.ts";
import type { Host } from "../server/host.ts";
import type { Environment, Overrides } from "./environment.ts";
import type { Streams } from "./streams.ts";

/** What a command has of the program that runs it. */
export interface CommandContext {
  readonly platform: Platform;
  readonly streams: Streams;
  /** The process's own where it is not given. */
  readonly environment?: Environment | undefined;
  /** What the server has of its process; all of it where it is not given. */
  readonly host?: Host | undefined;
  /** The cost of a guess at a passphrase; the suite's by default. */
  readonly passphraseCost?: Argon2Cost | undefined;
  /** Writes a line to standard output. */
  readonly say: (line: string) => void;
  /** Writes a line to standard error; nothing is refused by it. */
  readonly warn: (line: string) => void;
  /** The exit status of a command that was done and has bad news. */
  readonly endWith: (status: number) => void;
}

/** Adds a family of commands to the program. */
export type AddCommands = (program: Command, context: CommandContext) => void;

/** The options of every operator's command. */
export interface OperatorOptions extends Overrides {
  readonly json?: true;
}

/** What the option of the settings' file says in `--help`. */
export const ENV_FILE_HELP =
  "the file with the settings; default: strongroom.env next to the " +
  "data directory if it names that directory, otherwise " +
  "/etc/strongroom/strongroom.env";

/** What a verb answers. */
export interface Said {
  /** With `--json`: one line, with the field names of the wire. */
  readonly json: unknown;
  /** Else, for people. */
  readonly lines: readonly string[];
  /** For standard error, behind the answer. */
  readonly warnings?: readonly string[];
  /** It was done, and there is bad news: the exit status is 1. */
  readonly isBad?: boolean;
}

/** What a verb is called with, other than the command line's arguments. */
export interface Call<Options extends object = object> extends CommandContext {
  readonly options: OperatorOptions & Options;
}

/** The same for a verb that works on the database. */
export interface DatabaseCall<Options extends object = object>
  extends Call<Options>, ServiceContext {
  readonly config: Config;
}

/** An option's flags and its help; without a required one nothing is done. */
type OptionRow = readonly [flags: string, help: string, need?: "required"];

interface Declared {
  /** Its name and its arguments, as `--help` shows them. */
  readonly usage: string;
  readonly description: string;
  /** Arguments that the usage does not name, with what each is. */
  readonly arguments?: readonly (readonly [term: string, help: string])[];
  /** In addition to the options of every command. */
  readonly options?: readonly OptionRow[];
  /** One command line, without the program's name. */
  readonly example: string;
  /** `--help` does not list it. */
  readonly isHidden?: true;
}

/** A verb that opens what it needs by itself. */
interface PlainVerb extends Declared {
  readonly access?: undefined;
  run(call: Call, ...given: string[]): Promise<Said | void> | Said | void;
}

/** A verb on the database of a server that may be running meanwhile. */
interface DatabaseVerb extends Declared {
  /** `read` changes nothing, and works on a disk that takes no writes. */
  readonly access: Access;
  run(call: DatabaseCall, ...given: string[]): Promise<Said | void>;
}

/**
 * A row of a family's table. `run` is a method, so that a row may name the
 * options and the arguments that it declares.
 */
export type Verb = PlainVerb | DatabaseVerb;

/** Adds verbs to a family, or to the program itself. */
export function addVerbs(
  family: Command,
  context: CommandContext,
  verbs: readonly Verb[],
): void {
  for (const verb of verbs) addVerb(family, context, verb);
}

/** Adds one verb; returns its command. */
export function addVerb(
  family: Command,
  context: CommandContext,
  verb: Verb,
): Command {
  const command = family
    .command(verb.usage, { hidden: verb.isHidden === true })
    .description(verb.description);
  for (const [term, help] of verb.arguments ?? []) command.argument(term, help);
  for (const [flags, help, need] of verb.options ?? []) {
    if (need === "required") command.requiredOption(flags, help);
    else command.option(flags, help);
  }
  return command
    .option(
      "--data-dir <path>",
      "the data directory, instead of STRONGROOM_DATA_DIR",
    )
    .option("--env-file <path>", ENV_FILE_HELP)
    .option("--json", "print one line of JSON")
    .addHelpText("after", `\nExample:\n  strongroom ${verb.example}`)
    .action(async () => {
      const { environment } = context;
      const options: OperatorOptions = {
        ...command.opts(),
        ...(environment === undefined ? {} : { environment }),
      };
      const said = await run(verb, { ...context, options }, command.args);
      if (said !== undefined) answer(context, options, said);
    });
}

async function run(
  verb: Verb,
  call: Call,
  given: readonly string[],
): Promise<Said | void> {
  if (verb.access === undefined) return await verb.run(call, ...given);
  const { serviceContextOf, withDatabase } = await import(
    "./operator/own_database.ts"
  );
  return await withDatabase(
    verb.access,
    call.options,
    async (db, config) => {
      const context = await serviceContextOf(db, config, call.platform);
      return await verb.run({ ...call, ...context, config }, ...given);
    },
  );
}

function answer(
  { say, warn, endWith }: CommandContext,
  options: OperatorOptions,
  { json, lines, warnings = [], isBad = false }: Said,
): void {
  if (options.json) say(JSON.stringify(json));
  else for (const line of lines) say(line);
  for (const line of warnings) warn(line);
  if (isBad) endWith(1);
}

/** Says rows as they are read: a line each, or all in one object of JSON. */
export async function sayRows<Row>(
  { options, say }: Call,
  pages: AsyncIterable<readonly Row[]>,
  { name, toJson, toLine, none }: {
    /** The array's name in JSON. */
    readonly name: string;
    readonly toJson: (row: Row) => unknown;
    readonly toLine: (row: Row) => string;
    /** The line for people where there is no row. */
    readonly none: string;
  },
): Promise<void> {
  const rows: unknown[] = [];
  let found = 0;
  for await (const page of pages) {
    found += page.length;
    for (const row of page) {
      if (options.json) rows.push(toJson(row));
      else say(toLine(row));
    }
  }
  if (options.json) say(JSON.stringify({ [name]: rows }));
  else if (found === 0) say(none);
}
