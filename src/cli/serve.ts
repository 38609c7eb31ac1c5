/**
 * `strongroom serve`, and `strongroom` alone: the settings, the log, and then
 * the server.
 *
 * @module
 */
import type { Command } from "commander";
import type { Config } from "../config.ts";
import { ConfigFault } from "../core/settings.ts";
import { isLoopback } from "../core/origin.ts";
import { OWN_PROCESS } from "../server/host.ts";
import { type LogStyle, logStyle, spoken } from "../server/log/logging.ts";
import { serve } from "../server/serve.ts";
import { StoreFault } from "../store/failure.ts";
import { isFresh } from "../store/health.ts";
import { LeaseLost } from "../store/lease.ts";
import { loadSettings, type Overrides } from "./environment.ts";
import { ServerFault } from "./failure.ts";
import { OutputFull } from "./streams.ts";
import { type CommandContext, ENV_FILE_HELP } from "./verb.ts";

/** EX_CONFIG of sysexits(3), for a supervisor that would start it again. */
const BAD_SETTINGS = 78;
/**
 * Names a pipe of the bundle's launcher, which opens in a browser what is
 * written there: the program itself may run no other.
 */
const FIRST_PAGE_PIPE = "FIRST_PAGE_PIPE";
/** EX_TEMPFAIL: another server took the data directory. */
const LEASE_LOST = 75;

interface ServeOptions extends Overrides {
  readonly supervised?: true;
  readonly existing?: true;
  readonly remember?: string;
}

/** Adds `serve`, which also runs when no command is named. */
export function addServeCommand(
  program: Command,
  context: CommandContext,
): void {
  program.command("serve", { isDefault: true })
    .description("run the server (also when no command is named)")
    .option(
      "--data-dir <path>",
      "the data directory, instead of STRONGROOM_DATA_DIR",
    )
    .option("--env-file <path>", ENV_FILE_HELP)
    .option(
      "--home",
      "serve phones and computers in your home too, over plain http as " +
        "strongroom.local; settings that you give win",
    )
    .option(
      "--supervised",
      `bad settings end it with status ${BAD_SETTINGS}, because starting ` +
        "again would not help",
    )
    .option(
      "--existing",
      "refuse to make a new server: for a data directory on a disk that may " +
        "not be mounted",
    )
    .option(
      "--remember <dir>",
      "note the server's id in a directory outside the data directory; later " +
        "starts are as with --existing, and refuse another server's",
    )
    .addHelpText(
      "after",
      "\nExample:\n  strongroom serve --data-dir /srv/photos",
    )
    .action((options: ServeOptions) => runServer(options, context));
}

async function runServer(
  options: ServeOptions,
  { platform, streams, environment, host = OWN_PROCESS, ...context }:
    CommandContext,
): Promise<void> {
  // A server whose words are lost serves all the same.
  const say = (line: string) => {
    try {
      context.say(line);
    } catch (error) {
      if (!(error instanceof OutputFull)) throw error;
      platform.log.warn(error.message);
    }
  };
  let style: LogStyle = "pretty";
  let isBadSettings = options.supervised === true;
  try {
    const { config, faults, settings } = loadSettings({
      ...options,
      ...environment && { environment },
    });
    const format = settings.find(({ name }) =>
      name === "STRONGROOM_LOG_FORMAT"
    );
    style = logStyle(format?.text ?? "");
    if (config === undefined) throw new ConfigFault(faults);
    isBadSettings = false;
    await host.startLogging(config);
    const { remember } = options;
    const note = remember === undefined ? undefined : `${remember}/server-id`;
    const expected = config.STRONGROOM_SERVER_ID ??
      (note === undefined ? undefined : readNote(note));
    if (options.existing === true || expected !== undefined) {
      requireExisting(config.STRONGROOM_DATA_DIR, expected, note);
    }
    if (streams.stdin.isTerminal() && style === "pretty") {
      for (const line of introduction(config)) say(line);
      const { STRONGROOM_BASE_URL: origin } = config;
      if (origin !== undefined && !isLoopback(new URL(origin).hostname)) {
        const { qrCodeOf } = await import("./person/sharing/qr_code.ts");
        say(qrCodeOf(origin));
      }
    }
    const isNew = isFresh(config.STRONGROOM_DATA_DIR);
    await serve(
      { ...config, STRONGROOM_SERVER_ID: expected },
      platform,
      (line, serverId) => {
        say(spoken(line, "info", style, platform.now()));
        offerFirstPage(isNew ? serverId : "");
        if (note !== undefined && expected === undefined) {
          Deno.writeTextFileSync(note, `${serverId}\n`, { mode: 0o600 });
        }
      },
      host,
      async () => {
        const { examineRunning } = await import("./operator/doctor.ts");
        const loaded = loadSettings({
          ...options,
          ...environment && { environment },
        });
        return await examineRunning(loaded, platform);
      },
    );
  } catch (cause) {
    const status = cause instanceof LeaseLost
      ? LEASE_LOST
      : isBadSettings
      ? BAD_SETTINGS
      : 1;
    throw new ServerFault(cause, style, status);
  }
}

/** Tells a launcher that waits for it which page to open, or none. */
function offerFirstPage(address: string): void {
  const path = Deno.env.get(FIRST_PAGE_PIPE);
  if (path === undefined) return;
  try {
    // For reading too: so it does not wait for a launcher that is gone.
    using pipe = Deno.openSync(path, { read: true, write: true });
    pipe.writeSync(new TextEncoder().encode(`${address}\n`));
  } catch {
    // The address stands on the terminal as well.
  }
}

/** The id that an earlier start noted; undefined where none did. */
function readNote(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path).trim() || undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Refuses a data directory in which a new server would be made. */
function requireExisting(
  dataDir: string,
  expected: string | undefined,
  note: string | undefined,
): void {
  if (!isFresh(dataDir)) return;
  throw new StoreFault(
    `${dataDir} contains no server, and ` +
      (expected === undefined
        ? "--existing is given"
        : `${expected} belongs there`) +
      ": mount its disk, or name the right directory; for a new server, leave " +
      "out --existing and STRONGROOM_SERVER_ID" +
      (note === undefined ? "" : `, and remove ${note}`),
  );
}

/**
 * What the server is about to create, for a person who starts it by hand in a
 * new place. No line where the data directory is there.
 */
function introduction(config: Config): string[] {
  const { STRONGROOM_DATA_DIR: dataDir, STRONGROOM_REGISTRATION: who } = config;
  if (!isFresh(dataDir)) return [];
  return [
    `${dataDir} contains no server yet: a new one is created there, ` +
    "with a database, a directory for blobs, and signing keys",
    ...who === "open"
      ? [
        "anyone who can reach it can register: set " +
        "STRONGROOM_REGISTRATION=closed to stop that",
      ]
      : [],
    ...config.STRONGROOM_BASE_URL === undefined &&
        config.STRONGROOM_LISTEN.every((place) =>
          place.kind !== "tcp" || isLoopback(place.hostname)
        )
      ? [
        "only this machine reaches it: strongroom --home serves your phone too",
      ]
      : [],
    "strongroom init writes a file with every setting; strongroom " +
    "--help lists the commands",
  ];
}
