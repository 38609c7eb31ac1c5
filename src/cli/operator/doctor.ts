/**
 * `strongroom doctor`: looks at everything that can keep a server from
 * serving, and says how to fix it.
 *
 * @module
 */
import { say, type Sentence } from "../../core/sentence.ts";
import { join } from "node:path";
import type { Command } from "commander";
import { VERSION } from "../../core/version.ts";
import { bucketSettings, type Config } from "../../config.ts";
import type { SettingFault } from "../../core/operator.ts";
import type { Platform } from "../../core/platform.ts";
import { reasonOf } from "../../core/reason.ts";
import type { Recorded } from "../../features/clock/clock.ts";
import { readBackupNote } from "../../features/backup/note.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { dataDirectoryState, isServed, refusalOf } from "../../store/health.ts";
import { adviceFor } from "./advice.ts";
import { readRolling } from "../../features/verification/rolling.ts";
import { judgeBackup } from "./doctor/backup.ts";
import { judgeRolling } from "./doctor/rolling.ts";
import { type DatedAnswer, judgeClock } from "./doctor/clock.ts";
import {
  type CheckName,
  type Finding,
  findingsOf,
  inEnglish,
  linesOf,
} from "./doctor/finding.ts";
import {
  accessKeysOf,
  lookAtDatabase,
  lookAtDisk,
  lookAtKeys,
  lookAtPermissions,
  lookAtWitnesses,
  lookForCopy,
  readRings,
} from "./doctor/installation.ts";
import {
  datingFetch,
  lookAtBaseUrl,
  lookAtProvider,
  lookAtTls,
} from "./doctor/network.ts";
import { lookAtBucket } from "./doctor/object_store.ts";
import { judgeForwarders } from "./doctor/proxy_headers.ts";
import { type LoadedSettings, loadSettings } from "../environment.ts";
import { readNote } from "../../server/forwarded_note.ts";
import { namelessFault } from "../../server/serve.ts";
import { judgeNotices } from "./doctor/notices.ts";
import { lookForUpdate } from "./doctor/updates.ts";
import { judgePhones } from "./doctor/phones.ts";
import { stateHome } from "../person/account/user_folders.ts";
import { lastReceived } from "../receive/spool.ts";
import { adviceForFiles } from "../named_files.ts";
import { noticesOf } from "./notices.ts";
import { openBlobsOf, openOwn } from "./own_database.ts";
import { addVerb, type Call, type CommandContext } from "../verb.ts";

/** Where the Debian package's service of `receive` keeps its files. */
const SERVICE_SPOOL = "/var/lib/strongroom-receive";

interface DoctorOptions {
  readonly spool?: string;
  readonly updates?: boolean;
}

/** Adds `doctor` to the program. */
export function addDoctorCommand(
  program: Command,
  context: CommandContext,
): void {
  addVerb(program, context, {
    usage: "doctor",
    description:
      "examine the clock, the disk, permissions, the base URL, TLS, " +
      "proxy headers, the identity provider, the database, the keys and " +
      "the age of the last backup, and say how to fix each problem",
    options: [[
      "--spool <path>",
      "the directory of `strongroom receive` on this machine, if not its " +
      `default or ${SERVICE_SPOOL}`,
    ], [
      "--updates",
      "also ask the address in STRONGROOM_UPDATES_URL whether there is a " +
      "newer release",
    ]],
    example: "doctor --data-dir /srv/photos/data",
    async run({ options, platform }: Call<DoctorOptions>) {
      const loaded = loadSettings(options);
      const checks = [...await examine(loaded, platform)];
      if (loaded.config !== undefined) {
        const look = () => lookAtPhones(spoolsOf(options), platform.now());
        checks.push(...await attempt("phones", look));
      }
      if (options.updates === true && loaded.config !== undefined) {
        const url = loaded.config.STRONGROOM_UPDATES_URL;
        const look = () => lookForUpdate(url, VERSION, platform.fetch);
        checks.push(...await attempt("updates", look));
      }
      return {
        json: { checks: checks.map(inEnglish) },
        lines: checks.flatMap(linesOf),
        isBad: checks.some(({ status }) => status === "fault"),
      };
    },
  });
}

