/**
 * The parts of settings: a default, a text of the manual and a reader of
 * values. Also environment files, and guesses at misspelt names.
 *
 * @module
 */
import { readBytes } from "./sizes.ts";

/** One setting. */
interface Setting<T> {
  readonly doc: string;
  /** The default, in the form in which an operator writes the value. */
  readonly preset: string;
  /** Whether the value is a secret, which is never shown. */
  readonly secret: boolean;
  /**
   * Reads the value; throws a {@link SettingFault} for one that is not valid.
   */
  readonly read: (text: string) => T;
}

/** Settings by their names. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** A text that is no value of its setting; the message says what is wanted. */
export class SettingFault extends Error {
  override readonly name = "SettingFault";
}

/** Makes a setting from its default, its text of the manual and its reader. */
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

/** Where the text of a setting was given. */
type Source =
  | { readonly kind: "default" }
  | { readonly kind: "environment" }
  | { readonly kind: "command_line" }
  | {
    readonly kind: "file";
    readonly path: string;
    /** The first line is 1. */
    readonly line: number;
  };

/** The text of a setting and where it was given. */
export interface Given {
  readonly text: string;
  readonly source: Source;
}

/** Names a source, for people. */
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

/** The text; undefined if it is empty. */
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

/** The values of an environment file, and its faults. */
export interface EnvFile {
  readonly values: ReadonlyMap<string, Given>;
  /** One line each, naming the file and the number of the faulty line. */
  readonly faults: readonly string[];
}

/**
 * Reads the lines `NAME=value` of an environment file. Skips empty lines and
 * lines that begin with `#`, and removes quotes around a value. A name that is
 * set twice is a fault, because either value may be meant.
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
    // systemd, too, takes what stands behind a value for a part of it.
    if (value === match[2] && /\s#/.test(value)) {
      faults.push(
        `${match[1]}: a comment needs a line of its own; a value with a # in ` +
          `it needs quotes (${sourceText(source)})`,
      );
    }
    values.set(match[1], { text: value, source });
  }
  return { values, faults };
}

type FileSource = Extract<Source, { kind: "file" }>;

/**
 * The known name that is most like an unknown one, with at most `lettersWrong`
 * letters wrong; undefined if no name is that close.
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

/** Number of letters to insert, remove or replace (Levenshtein's distance). */
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
