/**
 * Recovery words for programs that show them or let people type them. The first
 * call loads the list, which most pages never need.
 *
 * @module
 */
import type { RandomBytes } from "../../core/bytes.ts";
import type { ReadWords } from "../../client/keys/recovery_words.ts";

/** Makes new words from 32 random bytes, in lower case, separated by blanks. */
export async function newRecoveryWords(random: RandomBytes): Promise<string> {
  return (await import("../../client/keys/recovery_words.ts")).newRecoveryWords(
    random,
  );
}

/**
 * Reads words in any letter case and on any number of lines. The fault
 * `checksum` means that all words are in the list, but one is wrong or their
 * order is.
 */
export async function readRecoveryWords(typed: string): Promise<ReadWords> {
  return (await import("../../client/keys/recovery_words.ts"))
    .readRecoveryWords(typed);
}

/** Words of the list that begin with `start`, to complete what is typed. */
export async function wordsBeginningWith(
  start: string,
  most = 8,
): Promise<string[]> {
  return (await import("../../client/keys/recovery_words.ts"))
    .wordsBeginningWith(start, most);
}
