/**
 * `strongroom init`: the first thing that a new operator runs.
 *
 * @module
 */
import { resolve } from "node:path";
import type { Command } from "commander";
import { readSettings } from "../../config.ts";
import { OperatorFault } from "../../core/operator.ts";
import { ConfigFault, type Given } from "../../core/settings.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { dataDirectoryState, refusalOf } from "../../store/health.ts";
import { openStore } from "../../store/store.ts";
import { environmentFile, writeNew } from "../env_file.ts";
import { loadSettings } from "../environment.ts";
import { addVerb, type Call, type CommandContext, type Said } from "../verb.ts";

interface InitOptions {
  readonly baseUrl?: string;
  readonly listen?: string;
}

/** Adds `init` to the program. */
export function addInitCommand(
  program: Command,
  context: CommandContext,
): void {
  addVerb(program, context, {
    usage: "init",
    description:
      "write a commented strongroom.env and create the data directory " +
      "with its keys and database; nothing is overwritten",
    options: [
      ["--base-url <origin>", "write this as STRONGROOM_BASE_URL"],
      ["--listen <places>", "write this as STRONGROOM_LISTEN"],
    ],
    example:
      "init --data-dir /srv/photos/data --base-url https://photos.example.org",
    run: init,
  });
}

async function init({ options, platform }: Call<InitOptions>): Promise<Said> {
  const asked = askedFor(options);
  const loaded = loadSettings(options, { envFile: "optional" });
  const { envFile, envFileRead, settings } = loaded;
  if (loaded.faults.length > 0) throw new ConfigFault(loaded.faults);
  const textOf = (name: string) =>
    settings.find((one) => one.name === name)?.text;
  const dataDir = resolve(textOf("STRONGROOM_DATA_DIR") ?? "./data");
  const isThere = dataDirectoryIsThere(dataDir);
  const differs = [...asked].some(([name, text]) => textOf(name) !== text);
  if (envFileRead && (!isThere || differs)) {
    throw envFileInTheWay(envFile, differs);
  }
  try {
    if (!isThere) {
      const store = await openStore(dataDir, platform, denoFiles);
      await store.close();
    }
    if (!envFileRead) {
      asked.set("STRONGROOM_DATA_DIR", dataDir);
      writeNew(envFile, environmentFile(asked));
    }
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      throw envFileInTheWay(envFile, false);
    }
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    throw new OperatorFault(
      `${dataDir} or ${envFile} cannot be written (${error.message}): ` +
        "run this as the user who will run the server, with permission to " +
        "write there",
    );
  }
  const outcomes = {
    env_file: envFile,
    env_file_outcome: outcome(envFileRead),
    data_dir: dataDir,
    data_dir_outcome: outcome(isThere),
  };
  return { json: outcomes, lines: linesFor(outcomes) };
}

/** The settings that the command line names, checked. */
function askedFor({ baseUrl, listen }: InitOptions): Map<string, string> {
  const texts = new Map<string, string>();
  if (baseUrl !== undefined) texts.set("STRONGROOM_BASE_URL", baseUrl);
  if (listen !== undefined) texts.set("STRONGROOM_LISTEN", listen);
  refuseFaults(texts);
  return texts;
}

/** Throws for a directory that is not to be made, nor there as it should be. */
function dataDirectoryIsThere(dataDir: string): boolean {
  const state = dataDirectoryState(dataDir);
  const refusal = refusalOf(dataDir, state);
  if (refusal === undefined) return state.kind === "ready";
  throw new OperatorFault(`${refusal.what}: ${refusal.mend}`);
}

function envFileInTheWay(envFile: string, differs: boolean): OperatorFault {
  return new OperatorFault(
    `${envFile} already exists and is not overwritten: ` +
      (differs
        ? "write into it what the command line says"
        : "start the server, which creates the data directory that it names") +
      ", or give another file with --env-file",
  );
}

type Outcome = "made" | "kept";

function outcome(wasThere: boolean): Outcome {
  return wasThere ? "kept" : "made";
}

function refuseFaults(texts: ReadonlyMap<string, string>): void {
  const given = new Map<string, Given>();
  for (const [name, text] of texts) {
    given.set(name, { text, source: { kind: "command_line" } });
  }
  const { faults } = readSettings(given);
  if (faults.length > 0) throw new ConfigFault(faults);
}

function linesFor(
  { env_file, env_file_outcome, data_dir, data_dir_outcome }: {
    readonly env_file: string;
    readonly env_file_outcome: Outcome;
    readonly data_dir: string;
    readonly data_dir_outcome: Outcome;
  },
): string[] {
  if (env_file_outcome === "kept" && data_dir_outcome === "kept") {
    return [
      `everything already exists, and nothing was changed: ${env_file}, ` +
      `${data_dir}`,
    ];
  }
  const said = (one: Outcome) => one === "made" ? "made" : "already existed";
  return [
    `${env_file}: ${said(env_file_outcome)}`,
    `${data_dir}: ${said(data_dir_outcome)}`,
    `next: strongroom serve --env-file ${env_file}`,
  ];
}
