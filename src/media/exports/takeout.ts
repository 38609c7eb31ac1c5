/**
 * Matching the sidecars of a Google Photos export with its files. A sidecar is
 * named `{file}.supplemental-metadata.json`, or `{file}.json` in older exports,
 * and cut to 51 characters. If several files have the same name, the number
 * moves to the end of the sidecar's name. An edited file shares the sidecar of
 * its original. Any part of the export may contain the sidecar.
 *
 * @module
 */
import type { SidecarFacts } from "./sidecar_facts.ts";

/** A sidecar and its path. */
export interface Sidecar {
  /** The path in the export, separated by `/`. */
  readonly path: string;
  readonly facts: SidecarFacts;
}

/** The sidecar that was found for a file. */
export interface Matched {
  readonly sidecar: Sidecar;
  /** True if the file is an edited version of the sidecar's file. */
  readonly isEdited: boolean;
}

const LABEL = ".supplemental-metadata";
/**
 * A sidecar's name is cut to this length, without `.json`; a shorter one was
 * not cut.
 */
const CUT_FROM = 46;
/** A file's name is cut to this length, without its extension. */
const STEM_MAX = 47;
const NUMBER = /\((\d{1,6})\)$/;

/**
 * What an edited file's name has behind the hyphen: a word in the language of
 * the account. Numbers belong to names of others, such as dates.
 */
