/**
 * Cleaning texts of strangers before they are shown, so that they cannot
 * imitate other texts.
 *
 * @module
 */

const UNSEEN =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A line without control characters and marks of writing direction. */
export function shownName(name: string): string {
  return name.replace(UNSEEN, "");
}

/** A text of several lines, cleaned in the same way. */
export function shownText(text: string): string {
  return text.split(/\r\n|[\n\r]/).map(shownName).join("\n");
}
