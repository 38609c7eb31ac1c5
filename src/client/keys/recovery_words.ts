/**
 * Recovery words (protocol/client-cryptography.md#passphrases-and-phrases): 24
 * English words of BIP-39, the last of which carries a checksum. They are used
 * like any other passphrase, but no one has to invent them.
 *
 * @module
 */
import { entropyToMnemonic, mnemonicToEntropy } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import type { RandomBytes } from "../../core/bytes.ts";

/** Words of a recovery phrase. */
export const RECOVERY_WORDS = 24;
const ENTROPY_BYTES = 32;
const KNOWN: ReadonlySet<string> = new Set(wordlist);

/** Makes new words from 32 random bytes, in lower case, separated by blanks. */
export function newRecoveryWords(random: RandomBytes): string {
  return entropyToMnemonic(random(ENTROPY_BYTES), wordlist);
}

/**
 * Typed text read as recovery words; the fault is to be shown to the person.
 */
export type ReadWords =
  | { readonly ok: true; readonly words: string }
  | { readonly ok: false; readonly fault: "count"; readonly count: number }
  | {
    readonly ok: false;
    readonly fault: "unknown";
    /** Places, from 1, of words that are not in the list. */
    readonly places: readonly number[];
  }
  | { readonly ok: false; readonly fault: "checksum" };

/**
 * Reads words in any letter case and on any number of lines. The fault
 * `checksum` means that all words are in the list, but one is wrong or their
 * order is.
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

/** Words of the list that begin with `start`, to complete what is typed. */
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
 * The first bits of some bytes as words of eleven bits each, for two people to
 * compare. Throws a RangeError if there are too few bytes.
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
