/**
 * Recovery words (protocol/client-cryptography.md#passphrases-and-phrases): 24
 * English words of BIP-39, the last of which carries a checksum. They are a
 * passphrase like any other, and the only one that nobody has to think up.
 *
 * @module
 */
import { entropyToMnemonic, mnemonicToEntropy } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import type { RandomBytes } from "../core/bytes.ts";

/** Words of a recovery phrase. */
export const RECOVERY_WORDS = 24;
const ENTROPY_BYTES = 32;
const KNOWN: ReadonlySet<string> = new Set(wordlist);

/** New words out of 32 random bytes, lower case, a blank between two. */
export function newRecoveryWords(random: RandomBytes): string {
  return entropyToMnemonic(random(ENTROPY_BYTES), wordlist);
}

/** What was typed, read as recovery words; a fault is for the person. */
export type ReadWords =
  | { readonly ok: true; readonly words: string }
  | { readonly ok: false; readonly fault: "count"; readonly count: number }
  | {
    readonly ok: false;
    readonly fault: "unknown";
    /** Places of words that are in no list, from 1. */
    readonly places: readonly number[];
  }
  | { readonly ok: false; readonly fault: "checksum" };

/**
 * Reads words however they were typed: in any case, on any lines. `checksum`
 * says that all are words, but not these or not in this order.
 */
export function readRecoveryWords(typed: string): ReadWords {
  const words = typed.normalize("NFC").toLowerCase().split(/\s+/u)
    .filter((word) => word !== "");
  const places = words.flatMap((word, i) => KNOWN.has(word) ? [] : [i + 1]);
  if (places.length > 0) return { ok: false, fault: "unknown", places };
  if (words.length !== RECOVERY_WORDS) {
    return { ok: false, fault: "count", count: words.length };
  }
  const phrase = words.join(" ");
  try {
    mnemonicToEntropy(phrase, wordlist);
  } catch {
    return { ok: false, fault: "checksum" };
  }
  return { ok: true, words: phrase };
}

/** Words of the list that begin so, for completing what is typed. */
export function wordsBeginningWith(start: string, most = 8): string[] {
  const found: string[] = [];
  if (start === "") return found;
  for (const word of wordlist) {
    if (found.length === most) break;
    if (word.startsWith(start)) found.push(word);
  }
  return found;
}

/**
 * The first bits of some bytes as words, eleven bits each: for two people to
 * compare. Throws a RangeError where there are too few bytes.
 */
export function wordsOfBits(bytes: Uint8Array, count: number): string[] {
  if (bytes.length * 8 < count * 11) throw new RangeError("too few bits");
  return Array.from({ length: count }, (_, i) => {
    let index = 0;
    for (let bit = 11 * i; bit < 11 * (i + 1); bit++) {
      index = 2 * index + (((bytes[bit >> 3] ?? 0) >> (7 - bit % 8)) & 1);
    }
    return wordlist[index] ?? "";
  });
}
