/**
 * Cleaning texts of strangers before they are shown, so that they cannot
 * imitate other texts.
 *
 * @module
 */

const UNSEEN =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** U+200C and U+200D. */
const JOINERS = /[\u200c\u200d]/g;
/** Persian, Hindi and other scripts write with joiners, and emoji do. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}\p{Emoji_Modifier}\u{fe0f}]/u;

/** A line without control, invisible and direction characters. */
export function shownName(name: string): string {
  const seen = name.replace(UNSEEN, "");
  return seen.replace(JOINERS, (joiner, at: number) =>
    // The character before it, which may be of two UTF-16 units.
    JOINED.test([...seen.slice(Math.max(0, at - 2), at)].at(-1) ?? "")
      ? joiner
      : "");
}

/** A text of several lines, cleaned in the same way. */
export function shownText(text: string): string {
  return text.split(/\r\n|[\n\r]/).map(shownName).join("\n");
}

/**
 * What a stranger is called: `somebody` if nothing of the name can be seen, or
 * if it is `you`, as the person is called.
 */
export function strangerName(
  name: string | undefined,
  { you, somebody }: { readonly you: string; readonly somebody: string },
): string {
  const shown = shownName(name ?? "").trim();
  const isYou = shown.toLowerCase() === you.toLowerCase();
  return shown === "" || isYou ? somebody : shown;
}
