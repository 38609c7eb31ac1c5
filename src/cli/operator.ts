/**
 * What the operator's commands have in common: their options, and the database
 * of a server that may be running meanwhile.
 *
 * @module
 */
import type { Command } from "commander";
import type { Config } from "../config.ts";
import type { Db } from "../store/database.ts";
import { openBesideServer } from "../store/store.ts";
import { loadConfig, type Overrides } from "./environment.ts";

/** The options of every operator's command. */
export interface OperatorOptions extends Overrides {
  readonly json?: true;
}

/** Gives a command those options, and its help an example. */
export function operatorCommand(command: Command, example: string): Command {
  return command
    .option("--data-dir <path>", "instead of STRONGROOM_DATA_DIR")
    .option(
      "--env-file <path>",
      "settings; default: strongroom.env beside the data directory",
    )
    .option("--json", "answer in JSON, on one line")
    .addHelpText("after", `\nExample:\n  strongroom ${example}`);
}

/** Does some work on the database; the server's next request sees it. */
export async function withDatabase<T>(
  options: OperatorOptions,
  work: (db: Db, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(options);
  const db = await openBesideServer(config.STRONGROOM_DATA_DIR);
  try {
    return await work(db, config);
  } finally {
    await db.destroy();
  }
}
