/**
 * Recovery words for programs that show them or let people type them. The list
 * is loaded by the first of these calls: most pages never need it.
 *
 * @module
 */
import type { RandomBytes } from "../../core/bytes.ts";
import type { ReadWords } from "../words.ts";

/** New words out of 32 random bytes, lower case, a blank between two. */
export async function newRecoveryWords(random: RandomBytes): Promise<string> {
  return (await import("../words.ts")).newRecoveryWords(random);
}

/**
 * Reads words however they were typed: in any case, on any lines. `checksum`
 * says that all are words, but not these or not in this order.
 */
export async function readRecoveryWords(typed: string): Promise<ReadWords> {
  return (await import("../words.ts")).readRecoveryWords(typed);
}

/** Words of the list that begin so, for completing what is typed. */
export async function wordsBeginningWith(
  start: string,
  most = 8,
): Promise<string[]> {
  return (await import("../words.ts")).wordsBeginningWith(start, most);
}
