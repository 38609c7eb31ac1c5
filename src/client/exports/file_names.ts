/**
 * Safe names for files on this machine. An asset's name may be malicious; the
 * file's name cannot leave its folder, hide the file, or control a terminal.
 *
 * @module
 */

const MAX_BYTES = 200;
/** Names of devices on Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
/** Beside what steers a terminal: lone surrogates and noncharacters. */
const FORBIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029/\\:*?"<>|]+/gu;
/** No more of a name is looked at (UTF-16 code units). */
const MAX_UNITS = 1_024;
/** Longest ending that stays, its full stop included (code units). */
const MAX_END = 12;

/** Makes a name that every file system accepts as a single name. */
export function safeName(name: string): string {
  // Of a longer name the ending is worth more than the middle.
  const bounded = name.length <= MAX_UNITS
    ? name
    : name.slice(0, MAX_UNITS - MAX_END) + name.slice(-MAX_END);
  // A name that begins with a hyphen would be an option of many programs.
  let safe = withoutEnd(bounded.normalize("NFC").replace(FORBIDDEN, "_"))
    .replace(/^(?:[.\s]+|-)/, "_");
  if (RESERVED.test(safe)) safe = `_${safe}`;
  if (safe === "") safe = "_";
  const dot = safe.lastIndexOf(".");
  const end = dot > 0 && safe.length - dot <= MAX_END ? safe.slice(dot) : "";
  return cut(safe.slice(0, safe.length - end.length), MAX_BYTES - bytes(end)) +
    end;
}

/** A name without full stops and white space at its end. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && /[.\s]/.test(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
}

/** The first characters of a text that have at most so many bytes. */
function cut(text: string, mostBytes: number): string {
  let kept = "";
  let length = 0;
  for (const character of text) {
    length += bytes(character);
    if (length > mostBytes) break;
    kept += character;
  }
  return kept;
}

/** The name of the `number`-th file with the same name. */
export function nextName(name: string, number: number): string {
  if (number === 1) return name;
  const dot = name.lastIndexOf(".");
  return dot > 0
    ? `${name.slice(0, dot)} (${number})${name.slice(dot)}`
    : `${name} (${number})`;
}

/**
 * The same text for all names that a file system without letter case cannot
 * distinguish.
 */
export function foldedName(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
