/**
 * The words that a reader found in a picture, as they are kept and searched.
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../core/bytes.ts";
import { plainText } from "../plain_text.ts";

/** A word as the reader has it. */
export interface ReadWord {
  readonly text: string;
  /** How sure the reader is, 0 to 100. */
  readonly sure: number;
}

/** The bytes that the words of one picture may take; a page of text has 2 KB. */
export const MOST_WORD_BYTES = 4_096;

/**
 * The reader has to be so sure of a word. In noise and textures it is sure of
 * next to nothing (`words.md`).
 */
const SURE = 80;
const PARTS = /[\p{L}\p{N}]+(?:['.,/-][\p{L}\p{N}]+)*/gu;
const LONGEST_WORD = 40;

/**
 * Words without marks on letters, each once, one a line: those of two letters or
 * digits and more.
 */
export function wordsRead(words: readonly ReadWord[]): string {
  const kept = new Set<string>();
  let size = 0;
  for (const { text, sure } of words) {
    if (!(sure >= SURE)) continue;
    for (const [word] of plainText(text).matchAll(PARTS)) {
      if (word.length < 2 || word.length > LONGEST_WORD) continue;
      if (kept.has(word)) continue;
      size += utf8(word).length + 1;
      if (size > MOST_WORD_BYTES) return [...kept].join("\n");
      kept.add(word);
    }
  }
  return [...kept].join("\n");
}

/** Whether bytes can be the words of a picture. */
export function areWords(bytes: Uint8Array): boolean {
  return bytes.length <= MOST_WORD_BYTES && fromUtf8(bytes) !== undefined;
}
