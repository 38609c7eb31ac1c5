/**
 * `deno task` fetches every package of the lock and of the imports that
 * deno.json names, whatever it runs. So deno.json names neither: a run fetches
 * what it imports (imports.json), and says itself that it holds to the lock.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

/** Has a run of deno fail if it would load what deno.lock does not hold. */
export const LOCKED: readonly string[] = [
  `--lock=${fileURLToPath(new URL("../deno.lock", import.meta.url))}`,
  "--frozen",
];
