/**
 * Lengths of texts in characters, which are Unicode code points
 * (protocol/authentication.md#accounts).
 *
 * @module
 */

/**
 * Whether a text has at most so many characters. What its UTF-16 length tells
 * already is not counted, so that a text of any length costs nothing.
 */
export function hasAtMost(max: number, text: string): boolean {
  if (text.length <= max) return true;
  return text.length <= 2 * max && characters(text) <= max;
}

/** The code points of a text whose length was looked at. */
export function characters(text: string): number {
  return [...text].length;
}
