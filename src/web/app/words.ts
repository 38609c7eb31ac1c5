/**
 * Every text of the app, in the person's language.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { en, type Words } from "./words/en.ts";

/** The languages that there are, by their tags, as they call themselves. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  en: "English",
  de: "Deutsch",
};

const catalogues: Readonly<Record<string, () => Promise<Words>>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import("./words/de.ts")).de,
};

/** The catalogue in use. Read it where it is shown, so that it follows. */
export const words = signal<Words>(en);
/** The tag of the language in use. */
export const language = signal("en");

const CHOSEN = "strongroom.language";

/** Takes the language that was chosen here, or the browser's first known. */
export async function chooseLanguage(chosen?: string): Promise<void> {
  if (chosen !== undefined) remember(chosen);
  const wanted = [remembered(), ...navigator.languages].map((tag) =>
    tag.slice(0, 2).toLowerCase()
  );
  const tag = wanted.find((one) => one in catalogues) ?? "en";
  words.value = await (catalogues[tag] ?? catalogues["en"])?.() ?? en;
  language.value = tag;
  document.documentElement.lang = tag;
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

/** Bytes in powers of 1,000, as shops count them. */
export function sizeText(bytes: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return new Intl.NumberFormat(language.value, {
    style: "unit",
    unit: units[unit] ?? "byte",
    unitDisplay: unit === 0 ? "long" : "short",
    maximumFractionDigits: value < 9.95 && unit > 0 ? 1 : 0,
  }).format(value);
}

/** A number as the language writes it. */
export function numberText(value: number): string {
  return value.toLocaleString(language.value);
}

/** A day or a time as the language writes it, in the reader's zone. */
export function timeText(
  instant: string | number,
  style: Intl.DateTimeFormatOptions = {
    dateStyle: "medium",
    timeStyle: "short",
  },
): string {
  return new Intl.DateTimeFormat(language.value, style).format(
    new Date(instant),
  );
}
