/**
 * Texts as they are compared when people search: small letters without marks.
 *
 * @module
 */

/** Letters that Unicode does not take apart. */
const SINGLE: Readonly<Record<string, string>> = {
  "ł": "l",
  "ø": "o",
  "đ": "d",
  "ß": "ss",
  "æ": "ae",
  "œ": "oe",
  "’": "'",
};
const ASCII = /^[\0-\x7f]*$/;

/** Letters without their marks, in lower case: `Zürich` is `zurich`. */
export function plainText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[łøđßæœ’]/g, (letter) => SINGLE[letter] ?? letter);
}
