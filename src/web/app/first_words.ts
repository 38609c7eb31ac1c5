/**
 * The texts of the first load in the person's language. Modules that are fetched
 * later take all texts from `words.ts`.
 *
 * @module
 */
import { inUnits } from "../../core/sizes.ts";
import { readTime } from "../../core/time.ts";
import { batch, signal } from "@preact/signals";
import { fetched } from "./fetched.ts";
import type { LaterWords } from "./words/en.ts";
import { first as english, type FirstWords } from "./words/en/first.ts";

/** The languages of the app: their own names, by their tags. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  en: "English",
  de: "Deutsch",
};

/** Where a language's texts are. */
interface Catalogue {
  first(): Promise<FirstWords>;
  later(): Promise<LaterWords>;
}

const ENGLISH: Catalogue = {
  first: () => Promise.resolve(english),
  later: async () => (await import("./words/en.ts")).en,
};

const catalogues: Readonly<Record<string, Catalogue>> = {
  en: ENGLISH,
  de: {
    first: async () => (await import("./words/de/first.ts")).first,
    later: async () => (await import("./words/de.ts")).de,
  },
};

/** The texts of the first load, in use. */
export const firstWords = signal<FirstWords>(english);
/** The other texts in use, once a part of the app needed them. */
export const laterWords = signal<LaterWords>();
/** The tag of the language in use. */
export const language = signal("en");
/** The same as the browser's country writes it: `en-GB`, `de-AT`. */
export const locale = signal("en");

/** Fetches the texts that are not of the first load, unless they are here. */
export async function bringWords(): Promise<void> {
  while (laterWords.value === undefined) {
    const tag = language.value;
    const texts = await fetched((catalogues[tag] ?? ENGLISH).later);
    // Another language may have been chosen meanwhile.
    if (tag === language.value) laterWords.value = texts;
  }
}

const CHOSEN = "strongroom.language";

/**
 * Uses the language chosen in this browser, or the first supported one of the
 * browser's. A page that has the other texts in English already gives them: it
 * is shown in all its texts at once.
 */
export async function chooseLanguage(
  chosen?: string,
  inEnglish?: LaterWords,
): Promise<void> {
  if (chosen !== undefined) remember(chosen);
  const wanted = [remembered(), ...navigator.languages].map((tag) =>
    tag.slice(0, 2).toLowerCase()
  );
  const tag = wanted.find((one) => one in catalogues) ?? "en";
  const all = inEnglish !== undefined || laterWords.value !== undefined;
  const laterOf = (from: Catalogue) =>
    from === ENGLISH && inEnglish !== undefined
      ? inEnglish
      : fetched(from.later);
  const load = (from: Catalogue) =>
    Promise.all([fetched(from.first), all ? laterOf(from) : undefined]);
  const found = await load(catalogues[tag] ?? ENGLISH).catch((error) => {
    if (chosen !== undefined) throw error;
    // Better in English than not at all.
    return undefined;
  });
  const used = found === undefined ? "en" : tag;
  const [first, later] = found ?? await load(ENGLISH);
  batch(() => {
    firstWords.value = first;
    laterWords.value = later;
    language.value = used;
    locale.value = localeOf(used, navigator.languages);
  });
  document.documentElement.lang = used;
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

/** Bytes in the units of the command line, in the format of the language. */
export function sizeText(bytes: number): string {
  const { value, unit } = inUnits(bytes);
  if (unit !== "B") return `${value.toLocaleString(locale.value)} ${unit}`;
  return new Intl.NumberFormat(locale.value, {
    style: "unit",
    unit: "byte",
    unitDisplay: "long",
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
  const at = typeof instant === "number" ? instant : readTime(instant);
  // What is no time is not shown, and costs nothing around it.
  const date = new Date(at ?? NaN);
  return Number.isNaN(date.getTime())
    ? ""
    : new Intl.DateTimeFormat(locale.value, style).format(date);
}
