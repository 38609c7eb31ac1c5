/**
 * What is kept of the words that a reader found in a picture.
 *
 * @module
 */
import assert from "node:assert/strict";
import { utf8 } from "../../core/bytes.ts";
import { areWords, MOST_WORD_BYTES, wordsRead } from "./read_text.ts";

const sure = (text: string, sure = 95) => ({ text, sure });

Deno.test("words are kept once, without marks and the signs around them, as searches compare them", () => {
  const words = [
    "«Crème",
    "brûlée»,",
    "CRÈME",
    "12,90",
    "€",
    "12/06/2024.",
    "l’été",
    "Straße",
    "A",
    "x=7",
    "Łódź",
  ].map((text) => sure(text));
  assert.equal(
    wordsRead(words),
    "creme\nbrulee\n12,90\n12/06/2024\nl'ete\nstrasse\nlodz",
  );
});

Deno.test("a word of which the reader is not sure is not kept", () => {
  assert.equal(
    wordsRead([sure("hotel", 80), sure("hote1", 79), sure("lisboa", NaN)]),
    "hotel",
  );
  assert.equal(wordsRead([]), "");
});

Deno.test("a picture with more words than a page of text keeps the first ones", () => {
  const many = Array.from({ length: 5_000 }, (_, at) => sure(`word${at}`));
  const kept = wordsRead(many);
  assert(kept.startsWith("word0\nword1\n"));
  assert(utf8(kept).length <= MOST_WORD_BYTES);
  assert(areWords(utf8(kept)));
  assert.equal(wordsRead([sure("x".repeat(41)), sure("short")]), "short");
});

Deno.test("bytes that are no text, or too long, are no words", () => {
  assert(areWords(new Uint8Array()));
  assert(!areWords(new Uint8Array([0xff, 0xfe])));
  assert(!areWords(new Uint8Array(MOST_WORD_BYTES + 1)));
});
