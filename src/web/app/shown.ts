/**
 * Strangers' words as they are shown: without what could make them look like
 * others.
 *
 * @module
 */

const UNSEEN =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A line without control characters and marks that turn the writing. */
export function shownName(name: string): string {
  return name.replace(UNSEEN, "");
}

/** The same of a text of several lines. */
export function shownText(text: string): string {
  return text.split(/\r\n|[\n\r]/).map(shownName).join("\n");
}
