/**
 * The command line. Exit status: 0 done, 1 refused or failed, 2 usage.
 *
 * @module
 */
import { Command, CommanderError } from "commander";
import { VERSION } from "../app.ts";
import { ConfigFault } from "../core/settings.ts";
import { OperatorFault } from "../core/operator.ts";
import type { Platform } from "../core/platform.ts";
import { StoreFault } from "../store/database.ts";
import { loadConfig } from "./environment.ts";
import { startLogging } from "./logging.ts";
import type { AddCommands } from "./operator.ts";
import { addBackupCommands } from "./backup.ts";
import { addPeerCommands } from "./peer.ts";
import { addRestoreCommand } from "./restore.ts";
import { serve } from "./serve.ts";

const USAGE = 2;

/** The families of commands, in the order in which `--help` lists them. */
const FAMILIES: readonly AddCommands[] = [
  addPeerCommands,
  addBackupCommands,
  addRestoreCommand,
];

interface ServeOptions {
  readonly dataDir?: string;
  readonly envFile?: string;
}

/** Runs a command line to its end; resolves to the exit status. */
export async function runProgram(
  args: readonly string[],
  platform: Platform,
): Promise<number> {
  const program = new Command("strongroom")
    .description(
      "Keeps photos and files end-to-end encrypted and shares them.",
    )
    .version(VERSION, "-V, --version")
    // What stands behind a command is that command's, or its subcommand's.
    .enablePositionalOptions()
    .exitOverride();
  program.command("serve", { isDefault: true })
    .description("run the server (also when no command is named)")
    .option("--data-dir <path>", "instead of STRONGROOM_DATA_DIR")
    .option(
      "--env-file <path>",
      "settings; default: strongroom.env beside the data directory",
    )
    .addHelpText(
      "after",
      "\nExample:\n  strongroom serve --data-dir /srv/photos",
    )
    .action(async (options: ServeOptions) => {
      const config = loadConfig(options);
      await startLogging(config);
      await serve(config, platform, say);
    });
  let status: 0 | 1 = 0;
  for (const add of FAMILIES) {
    add(program, { platform, say, warn, endWith: (end) => status = end });
  }
  try {
    await program.parseAsync(args, { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? 0 : USAGE;
    }
    complain(error);
    return 1;
  }
}

/** One line to whoever started the program. */
function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** One line beside the answer. */
function warn(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`strongroom: ${line}\n`));
}

function complain(error: unknown): void {
  const lines = error instanceof ConfigFault
    ? error.faults
    : error instanceof Deno.errors.NotCapable
    ? [
      `${error.message}: settings in the environment, not on the command ` +
      "line, are what `deno task start` takes its permissions from",
    ]
    : error instanceof StoreFault || error instanceof OperatorFault
    ? [error.message]
    : [error instanceof Error ? error.stack ?? error.message : String(error)];
  for (const line of lines) warn(line);
}
