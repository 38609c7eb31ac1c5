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
import { reasonOf } from "../core/reason.ts";
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
  /** Settings for a home, where nothing else is given. */
  readonly home?: true;
  /** No option: what takes the place of the process's own. */
  readonly environment?: Environment;
}

/**
 * What `--home` stands for: every address of this machine, under a name that
 * phones and computers of the same network find by themselves.
 */
const AT_HOME: Readonly<Record<string, string>> = {
  STRONGROOM_LISTEN: "0.0.0.0:8470",
  STRONGROOM_BASE_URL: "http://strongroom.local:8470",
  STRONGROOM_MDNS: "on",
};

/** The variable in which systemd says where a unit's credentials are. */
export const CREDENTIALS = "CREDENTIALS_DIRECTORY";

/** Settings that name a file which may be a credential. */
const CREDENTIAL_FILES = [
  "STRONGROOM_S3_KEYS_FILE",
  "STRONGROOM_BACKUP_S3_KEYS_FILE",
  "STRONGROOM_BACKUP_PASSPHRASE_FILE",
  "STRONGROOM_BACKUP_KEY_FILE",
  "STRONGROOM_BACKUP_SFTP_KEY_FILE",
] as const;

/** Variables by their names. */
export type Environment = Readonly<Record<string, string>>;

/** A configuration with everything that can be said of it. */
export interface LoadedSettings extends ConfigReading {
  /** The file that settings may stand in, absolute. */
  readonly envFile: string;
  /** Whether that file is there. */
  readonly envFileRead: boolean;
  /** Whether the environment says that a container runs this. */
  readonly isContained: boolean;
  /** Names that no setting has, such as misspelt ones, a line each. */
  readonly strays: readonly string[];
}

/**
 * Reads the configuration: the command line wins over the environment, which
 * wins over the file. Every fault of all three is named. The data directory
 * comes out absolute. A file that the command line names has to be there,
 * unless it is optional.
 */
export function loadSettings(
  overrides: Overrides = {},
  { envFile: wanted }: { readonly envFile: "required" | "optional" } = {
    envFile: "required",
  },
): LoadedSettings {
  const environment = overrides.environment ?? readEnvironment();
  const { path: envFile, file } = overrides.envFile === undefined
    ? findEnvFile(overrides.dataDir ?? environment["STRONGROOM_DATA_DIR"])
    : namedEnvFile(resolve(overrides.envFile), wanted === "required");
  const given = new Map<string, Given>();
  for (const [name, text] of overrides.home ? Object.entries(AT_HOME) : []) {
    given.set(name, { text, source: { kind: "command_line" } });
  }
  for (const [name, one] of file?.values ?? []) given.set(name, one);
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
      ? ["--data-dir is empty: give a directory, or omit the option"]
      : [],
    ...file?.faults ?? [],
    ...faults,
  ];
  return {
    config: config === undefined || all.length > 0 ? undefined : {
      ...config,
      STRONGROOM_DATA_DIR: resolve(config.STRONGROOM_DATA_DIR),
      ...Object.fromEntries(
        CREDENTIAL_FILES.map((name) => [
          name,
          credentialPath(config[name], environment),
        ]),
      ),
    },
    settings,
    faults: all,
    envFile,
    envFileRead: file !== undefined,
    isContained: environment["container"] !== undefined,
    strays: straysOf(given),
  };
}

