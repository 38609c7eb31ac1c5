/**
 * Names for files of this machine out of what somebody, who may mean harm,
 * wrote into an asset: they cannot leave the folder, hide, or steer a terminal.
 *
 * @module
 */

const MAX_BYTES = 200;
/** Of devices, on Windows, whatever their end. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029/\\:*?"<>|]+/gu;

/** A name that every file system takes as one name. */
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

/** The name for a second file of a name. */
export function nextName(name: string, number: number): string {
  if (number === 1) return name;
  const dot = name.lastIndexOf(".");
  return dot > 0
    ? `${name.slice(0, dot)} (${number})${name.slice(dot)}`
    : `${name} (${number})`;
}

/** Names that a file system without letter case cannot tell apart. */
export function foldedName(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
