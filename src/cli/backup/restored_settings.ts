/**
 * The settings of a restored server: written next to its data, so that it
 * continues with those that it was backed up with.
 *
 * @module
 */
import { isAbsolute, resolve } from "node:path";
import { settingPages } from "../../config.ts";
import { reasonOf } from "../../core/reason.ts";
import type { ServerSettings } from "../../features/backup/manifest.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { environmentFile, writeNew } from "../env_file.ts";
import {
  defaultEnvFiles,
  loadSettings,
  type Overrides,
  SYSTEM_ENV_FILE,
} from "../environment.ts";

/** What became of the settings that a backup carries. */
interface RestoredSettings {
  /** The file with which the server starts; undefined if there is none. */
  readonly envFile: string | undefined;
  readonly outcome: "made" | "kept" | "not_written";
  readonly lines: readonly string[];
}

/**
 * Writes the settings into a new file next to the data directory, or says what
 * they are if a file is there. The last line starts the server with them.
 */
export function restoreSettings(
  settings: ServerSettings,
  serverId: string | null,
  dataDir: string,
  options: Overrides,
): RestoredSettings {
  const origin = settings.origin ?? serverId;
  const known = settingPages.map(({ name }) => name);
  const { given } = settings;
  const wanted = new Map<string, string>();
  for (const { name, value } of given) {
    if (value !== null && known.includes(name)) wanted.set(name, value);
  }
  if (origin !== null) wanted.set("STRONGROOM_BASE_URL", origin);
  const secrets = given.flatMap(({ name, value }) =>
    value === null && known.includes(name) ? [name] : []
  );
  const unknown = given.flatMap(({ name }) =>
    known.includes(name) ? [] : [name]
  );
  const about = [
    ...unknown.map((name) =>
      `the backup sets ${name}, which this version does not have`
    ),
    ...origin === null
      ? []
      : [`people, links and receipts use the address ${origin}`],
  ];
  const inUse = loadSettings(options);
  const outcome = inUse.envFileRead
    ? keep(inUse, wanted, secrets, dataDir)
    : write(wanted, secrets, dataDir);
  return { ...outcome, lines: [...about, ...outcome.lines] };
}

/** The file that applies to the data directory stays as it is. */
function keep(
  { envFile, settings }: ReturnType<typeof loadSettings>,
  wanted: ReadonlyMap<string, string>,
  secrets: readonly string[],
  dataDir: string,
): RestoredSettings {
  const different = [...wanted].filter(([name, value]) =>
    settings.find((one) => one.name === name)?.text !== value
  );
  const unset = secrets.filter((name) =>
    !settings.find((one) => one.name === name)?.text
  );
  const all = [
    ...different.map(([name, value]) => `  ${name}=${value}`),
    ...unset.map((name) => `  ${name}=  (a secret, which no backup contains)`),
  ];
  return {
    envFile,
    outcome: "kept",
    lines: [
      ...all.length === 0 ? [`${envFile} has the settings of the backup`] : [
        `${envFile} was kept; the backup has other values for these settings:`,
        ...all,
      ],
      startLine(envFile, dataDir, dataDirIn(envFile)),
    ],
  };
}

/** The data directory of a file, without the command line and environment. */
function dataDirIn(envFile: string): string | undefined {
  return loadSettings({ envFile, environment: {} }).settings
    .find(({ name }) => name === "STRONGROOM_DATA_DIR")?.text;
}

/** Where a package's unit is, and where an operator's. */
const UNITS = [
  "/usr/lib/systemd/system/strongroom.service",
  "/etc/systemd/system/strongroom.service",
];

/**
 * How to start a server whose settings are in a file that was there; `named` is
 * the data directory that the file itself names.
 */
export function startLine(
  envFile: string,
  dataDir: string,
  named: string | undefined,
  isThere: (path: string) => boolean = (path) =>
    denoFiles.readWhole(path) !== undefined,
): string {
  // As another user, `serve` would make files that the unit cannot read. The unit
  // serves the directory that its file names, whatever was restored.
  const isOfUnit = envFile === SYSTEM_ENV_FILE && named !== undefined &&
    isAbsolute(named) && resolve(named) === resolve(dataDir);
  return isOfUnit && UNITS.some(isThere)
    ? "start it with: systemctl start strongroom"
    : `start it with: strongroom serve --env-file ${inShell(envFile)} ` +
      `--data-dir ${inShell(dataDir)}`;
}

/** Another server's settings may lie next to the data directory already. */
function write(
  wanted: ReadonlyMap<string, string>,
  secrets: readonly string[],
  dataDir: string,
): RestoredSettings {
  const [beside = ""] = defaultEnvFiles(dataDir);
  const all = new Map([["STRONGROOM_DATA_DIR", dataDir], ...wanted]);
  const ofSecrets = secrets.length === 0 ? [] : [
    `${secrets.join(", ")}: a backup contains no secrets, so write ` +
    "them into that file first",
  ];
  let reason = "";
  for (const path of [beside, `${dataDir}.env`]) {
    try {
      writeNew(path, environmentFile(all, secrets));
      return {
        envFile: path,
        outcome: "made",
        lines: [
          `its settings are in ${path}`,
          ...ofSecrets,
          `start it with: strongroom serve --env-file ${inShell(path)}`,
        ],
      };
    } catch (error) {
      reason = reasonOf(error);
    }
  }
  const assignments = [...all].map(([name, value]) =>
    `${name}=${inShell(value)}`
  );
  return {
    envFile: undefined,
    outcome: "not_written",
    lines: [
      `its settings could not be written next to it (${reason})`,
      ...ofSecrets.map((line) => line.replace("that file", "its settings")),
      `start it with: ${assignments.join(" ")} strongroom serve`,
    ],
  };
}

/** A word for a shell. */
function inShell(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text)
    ? text
    : `'${text.replaceAll("'", "'\\''")}'`;
}