const EDITED = /^[\p{L}\p{M}\s'’-]+$/u;
/** Ends of originals that may be missing from the export. */
const ORIGINAL_ENDS = [".heic", ".jpg", ".jpeg", ".png", ".dng"];

/** The parts of a name: of `walk(2).jpg` they are `walk`, `.jpg` and 2. */
interface Parts {
  readonly stem: string;
  readonly end: string;
  readonly number: string;
}

/**
 * Makes a matcher from the sidecars of all parts of an export. `files` are the
 * paths of its other files, among which edited ones find their originals.
 */
export function openTakeoutMatcher(
  sidecars: readonly Sidecar[],
  files: readonly string[] = [],
): {
  /**
   * The sidecar of a file; undefined if there is none, or several that differ.
   */
  match(path: string): Matched | undefined;
} {
  const byName = new Map<string, Sidecar[]>();
  const byTitle = new Map<string, Sidecar[]>();
  for (const sidecar of sidecars) {
    const { folder, name } = folderOf(sidecar.path);
    const whole = name.replace(/\.json$/i, "");
    const number = NUMBER.exec(whole)?.[1] ?? "";
    const bare = whole.replace(NUMBER, "");
    put(byName, keyOf(folder, bare, number), sidecar);
    // For a file whose original name ends with a number in brackets.
    if (number !== "") put(byName, keyOf(folder, whole, ""), sidecar);
    put(byTitle, folded(cutTitle(sidecar.facts.title)), sidecar);
  }
  /** Ends of files by their stems. */
  const ends = new Map<string, string[]>();
  for (const path of files) {
    const { folder, name } = folderOf(path);
    const { stem, end, number } = partsOf(name);
    put(ends, keyOf(folder, stem, number), end);
  }
  const search = (folder: string, parts: Parts): Sidecar | undefined => {
    const { stem, end, number } = parts;
    const title = folded(cutTitle(stem + end));
    const base = stem + end;
    const choose = (key: string) => {
      const all = byName.get(key) ?? [];
      // `a.jpg` and `A.JPG` are two files, each with a sidecar.
      const own = all.filter(({ path, facts }) =>
        isCutOf(nameOfSidecar(path), base + LABEL) ||
        facts.title === stem + end
      );
      return agreed(own.length > 0 ? own : all, title);
    };
    const full = base + LABEL;
    for (let length = full.length; length > 0; length--) {
      // The sidecar's name is shorter than the file's: cut, or without the
      // extension.
      const isWithin = length < base.length;
      if (isWithin && length < CUT_FROM && length !== stem.length) continue;
      const found = choose(keyOf(folder, full.slice(0, length), number));
      if (found !== undefined) return found;
    }
    // A title without an extension: the export gave the file one.
    for (let length = LABEL.length; length > 0 && end !== ""; length--) {
      const found = choose(
        keyOf(folder, stem + LABEL.slice(0, length), number),
      );
      if (found?.facts.title === stem) return found;
    }
    if (number === "") return undefined;
    // The number may also be where it is in the file's name.
    const unmoved = `${stem}(${number})${end}`;
    for (
      let length = unmoved.length + LABEL.length;
      length >= unmoved.length;
      length--
    ) {
      const found = choose(
        keyOf(folder, (unmoved + LABEL).slice(0, length), ""),
      );
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const titled = (folder: string, { stem, end, number }: Parts) => {
    const all = (byTitle.get(folded(cutTitle(stem + end))) ?? []).filter(
      ({ path }) => numberOfSidecar(path) === number,
    );
    const near = all.filter(({ path }) => folderOf(path).folder === folder);
    return near.length > 0 ? agreed(near) : agreed(all);
  };
  /**
   * The names that the original of an edited file may have, whose stem begins
   * with that of its original and a hyphen. The number is behind the word; the
   * edited file may have one alone.
   */
  const originalsOf = function* (
    folder: string,
    { stem, end, number }: Parts,
  ): Generator<Parts> {
    for (
      let at = stem.lastIndexOf("-");
      at > 0 && EDITED.test(stem.slice(at + 1));
      at = stem.lastIndexOf("-", at - 1)
    ) {
      const base = stem.slice(0, at);
      for (const own of new Set([number, ""])) {
        const { stem: bare, number: its } = own === ""
          ? partsOf(`${base}.`)
          : { stem: base, number: own };
        const known = ends.get(keyOf(folder, bare, its)) ?? [];
        // An edited file may be a JPEG although its original has another format.
        for (const one of new Set([end, ...known, ...ORIGINAL_ENDS])) {
          yield { stem: bare, end: one, number: its };
        }
      }
    }
  };
  return {
    match(path) {
      const { folder, name } = folderOf(path);
      const parts = partsOf(name);
      const own = search(folder, parts) ?? titled(folder, parts);
      if (own !== undefined) return { sidecar: own, isEdited: false };
      for (const original of originalsOf(folder, parts)) {
        const found = search(folder, original) ?? titled(folder, original);
        if (found !== undefined) return { sidecar: found, isEdited: true };
      }
      return undefined;
    },
  };
}

/** The stem, number and end of a name. */
export function partsOf(name: string): Parts {
  const dot = name.lastIndexOf(".");
  const whole = dot > 0 ? name.slice(0, dot) : name;
  return {
    stem: whole.replace(NUMBER, ""),
    end: dot > 0 ? name.slice(dot) : "",
    number: NUMBER.exec(whole)?.[1] ?? "",
  };
}

/** The folder and the name of a path. */
export function folderOf(
  path: string,
): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf("/");
  return { folder: at < 0 ? "" : path.slice(0, at), name: path.slice(at + 1) };
}

/**
 * The original name of a file, if its name in the export is that one cut or
 * changed; otherwise the name in the export.
 */
export function nameBefore(
  name: string,
  { sidecar, isEdited }: Matched,
): string {
  const { title } = sidecar.facts;
  const { stem, end } = partsOf(name);
  const isSame = folded(cutTitle(title)) === folded(cutTitle(stem + end));
  const fits = title.length > 0 && title.length <= 255 &&
    !/[/\\\p{Cc}]/u.test(title);
  return !isEdited && isSame && fits ? title : name;
}

/**
 * Chooses among several sidecars of a name: the only one with that title, or
 * the first if all state the same.
 */
function agreed(
  sidecars: readonly Sidecar[],
  title?: string,
): Sidecar | undefined {
  const [first, ...others] = sidecars;
  if (first === undefined || others.length === 0) return first;
  const titled = title === undefined
    ? []
    : sidecars.filter(({ facts }) => folded(cutTitle(facts.title)) === title);
  if (titled.length === 1) return titled[0];
  const text = saying(first);
  return others.every((other) => saying(other) === text) ? first : undefined;
}

function saying({ facts: { title, takenAt, place } }: Sidecar): string {
  return JSON.stringify([title, takenAt, place]);
}

/** The name of a sidecar without its ending and its number. */
function nameOfSidecar(path: string): string {
  return folderOf(path).name.replace(/\.json$/i, "").replace(NUMBER, "");
}

/** Whether a name is the beginning of another, letter by letter. */
function isCutOf(name: string, whole: string): boolean {
  return whole.normalize("NFC").startsWith(name.normalize("NFC"));
}

function numberOfSidecar(path: string): string {
  return NUMBER.exec(path.replace(/\.json$/i, ""))?.[1] ?? "";
}

/** The file name that an export makes from a title. */
function cutTitle(title: string): string {
  const safe = title.replace(/[&'"<>:/\\|?*%#{}=+@\p{Cc}]/gu, "_");
  const { stem, end } = splitEnd(safe);
  return stem.slice(0, STEM_MAX + 4 - Math.max(end.length, 4)) + end;
}

function splitEnd(name: string) {
  const dot = name.lastIndexOf(".");
  return dot > 0
    ? { stem: name.slice(0, dot), end: name.slice(dot) }
    : { stem: name, end: "" };
}

function keyOf(folder: string, name: string, number: string): string {
  return `${folded(folder)}\0${folded(name)}\0${number}`;
}

function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function put<T>(map: Map<string, T[]>, key: string, value: T): void {
  const held = map.get(key);
  if (held === undefined) map.set(key, [value]);
  else held.push(value);
}
