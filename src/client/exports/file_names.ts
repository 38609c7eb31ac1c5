/**
 * Safe names for files on this machine. An asset's name may be hostile; the
 * file's name cannot leave its folder, hide the file, or control a terminal.
 *
 * @module
 */

const MAX_BYTES = 200;
/** Names of devices on Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029/\\:*?"<>|]+/gu;

/** Makes a name that every file system accepts as a single name. */
export function safeName(name: string): string {
  let safe = name.normalize("NFC").replace(FORBIDDEN, "_")
    .replace(/^[.\s]+/, "_").replace(/[.\s]+$/, "");
  if (RESERVED.test(safe)) safe = `_${safe}`;
  if (safe === "") safe = "_";
  const dot = safe.lastIndexOf(".");
  const end = dot > 0 && safe.length - dot <= 12 ? safe.slice(dot) : "";
  let stem = safe.slice(0, safe.length - end.length);
  while (byteLength(stem + end) > MAX_BYTES) {
    stem = [...stem].slice(0, -1).join("");
  }
  return stem + end;
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

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
