/** @module */

/**
 * Members and elements of a body that any schema can take: the longest list
 * has 50,000. Parsing and checking cost about a microsecond each.
 */
const MAX_PARTS = 100_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/**
 * Whether a JSON text has more members and elements than any body takes. It is
 * asked before the text is parsed: twelve megabytes of brackets take seconds.
 */
export function hasTooManyParts(bytes: Uint8Array): boolean {
  if (bytes.length <= MAX_PARTS) return false;
  let parts = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (at < 0) return false;
    } else if (
      byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE
    ) {
      parts += 1;
      if (parts > MAX_PARTS) return true;
    }
  }
  return false;
}

/** Where a string ends that begins there; -1 for one that does not end. */
function endOfString(bytes: Uint8Array, start: number): number {
  let end = start;
  for (;;) {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end < 0) return -1;
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
}
