/**
 * The texts of the app in the person's language.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { en, type Words } from "./words/en.ts";

/** The languages of the app: their own names, by their tags. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  en: "English",
  de: "Deutsch",
};

const catalogues: Readonly<Record<string, () => Promise<Words>>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import("./words/de.ts")).de,
};

/**
 * The texts in use. Read the signal where a text is shown, so that it follows
 * the language.
 */
export const words = signal<Words>(en);
/** The tag of the language in use. */
export const language = signal("en");
/** The same as the browser's country writes it: `en-GB`, `de-AT`. */
export const locale = signal("en");

const CHOSEN = "strongroom.language";

/**
 * Uses the language chosen in this browser, or the first supported one of the
 * browser's.
 */
export async function chooseLanguage(chosen?: string): Promise<void> {
  if (chosen !== undefined) remember(chosen);
  const wanted = [remembered(), ...navigator.languages].map((tag) =>
    tag.slice(0, 2).toLowerCase()
  );
  const tag = wanted.find((one) => one in catalogues) ?? "en";
  words.value = await (catalogues[tag] ?? catalogues["en"])?.() ?? en;
  language.value = tag;
  locale.value = localeOf(tag, navigator.languages);
  document.documentElement.lang = tag;
}

/**
 * How dates and numbers are written in a language: as in the country that the
 * browser names. Who reads English in another country writes no dates as in
 * the United States.
 */
export function localeOf(tag: string, preferred: readonly string[]): string {
  const own = preferred.find((one) =>
    one.slice(0, 2).toLowerCase() === tag && /^[a-z]{2}(-\w+)*$/i.test(one)
  );
  return own ?? (tag === "en" ? "en-GB" : tag);
}

// Storage may be refused (private windows): the choice then lasts a visit.
function remembered(): string {
  try {
    return localStorage.getItem(CHOSEN) ?? "";
  } catch {
    return "";
  }
}

function remember(tag: string): void {
  try {
    localStorage.setItem(CHOSEN, tag);
  } catch {
    // Said above.
  }
}

/** Bytes in units of powers of 1,000, as on the boxes of disks. */
export function sizeText(bytes: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return new Intl.NumberFormat(locale.value, {
    style: "unit",
    unit: units[unit] ?? "byte",
    unitDisplay: unit === 0 ? "long" : "short",
    maximumFractionDigits: value < 9.95 && unit > 0 ? 1 : 0,
  }).format(value);
}

/** A number in the format of the language. */
export function numberText(value: number): string {
  return value.toLocaleString(locale.value);
}

/**
 * A day or a time in the format of the language and the browser's time zone.
 */
export function timeText(
  instant: string | number,
  style: Intl.DateTimeFormatOptions = {
    dateStyle: "medium",
    timeStyle: "short",
  },
): string {
  return new Intl.DateTimeFormat(locale.value, style).format(
    new Date(instant),
  );
}
