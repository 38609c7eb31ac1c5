/**
 * The configuration from the command line, the environment and its file.
 *
 * @module
 */
import { dirname, resolve } from "node:path";
import { type Config, readConfig, settingPages } from "../config.ts";
import { ConfigFault, parseEnvFile } from "../core/settings.ts";

export interface Overrides {
  readonly dataDir?: string;
  readonly envFile?: string;
}

/**
 * Reads the configuration: the command line wins over the environment, which
 * wins over the file. Throws a {@link ConfigFault} that names every fault. The
 * data directory comes out absolute.
 */
export function loadConfig(overrides: Overrides = {}): Config {
  const environment = readEnvironment();
  const dataDir = overrides.dataDir ?? environment["STRONGROOM_DATA_DIR"] ??
    "./data";
  const file = readEnvFile(overrides.envFile, defaultEnvFile(dataDir));
  const config = readConfig({
    ...file,
    ...environment,
    ...(overrides.dataDir === undefined
      ? {}
      : { STRONGROOM_DATA_DIR: overrides.dataDir }),
  });
  return {
    ...config,
    STRONGROOM_DATA_DIR: resolve(config.STRONGROOM_DATA_DIR),
  };
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

function readEnvFile(
  named: string | undefined,
  standard: string,
): Record<string, string> {
  try {
    return parseEnvFile(Deno.readTextFileSync(named ?? standard));
  } catch (error) {
    if (error instanceof ConfigFault) throw error;
    if (named === undefined && error instanceof Deno.errors.NotFound) return {};
    throw new ConfigFault([
      `${named ?? standard}: cannot be read (${
        error instanceof Error ? error.message : String(error)
      })`,
    ]);
  }
}
