/**
 * The texts of the first load in the person's language. Modules that are fetched
 * later take all texts from `messages.ts`.
 *
 * @module
 */
import { inUnits } from "../../core/sizes.ts";
import { readTime } from "../../core/time.ts";
import { batch, signal } from "@preact/signals";
import { browserFetch } from "../browser.ts";
import { fetched } from "./fetched.ts";
import { texts as english } from "./messages/en_first.ts";
import { speaking, type Texts } from "./messages/format.ts";
import languages from "./messages/languages.json" with { type: "json" };
import type { FirstMessages, LaterMessages } from "./messages/types.ts";
import { fileAddress } from "./trusted.ts";

/** The languages of the app: their own names, by their tags. */
export const LANGUAGES: Readonly<Record<string, string>> = languages;

/** The texts of the first load, in use. */
export const firstMessages = signal(speakingFirst(english, "en"));
/** The other texts in use, once a part of the app needed them. */
export const laterMessages = signal<LaterMessages>();
/** The tag of the language in use. */
export const language = signal("en");
/** The same as the browser's country writes it: `en-GB`, `de-AT`. */
export const locale = signal("en");

/** The first texts of a language, as the app says them. */
function speakingFirst(texts: Texts, tag: string): FirstMessages {
  // The types are made of the English catalogue, and a test holds the others
  // to it.
  return speaking(texts, { tag, written: numberText }) as FirstMessages;
}

/** The other texts of a language, as the app says them. */
function speakingLater(texts: Texts, tag: string): LaterMessages {
  return speaking(texts, { tag, written: numberText }) as LaterMessages;
}

const files = new Map<string, Promise<Texts>>();

/** A file of a language's texts, fetched once. */
export function fetchedTexts(
  tag: string,
  part: "first" | "later" | "findings",
): Promise<Texts> {
  const name = `texts-${tag}-${part}.json`;
  const fetching = files.get(name) ?? fetched(async () => {
    const response = await browserFetch(fileAddress(name), {});
    if (!response.ok) throw new Error("the texts cannot be fetched");
    return await response.json();
  });
  files.set(name, fetching);
  fetching.catch(() => files.delete(name));
  return fetching;
}

/** Fetches the texts that are not of the first load, unless they are here. */
export async function bringMessages(): Promise<void> {
  while (laterMessages.value === undefined) {
    const tag = language.value;
    const texts = await fetchedTexts(tag, "later");
    // Another language may have been chosen meanwhile.
    if (tag === language.value) {
      laterMessages.value = speakingLater(texts, tag);
    }
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
  inEnglish?: Texts,
): Promise<void> {
  if (chosen !== undefined) remember(chosen);
  const wanted = [remembered(), ...navigator.languages].map((tag) =>
    tag.slice(0, 2).toLowerCase()
  );
  const tag = wanted.find((one) => one in LANGUAGES) ?? "en";
  const all = inEnglish !== undefined || laterMessages.value !== undefined;
  const load = async (used: string) => {
    const isEnglish = used === "en";
    const later = isEnglish && inEnglish !== undefined
      ? inEnglish
      : all
      ? fetchedTexts(used, "later")
      : undefined;
    const first = isEnglish ? english : fetchedTexts(used, "first");
    return await Promise.all([used, first, later]);
  };
  const [used, first, later] = await load(tag).catch((error) => {
    if (chosen !== undefined) throw error;
    // Better in English than not at all.
    return load("en");
  });
  batch(() => {
    firstMessages.value = speakingFirst(first, used);
    laterMessages.value = later === undefined
      ? undefined
      : speakingLater(later, used);
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
function localeOf(tag: string, preferred: readonly string[]): string {
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

/** Several things in a sentence: `Ada, Bob and Eve`. */
export function listText(things: readonly string[]): string {
  return new Intl.ListFormat(locale.value).format(things);
}

/** The text of a key that comes from elsewhere, if there is one. */
export function textNamed(
  texts: Readonly<Record<string, string>>,
  key: string,
): string | undefined {
  return texts[key];
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

/** A day, such as `1 Nov 2026`. */
export function dayText(instant: string): string {
  return timeText(instant, { dateStyle: "medium" });
}
