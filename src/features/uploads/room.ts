/** @module */
import type { Raise } from "../../core/problem.ts";
import { isDiskFull } from "../../store/disk_full.ts";

export type RaiseFull = Raise<"error.storage.full">;

/**
 * Runs what an upload writes. Where the disk turns out to be full under it, in
 * its files or in the database, that is refused and nothing was made true.
 */
export async function withRoom<T>(
  raise: RaiseFull,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (isDiskFull(cause)) throw raise("error.storage.full", { cause });
    throw cause;
  }
}
