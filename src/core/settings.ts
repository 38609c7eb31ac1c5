/**
 * What settings are made of: a default, a page of the manual, a reader.
 *
 * @module
 */
import { readBytes } from "./sizes.ts";

/** One setting. */
export interface Setting<T> {
  readonly doc: string;
  /** The default, as it would be written. */
  readonly preset: string;
  /** Whether the value is nobody's business: it is never shown. */
  readonly secret: boolean;
  /** Reads the text; throws a {@link SettingFault} that says what is wanted. */
  readonly read: (text: string) => T;
}

/** What a setting wants that its text is not. */
export class SettingFault extends Error {
  override readonly name = "SettingFault";
}

/** Makes a setting from its default, its page and its reader. */
export function setting<T>(
  preset: string,
  doc: string,
  read: (text: string) => T,
): Setting<T> {
  return { doc, preset, secret: false, read };
}

/** Makes a setting whose value is never shown. */
export function secretSetting<T>(
  doc: string,
  read: (text: string) => T,
): Setting<T> {
  return { doc, preset: "", secret: true, read };
}

/** Where a setting's text stands. */
export type Source =
  | { readonly kind: "default" }
  | { readonly kind: "environment" }
  | { readonly kind: "command_line" }
  | {
    readonly kind: "file";
    readonly path: string;
    /** From 1 on. */
    readonly line: number;
  };

/** A setting's text and where it stands. */
export interface Given {
  readonly text: string;
  readonly source: Source;
}

/** Says where a text stands, for people. */
export function sourceText(source: Source): string {
  switch (source.kind) {
    case "default":
      return "default";
    case "environment":
      return "environment";
    case "command_line":
      return "command line";
    case "file":
      return `line ${source.line} of ${source.path}`;
  }
}

/** Reads a whole number. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new SettingFault(
      max === Number.MAX_SAFE_INTEGER
        ? `wants a whole number of at least ${min}`
        : `wants a whole number from ${min} to ${max}`,
    );
  };
}

/** Reads a size in whole bytes, plain or in a unit: `5000`, `50GiB`. */
export function size(min: number, max = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const bytes = readBytes(text) ?? NaN;
    if (bytes >= min && bytes <= max) return bytes;
    const wanted = max === Number.MAX_SAFE_INTEGER
      ? `a size of at least ${min} bytes`
      : `a size from ${min} to ${max} bytes`;
    throw new SettingFault(
      `wants a whole number or one with a unit, as 50GiB, ${wanted}`,
    );
  };
}

/** Reads one of a few words. */
export function oneOf<const T extends string>(...choices: readonly T[]) {
  return (text: string): T => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen !== undefined) return chosen;
    throw new SettingFault(`wants one of ${choices.join(", ")}`);
  };
}

/** The parts of a comma-separated list. */
export function list(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter((part) =>
    part !== ""
  );
}

/** Any text; the empty one is undefined. */
export function textOrNone(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** Every fault of a configuration at once, a line each. */
export class ConfigFault extends Error {
  override readonly name = "ConfigFault";
  constructor(readonly faults: readonly string[]) {
    super(faults.join("\n"));
  }
}

/** What an environment file says, and what is wrong with it. */
export interface EnvFile {
  readonly values: ReadonlyMap<string, Given>;
  /** A line each, with the file and the line's number in it. */
  readonly faults: readonly string[];
}

/**
 * Reads the lines `NAME=value` of an environment file. Empty lines and lines
 * that begin with `#` are passed over; quotes around a value are taken off. A
 * name that stands twice is a fault: nobody can tell which one is meant.
 */
export function parseEnvFile(text: string, path: string): EnvFile {
  const values = new Map<string, { text: string; source: FileSource }>();
  const faults: string[] = [];
  // An editor may have put a byte order mark in front.
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const source: FileSource = { kind: "file", path, line: index + 1 };
    const match = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(
      line,
    );
    if (match?.[1] === undefined || match[2] === undefined) {
      faults.push(`wants NAME=value (${sourceText(source)})`);
      continue;
    }
    const first = values.get(match[1]);
    if (first !== undefined) {
      faults.push(
        `${match[1]}: stands in line ${first.source.line} already: keep one ` +
          `of the two (${sourceText(source)})`,
      );
      continue;
    }
    const value = match[2].replace(/^(["'])(.*)\1$/, "$2");
    values.set(match[1], { text: value, source });
  }
  return { values, faults };
}

type FileSource = Extract<Source, { kind: "file" }>;

/**
 * The known name that somebody may have meant by one that is not known;
 * undefined where none is near. "Near" is at most so many letters wrong.
 */
export function nearestName(
  unknown: string,
  known: readonly string[],
  lettersWrong = 3,
): string | undefined {
  const near = known
    .map((name) => ({ name, distance: editDistance(unknown, name) }))
    .filter(({ distance }) => distance <= lettersWrong)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

/** Letters to put in, take out or replace (Levenshtein's distance). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