/**
 * What the doctor finds fault with in a server that runs, as the server itself
 * asks it. It does not read the whole database, which would hold up requests,
 * and says nothing of what the server may not ask.
 */
export async function examineRunning(
  loaded: LoadedSettings,
  platform: Platform,
) {
  const findings = await examine(loaded, platform, { isServing: true });
  return findings.flatMap(({ check, status, detail, mend }) =>
    status === "ok" || mend === undefined
      ? []
      : [{ check, status, detail, mend }]
  );
}

async function examine(
  loaded: LoadedSettings,
  platform: Platform,
  { isServing = false }: { readonly isServing?: boolean } = {},
): Promise<Finding[]> {
  const { config } = loaded;
  const findings = await lookAtSettings(loaded);
  // Without settings there is no address to look at.
  if (config === undefined) return findings;
  const answers: DatedAnswer[] = [];
  const dating = { ...platform, fetch: datingFetch(platform, answers) };
  const { done, ran } = await lookInside(
    loaded,
    config,
    dating,
    findings,
    isServing,
  );
  findings.push(
    ...await attempt("tls", () => lookAtTls(config, platform.now())),
    ...await attempt("proxy_headers", () =>
      judgeForwarders(
        readNote(denoFiles, config.STRONGROOM_DATA_DIR),
        config.STRONGROOM_TRUSTED_PROXIES,
        config.STRONGROOM_PROXY_HEADER,
        platform.now(),
      )),
    ...await attempt("oidc", () => lookAtProvider(config, dating)),
    ...judgeClock(platform.now(), answers, done, ran),
    ...await attempt("blobs", () => [
      judgeRolling(
        readRolling(denoFiles, config.STRONGROOM_DATA_DIR),
        platform.now(),
      ),
    ]),
    ...await attempt("backup", async () => [
      judgeBackup(readBackupNote(denoFiles, config.STRONGROOM_DATA_DIR), {
        now: platform.now(),
        holdsBlobs: bucketSettings(config) !== undefined ||
          await holdsBlobs(config.STRONGROOM_DATA_DIR),
      }),
    ]),
    ...await attempt("notices", () => lookAtNotices(config, platform)),
  );
  return findings;
}

async function lookAtSettings(
  { config, faults, strays, settings }: LoadedSettings,
): Promise<Finding[]> {
  const { ok, warning, fault } = findingsOf("configuration");
  const advice = [
    ...config === undefined ? [] : adviceFor(config),
    ...await adviceForFiles(settings),
  ];
  const nameless = config && namelessFault(config);
  const all = nameless === undefined ? faults : [...faults, nameless];
  const findings = [
    ...all.map((line) =>
      fault(
        line,
        "correct it; `strongroom config show` lists where each setting " +
          "comes from",
      )
    ),
    ...strays.map((line) => warning(line, "correct the name, or remove it")),
    ...advice.map(warningOf),
  ];
  const given = settings.filter(({ source }) => source.kind !== "default");
  return findings.length > 0
    ? findings
    : [ok(say("{1} given, no errors", given.length))];
}

/** A setting's finding; the server starts with it. */
export function warningOf(
  { setting, what, mend, sentence }: SettingFault & {
    readonly sentence?: Sentence;
  },
): Finding {
  return findingsOf("configuration").warning(
    sentence ?? say("{1}: {2}", setting, what),
    mend,
  );
}

