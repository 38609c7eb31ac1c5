/**
 * A disk that is slow to sync: `slow_sync.c`, built for a run.
 *
 * @module
 */
import { join } from "node:path";

/**
 * Builds the library in a directory, with gcc; returns the environment of a
 * program whose every sync shall take so much longer (ms).
 */
export async function slowSyncs(
  scratch: string,
): Promise<(delayMs: number) => Record<string, string>> {
  const library = join(scratch, "slow_sync.so");
  const source = new URL("slow_sync.c", import.meta.url).pathname;
  const { success, stderr } = await new Deno.Command("gcc", {
    args: ["-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return (delayMs) => ({
    LD_PRELOAD: library,
    SLOW_SYNC_MS: String(delayMs),
  });
}
