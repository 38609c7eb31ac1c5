/**
 * What settings are made of: a default, a page of the manual, a reader.
 *
 * @module
 */

/** One setting. */
export interface Setting<T> {
  readonly doc: string;
  /** The default, as it would be written. */
  readonly preset: string;
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
  return { doc, preset, read };
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

/**
 * Reads the lines `NAME=value` of an environment file. Empty lines and lines
 * that begin with `#` are passed over; quotes around a value are taken off.
 */
export function parseEnvFile(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const match = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(
      line,
    );
    if (match?.[1] === undefined || match[2] === undefined) {
      faults.push(`line ${index + 1}: wants NAME=value`);
      continue;
    }
    values[match[1]] = match[2].replace(/^(["'])(.*)\1$/, "$2");
  }
  if (faults.length > 0) throw new ConfigFault(faults);
  return values;
}