/** Where systemd puts a credential, for a name without a directory. */
function credentialPath(
  named: string | undefined,
  environment: Environment,
): string | undefined {
  const directory = environment[CREDENTIALS];
  if (named === undefined || directory === undefined || named.includes("/")) {
    return named;
  }
  return `${directory}/${named}`;
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

/** Where a package keeps the settings of the machine's one server. */
export const SYSTEM_ENV_FILE = "/etc/strongroom/strongroom.env";

/** The files that settings may stand in, by default. */
export function defaultEnvFiles(dataDir: string): string[] {
  return [fileBeside(dataDir), SYSTEM_ENV_FILE];
}

function fileBeside(dataDir: string): string {
  return `${dirname(resolve(dataDir))}/strongroom.env`;
}

/** A file of settings, and what stands in it; nothing where it is not there. */
interface FoundEnvFile {
  readonly path: string;
  readonly file: EnvFile | undefined;
}

/**
 * The file for a data directory, or for whichever there is where no one named
 * one: `strongroom.env` next to it, or else the system's. One that names
 * another data directory is that one's.
 */
function findEnvFile(asked: string | undefined): FoundEnvFile {
  const near = fileBeside(asked ?? "./data");
  const file = readEnvFile(near);
  const isMine = (one: EnvFile, path: string) =>
    asked === undefined || dataDirsOf(one, path).includes(resolve(asked));
  if (file !== undefined) {
    if (!file.readable || isMine(file, near)) return { path: near, file };
    if (!file.values.has("STRONGROOM_DATA_DIR")) {
      return { path: near, file: namingNone(file, near) };
    }
  }
  const system = readEnvFile(SYSTEM_ENV_FILE);
  const isForeign = system === undefined || asked !== undefined &&
      (!system.readable ||
        system.values.has("STRONGROOM_DATA_DIR") &&
          !isMine(system, SYSTEM_ENV_FILE));
  return isForeign
    ? { path: near, file: undefined }
    : { path: SYSTEM_ENV_FILE, file: system };
}

/** Relative to where the program is run, or to where the file is. */
function dataDirsOf({ values }: EnvFile, path: string): string[] {
  const text = values.get("STRONGROOM_DATA_DIR")?.text;
  return text === undefined
    ? []
    : [resolve(text), resolve(dirname(path), text)];
}

/** Several directories may be next to it: whose it is cannot be told. */
function namingNone(file: EnvFile, path: string): EnvFile {
  const fault =
    `${path}: names no data directory: write STRONGROOM_DATA_DIR into ` +
    "it, or give the file with --env-file";
  return { ...file, faults: [...file.faults, fault] };
}

/** The file that the command line names. */
function namedEnvFile(path: string, isRequired: boolean): FoundEnvFile {
  const file = readEnvFile(path);
  if (file !== undefined || !isRequired) return { path, file };
  return { path, file: unreadable(path, "there is no such file") };
}

/**
 * The variables of the environment. Where the program may read only its own,
 * whoever gave it that permission has refused unknown names already.
 */
function readEnvironment(): Environment {
  try {
    return Deno.env.toObject();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
  }
  try {
    const own = Object.fromEntries(
      settingPages.flatMap(({ name }) => {
        const value = Deno.env.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const file = own["STRONGROOM_S3_KEYS_FILE"];
    // Asked for only where its permission was.
    const credentials = file === undefined ? undefined : readCredentials();
    return credentials === undefined
      ? own
      : { ...own, [CREDENTIALS]: credentials };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    throw new ConfigFault([
      "not permitted to read its settings, which `deno task start` grants " +
      "when they have no fault",
    ]);
  }
}

function readCredentials(): string | undefined {
  try {
    return Deno.env.get(CREDENTIALS);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    return undefined;
  }
}

interface ReadEnvFile extends EnvFile {
  readonly readable: boolean;
}

/** Undefined where it is not there. */
function readEnvFile(path: string): ReadEnvFile | undefined {
  try {
    return {
      ...parseEnvFile(Deno.readTextFileSync(path), path),
      readable: true,
    };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || isShutAway(path)) {
      return undefined;
    }
    return unreadable(
      path,
      reasonOf(error),
      error instanceof Deno.errors.PermissionDenied
        ? ": run this with sudo, as the server's user, or name another with " +
          "--env-file"
        : "",
    );
  }
}

function unreadable(path: string, reason: string, mend = ""): ReadEnvFile {
  return {
    values: new Map(),
    faults: [`${path}: cannot be read (${reason})${mend}`],
    readable: false,
  };
}

/** Whether even its name is kept from whoever runs this, as in root's home. */
function isShutAway(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.PermissionDenied;
  }
}
