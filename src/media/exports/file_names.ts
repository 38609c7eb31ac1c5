/**
 * Safe names for files on this machine. An asset's name may be malicious; the
 * file's name cannot leave its folder, hide the file, or control a terminal.
 *
 * @module
 */

/** What systems, cameras and disks leave behind. */
const LITTER = new Set([
  "__macosx",
  "thumbs.db",
  "ehthumbs.db",
  "ehthumbs_vista.db",
  "desktop.ini",
  "icon\r",
  "@eadir",
  "#recycle",
  "#snapshot",
  "@recycle",
  "@recently-snapshot",
  "lost+found",
  "$recycle.bin",
  "recycler",
  "system volume information",
]);

/** Hidden names that no person gave. */
const HIDDEN_LITTER =
  /^\.(?:_.*|ds_store|trash.*|spotlight-.*|fseventsd|temporaryitems|documentrevisions-.*|apdisk|appledouble|localized|directory|nomedia|stfolder)$/is;

/** Whether a person may have hidden a file or folder under this name. */
export function isHiddenName(name: string): boolean {
  return name.startsWith(".") && !HIDDEN_LITTER.test(name);
}

/**
 * Whether a file or folder of this name was left behind by a system, and no
 * person misses it. Names that begin with a dot are hidden, and count as such.
 */
export function isLitter(name: string): boolean {
  return name.startsWith(".") || LITTER.has(name.toLowerCase());
}

/** What a file system refuses in names, or does not keep apart. */
export interface NameRules {
  /** Characters that it refuses, in addition to those that no name may have. */
  readonly characters: string;
  /** Whether it refuses the names of Windows' devices, with any extension. */
  readonly refusesDevices: boolean;
  /** Whether it refuses or drops full stops and white space at an end. */
  readonly refusesEnds: boolean;
  /** Whether names that differ in letter case or composition are one. */
  readonly folds: boolean;
  /** Longest name (bytes). */
  readonly maxBytes: number;
}

/** The rules of all file systems together. */
export const EVERY_FILE_SYSTEM: NameRules = {
  characters: '\\:*?"<>|',
  refusesDevices: true,
  refusesEnds: true,
  folds: true,
  maxBytes: 200,
};

/** Longest name of any file system that is in use (bytes). */
export const LONGEST_NAME_BYTES = 255;
/** Names of devices on Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
/** No more of a name is looked at (UTF-16 code units). */
const MAX_UNITS = 1_024;
/** Longest ending that stays, its full stop included (code units). */
const MAX_END = 12;

/**
 * Makes a single name that a file system accepts; without rules, one that every
 * file system accepts.
 */
export function safeName(
  name: string,
  rules: NameRules = EVERY_FILE_SYSTEM,
): string {
  // Of a longer name the ending is worth more than the middle.
  const bounded = name.length <= MAX_UNITS
    ? name
    : name.slice(0, MAX_UNITS - MAX_END) + name.slice(-MAX_END);
  const composed = rules.folds ? bounded.normalize("NFC") : bounded;
  const accepted = composed.replace(forbidden(rules.characters), "_");
  // A name that begins with a hyphen would be an option of many programs.
  let safe = rules.refusesEnds
    ? withoutEnd(accepted).replace(/^(?:[.\s]+|-)/, "_")
    : accepted.replace(/^(?:\.+|-)/, "_");
  if (rules.refusesDevices && RESERVED.test(safe)) safe = `_${safe}`;
  if (safe.trim() === "") safe = "_";
  return shortened(safe, "", rules.maxBytes);
}

const forbiddenByCharacters = new Map<string, RegExp>();

/**
 * In addition to what a file system refuses: separators, what steers a
 * terminal, lone surrogates and noncharacters. What joins letters or keeps them
 * apart (ZWJ, ZWNJ) belongs to words and emoji.
 */
function forbidden(characters: string): RegExp {
  const known = forbiddenByCharacters.get(characters);
  if (known !== undefined) return known;
  const escaped = characters.replace(/[\\|]/g, "\\$&");
  const made = new RegExp(
    "(?:(?![\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\p{Cs}" +
      `\\p{Noncharacter_Code_Point}\\u2028\\u2029/${escaped}])+`,
    "gu",
  );
  forbiddenByCharacters.set(characters, made);
  return made;
}

/** A name with a mark before its ending, cut before the mark to fit. */
function shortened(name: string, mark: string, maxBytes: number): string {
  const dot = name.lastIndexOf(".");
  const end = dot > 0 && name.length - dot <= MAX_END ? name.slice(dot) : "";
  const stem = name.slice(0, name.length - end.length);
  return cut(stem, maxBytes - bytes(mark + end)) + mark + end;
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

/**
 * The name or path of the `number`-th file with the same one; the name has at
 * most so many bytes.
 */
export function nextName(
  path: string,
  number: number,
  maxBytes = LONGEST_NAME_BYTES,
): string {
  if (number === 1) return path;
  const start = path.lastIndexOf("/") + 1;
  const name = path.slice(start);
  const mark = ` (${number})`;
  const dot = name.lastIndexOf(".");
  const next = dot > 0
    ? `${name.slice(0, dot)}${mark}${name.slice(dot)}`
    : `${name}${mark}`;
  return path.slice(0, start) +
    (bytes(next) > maxBytes ? shortened(name, mark, maxBytes) : next);
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
