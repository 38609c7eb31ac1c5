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
import { type LogStyle, logStyle, spoken } from "../server/logging.ts";
import { serve } from "../server/serve.ts";
import { isFresh } from "../store/health.ts";
import { loadSettings, type Overrides } from "./environment.ts";
import { type CommandContext, ENV_FILE_HELP } from "./operator.ts";

/** EX_CONFIG of sysexits(3), for a supervisor that would start it again. */
const BAD_SETTINGS = 78;

interface ServeOptions extends Overrides {
  readonly supervised?: true;
}

/** The server could not start, or not go on. */
export class ServerFault extends Error {
  override readonly name = "ServerFault";
  constructor(
    override readonly cause: unknown,
    /** How its log looks, as far as its settings were read. */
    readonly style: LogStyle,
    readonly status: number,
  ) {
    super("the server ended");
  }
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
      "--supervised",
      `bad settings end it with status ${BAD_SETTINGS}, because starting ` +
        "again would not help",
    )
    .addHelpText(
      "after",
      "\nExample:\n  strongroom serve --data-dir /srv/photos",
    )
    .action((options: ServeOptions) => runServer(options, context));
}

async function runServer(
  options: ServeOptions,
  { platform, say, streams, environment, host = OWN_PROCESS }: CommandContext,
): Promise<void> {
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
    if (streams.stdin.isTerminal() && style === "pretty") {
      for (const line of introduction(config)) say(line);
      const { STRONGROOM_BASE_URL: origin } = config;
      if (origin !== undefined && !isLoopback(new URL(origin).hostname)) {
        const { qrCodeOf } = await import("./people/qr_code.ts");
        say(qrCodeOf(origin));
      }
    }
    await serve(
      config,
      platform,
      (line) => say(spoken(line, "info", style, platform.now())),
      host,
      async () => {
        const { examineRunning } = await import("./doctor.ts");
        const loaded = loadSettings({
          ...options,
          ...environment && { environment },
        });
        return await examineRunning(loaded, platform);
      },
    );
  } catch (cause) {
    throw new ServerFault(cause, style, isBadSettings ? BAD_SETTINGS : 1);
  }
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
    "strongroom init writes a file with every setting; strongroom " +
    "--help lists the commands",
  ];
}
