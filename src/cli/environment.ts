/**
 * The configuration from the command line, the environment and its file.
 *
 * @module
 */
import { dirname, resolve } from "node:path";
import {
  type Config,
  type ConfigReading,
  readSettings,
  settingPages,
} from "../config.ts";
import {
  ConfigFault,
  type EnvFile,
  type Given,
  nearestName,
  parseEnvFile,
  sourceText,
} from "../core/settings.ts";

export interface Overrides {
  readonly dataDir?: string;
  readonly envFile?: string;
}

/** A configuration with everything that can be said of it. */
export interface LoadedSettings extends ConfigReading {
  /** The file that settings may stand in, absolute. */
  readonly envFile: string;
  /** Whether that file is there. */
  readonly envFileRead: boolean;
  /** Names that nobody reads though somebody may think so, a line each. */
  readonly strays: readonly string[];
}

/**
 * Reads the configuration: the command line wins over the environment, which
 * wins over the file. Every fault of all three is named. The data directory
 * comes out absolute. A file that the command line names has to be there, unless
 * it is optional.
 */
export function loadSettings(
  overrides: Overrides = {},
  { envFile: wanted }: { readonly envFile: "required" | "optional" } = {
    envFile: "required",
  },
): LoadedSettings {
  const environment = readEnvironment();
  const dataDir = overrides.dataDir ?? environment["STRONGROOM_DATA_DIR"] ??
    "./data";
  const envFile = resolve(overrides.envFile ?? defaultEnvFile(dataDir));
  const isRequired = overrides.envFile !== undefined && wanted === "required";
  const file = readEnvFile(envFile, isRequired);
  const given = new Map<string, Given>(file?.values);
  for (const [name, text] of Object.entries(environment)) {
    given.set(name, { text, source: { kind: "environment" } });
  }
  if (overrides.dataDir !== undefined) {
    given.set("STRONGROOM_DATA_DIR", {
      text: overrides.dataDir,
      source: { kind: "command_line" },
    });
  }
  const { config, settings, faults } = readSettings(given);
  const all = [
    // It would be the directory that the command happens to be run in.
    ...overrides.dataDir === ""
      ? ["--data-dir is empty: name a directory, or leave the option away"]
      : [],
    ...file?.faults ?? [],
    ...faults,
  ];
  return {
    config: config === undefined || all.length > 0 ? undefined : {
      ...config,
      STRONGROOM_DATA_DIR: resolve(config.STRONGROOM_DATA_DIR),
    },
    settings,
    faults: all,
    envFile,
    envFileRead: file !== undefined,
    strays: straysOf(given),
  };
}

/** The same; throws a {@link ConfigFault} that names every fault. */
export function loadConfig(overrides: Overrides = {}): Config {
  const { config, faults } = loadSettings(overrides);
  if (config === undefined) throw new ConfigFault(faults);
  return config;
}

/**
 * Names that begin with `OIDC_` and are no settings. The environment may hold
 * another program's, so they are no faults.
 */
function straysOf(given: ReadonlyMap<string, Given>): string[] {
  const known = settingPages.map(({ name }) => name);
  return [...given].flatMap(([name, { source }]) => {
    if (!name.startsWith("OIDC_") || known.includes(name)) return [];
    const meant = nearestName(name, known);
    return [
      `${name}: there is no such setting` +
      `${meant === undefined ? "" : `; is ${meant} meant?`} ` +
      `(${sourceText(source)})`,
    ];
  });
}

/** The file that settings may stand in, by default. */
export function defaultEnvFile(dataDir: string): string {
  return `${dirname(resolve(dataDir))}/strongroom.env`;
}

/**
 * The variables of the environment. Where the program may read only its own,
 * whoever gave it that permission has refused unknown names already.
 */
function readEnvironment(): Record<string, string> {
  try {
    return Deno.env.toObject();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
  }
  try {
    return Object.fromEntries(
      settingPages.flatMap(({ name }) => {
        const value = Deno.env.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    throw new ConfigFault([
      "not permitted to read its settings, which `deno task start` grants " +
      "when they have no fault",
    ]);
  }
}

/** Undefined where it is not there and need not be. */
function readEnvFile(path: string, isRequired: boolean): EnvFile | undefined {
  try {
    return parseEnvFile(Deno.readTextFileSync(path), path);
  } catch (error) {
    if (!isRequired && error instanceof Deno.errors.NotFound) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    return {
      values: new Map(),
      faults: [`${path}: cannot be read (${reason})`],
    };
  }
}