/** Looks into the data directory, and for the way to it from outside. */
async function lookInside(
  loaded: LoadedSettings,
  config: Config,
  platform: Platform,
  findings: Finding[],
  isServing: boolean,
): Promise<{
  readonly done: readonly Recorded[];
  readonly ran: Recorded | undefined;
}> {
  const root = config.STRONGROOM_DATA_DIR;
  const missing = await attempt("permissions", () => {
    const state = dataDirectoryState(root);
    if (state.kind === "ready" || state.kind === "broken") return [];
    const refusal = refusalOf(root, state);
    if (refusal !== undefined) {
      const { what, mend } = refusal;
      return [findingsOf("permissions").fault(what, mend)];
    }
    return [
      findingsOf("permissions").fault(
        say("{1} contains no database", root),
        "mount its disk, give the server's data directory with --data-dir or " +
          "STRONGROOM_DATA_DIR, or create one: strongroom init",
      ),
    ];
  });
  if (missing.length > 0) {
    findings.push(...missing);
    return { done: [], ran: undefined };
  }
  findings.push(
    ...await attempt("permissions", () => lookAtPermissions(config, loaded)),
    ...await attempt("disk", () => lookAtDisk(config, loaded, platform)),
    ...await attempt("database", () => lookForCopy(root)),
    ...await attempt("object_store", () => lookAtBucket(config, platform)),
  );
  let isReadable = false;
  findings.push(
    ...await attempt("database", async () => {
      const free = await denoFiles.freeBytes(root);
      const looked = lookAtDatabase(root, isServing, free);
      isReadable = looked.isReadable;
      return looked.findings;
    }),
  );
  const done: Recorded[] = [];
  let ran: Recorded | undefined;
  const blobsOf = async (db: Db) =>
    (await openBlobsOf(db, config, platform)).blobs;
  let ownKeys: readonly string[] = [];
  findings.push(
    ...await attempt("keys", async () => {
      const rings = await readRings(root, platform);
      ownKeys = await accessKeysOf(rings);
      if (!isReadable) {
        return rings.findings.length > 0 ? rings.findings : [
          findingsOf("keys").ok(
            "all can be read; only the database can tell whether they belong " +
              "to it",
          ),
        ];
      }
      const looked = await lookAtKeys(root, rings, blobsOf);
      done.push(...looked.done);
      ran = looked.ran;
      return looked.findings;
    }),
    ...await attempt(
      "witnesses",
      () => isReadable ? lookAtWitnesses(root, platform.now()) : [],
    ),
    ...await attempt("base_url", () =>
      lookAtBaseUrl(config, platform.fetch, {
        isServed: isServing || isServed(root),
        isServing,
        ownKeys,
      }).catch((error) => {
        if (isServing && error instanceof Deno.errors.NotCapable) return [];
        throw error;
      })),
  );
  const backup = readBackupNote(denoFiles, root);
  if (backup !== undefined) {
    done.push({ what: "the last backup", at: backup.made_at });
  }
  if (ran !== undefined) done.push(ran);
  return { done, ran };
}

/** How the targets of notices do, as far as the database can be read. */
async function lookAtNotices(
  config: Config,
  platform: Platform,
): Promise<Finding[]> {
  if (config.STRONGROOM_NOTIFY.length === 0) return judgeNotices([]);
  const root = config.STRONGROOM_DATA_DIR;
  // What is wrong with the database is a finding of its own.
  if (dataDirectoryState(root).kind !== "ready") return [];
  const db = await openOwn(root, "read");
  try {
    return judgeNotices(await (await noticesOf(db, config, platform)).states());
  } finally {
    await db.destroy();
  }
}

/** Where files of telephones may wait on this machine. */
function spoolsOf(
  { spool, environment }: Call<{ readonly spool?: string }>["options"],
): readonly string[] {
  if (spool !== undefined) return [spool];
  const variable = (name: string) =>
    environment === undefined ? Deno.env.get(name) : environment[name];
  // A service may have no home of its own.
  const hasHome = variable("XDG_STATE_HOME") ?? variable("HOME");
  return [
    SERVICE_SPOOL,
    ...hasHome ? [join(stateHome(variable), "strongroom-receive")] : [],
  ];
}

/** Whether telephones still send, where they send to this machine. */
async function lookAtPhones(
  spools: readonly string[],
  now: number,
): Promise<Finding[]> {
  const found = await Promise.all(spools.map(lastReceived));
  const phones = found.flatMap((one) => one ?? []);
  return judgePhones(phones, now);
}

/** Whether anything is stored, as far as one look tells. */
async function holdsBlobs(root: string): Promise<boolean> {
  for await (const _ of denoFiles.list(`${root}/blobs`)) return true;
  return false;
}

/** A check that cannot be made is a finding as well. */
async function attempt(
  check: CheckName,
  look: () => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { warning, fault } = findingsOf(check);
  try {
    return await look();
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof Deno.errors.NotCapable) {
      return [warning(
        say("cannot be examined: {1}", reason),
        "give this command the permission that it names",
      )];
    }
    return [fault(
      say("cannot be examined: {1}", reason),
      "run this as the server's user; it reads the data directory and asks " +
        "the base URL and the identity provider",
    )];
  }
}
