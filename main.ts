/**
 * The program: makes the platform and hands the command line to its command.
 *
 * @module
 */
import { ProgramLog } from "./src/server/log/logging.ts";
import { runProgram } from "./src/cli/program.ts";
import { sleep } from "./src/server/sleep.ts";
import type { Platform } from "./src/core/platform.ts";

export const platform: Platform = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  sleep,
  fetch: (input, init) => fetch(input, init),
  log: new ProgramLog(),
};

if (import.meta.main) Deno.exit(await runProgram(Deno.args, platform));
