/**
 * Searching: a query of words that must all match a name, folder, date, kind,
 * camera, caption, keyword, rating, album, or the beginning of an asset's id.
 *
 * @module
 */
import { isNear, lettersIn, mayBeMistyped, nearFinder } from "./mistyped.ts";
import { localDay, type Row } from "./rows.ts";
import {
  DATE_WORDS,
  dateOfWord,
  datePhrase,
  datesOfNumber,
  dayAt,
  type DayTest,
  leadsToDate,
  type LocalDay,
  monthNamed,
} from "./search_dates.ts";

export { MONTH_NAMES } from "./search_dates.ts";

/** Whether a row matches. */
export type Query = (row: Row) => boolean;

/** Words for kinds of files, in the languages of the programs. */
const KINDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^image\//, ["photo", "photos", "foto", "fotos"]],
  [/^video\//, ["film", "films", "video", "videos", "filme"]],
  [/^audio\//, ["sound", "sounds", "ton", "töne"]],
  [/^(application|text)\//, ["document", "documents", "dokument", "dokumente"]],
  // Cameras' own formats are all called by the vendor and the ending.
  [/^image\/x-[a-z]+-[a-z0-9]+$/, ["raw", "raws"]],
];
const RAW = ["raw", "raws"];
const RAW_NAME =
  /\.(dng|cr2|cr3|nef|nrw|arw|srf|sr2|raf|orf|rw2|pef|srw|raw)$/i;

const FAVOURITES = ["favourite", "favourites", "favorite", "favorites"]
  .concat("favorit", "favoriten");
const SCREENSHOTS = ["screenshot", "screenshots", "bildschirmfoto"]
  .concat("bildschirmfotos");
const SCREENSHOT = /screen[ _-]?shot|screen[ _-]?recording|bildschirmfoto/;
const HIDDEN = ["hidden", "ausgeblendet", "ausgeblendete", "versteckt"];
const STARS = ["star", "stars", "stern", "sterne"];

/** All words that mean more than themselves, and so may be mistyped. */
const KNOWN_WORDS = [
  ...DATE_WORDS,
  ...KINDS.flatMap(([, names]) => names),
  ...FAVOURITES,
  ...SCREENSHOTS,
  ...HIDDEN,
  ...STARS,
];

/** Facts about rows that are not in their metadata, and of the moment. */
export interface MoreKnown {
  /** More text of a row in lower case, such as the titles of its albums. */
  readonly told?: (row: Row) => string;
  readonly isFavourite?: (row: Row) => boolean;
  readonly isHidden?: (row: Row) => boolean;
  /** Whether hidden rows match without the query's asking for them. */
  readonly showsHidden?: boolean;
  /**
   * The local time, as if it were UTC (ms), for `today` and the like; without
   * it they are words as others are.
   */
  readonly now?: number;
}

const ID = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/;

/**
 * Reads a query; every word must match. `june 2024` and `30 june 2024` match
 * local dates and nothing else. Other dates, such as `2024`, `2024-06-30`,
 * `june`, `monday`, `yesterday`, `last summer` and `christmas 2022`, match
 * local dates, or texts that have them as a whole word. If all words are ids,
 * the query matches each of their assets, because no asset has two ids. Hidden
 * rows match only where the query has the word `hidden`.
 */
export function queryOf(text: string, more: MoreKnown = {}): Query {
  return queryOfWords(wordsOf(text), more, []);
}

/**
 * Those of the items that a query means. Where there are none, a word of at
 * least five letters that matches nothing by itself is taken for a mistyped
 * one: for a word that means something, such as a month, or else for those in
 * the texts of the rows that begin like it.
 */
export function searched<T>(
  items: readonly T[],
  rowOf: (item: T) => Row,
  text: string,
  more: MoreKnown = {},
): readonly T[] {
  const meant = (query: Query) => items.filter((item) => query(rowOf(item)));
  const exact = meant(queryOf(text, more));
  if (exact.length > 0) return exact;
  const words = wordsOf(text);
  const suspects = words.filter((word) =>
    mayBeMistyped(word) && !KNOWN_WORDS.includes(word) && !ID.test(word)
  );
  if (suspects.length === 0) return exact;
  const texts = new Set<string>();
  for (const item of items) {
    const row = rowOf(item);
    texts.add(lettersOf(row));
    const told = more.told?.(row) ?? "";
    if (told !== "") texts.add(lettersIn(told));
  }
  const isSomewhere = (word: string) =>
    texts.values().some((text) => text.includes(word));
  const mistyped = suspects.filter((word) => !isSomewhere(word));
  if (mistyped.length === 0) return exact;
  const righted = words.map((word) => rightedOf(word, mistyped));
  const left = mistyped.filter((word) => righted.includes(word));
  const mayMatch = (among: readonly string[]) =>
    among.every((word) => texts.values().some(nearFinder(word)));
  const known = left.length < mistyped.length && mayMatch(left)
    ? meant(queryOfWords(righted, more, left))
    : [];
  if (known.length > 0 || !mayMatch(mistyped)) return known;
  return meant(queryOfWords(words, more, mistyped));
}

/** The known word that a mistyped one was meant to be, or the word itself. */
function rightedOf(word: string, mistyped: readonly string[]): string {
  if (!mistyped.includes(word)) return word;
  return KNOWN_WORDS.find((known) =>
    mayBeMistyped(known) && isNear(word, known)
  ) ?? word;
}

function wordsOf(text: string): readonly string[] {
  return text.normalize("NFC").toLowerCase()
    .replace(/(\d{1,2}\.) ?(\d{1,2}\.) ?(\d{4})/g, "$1$2$3")
    .split(/\s+/).filter((word) => word !== "");
}

function queryOfWords(
  all: readonly string[],
  more: MoreKnown,
  mistyped: readonly string[],
): Query {
  const phrases = phrasesIn(all, more);
  const { date, words } = dateIn(phrases.words);
  const tests = [
    ...phrases.tests,
    ...words.map((word) => testOf(word, more, mistyped.includes(word))),
  ];
  const ids = all.every((word) => ID.test(word)) ? all : [];
  const { isHidden = isMarkedHidden } = more;
  const hidesHidden = more.showsHidden !== true &&
    !all.some((word) => HIDDEN.includes(word));
  const matches = (row: Row) => {
    if (ids.some((id) => row.id.startsWith(id))) return true;
    if (date?.(row) === false) return false;
    const { told } = factsOf(row);
    const seen = { row, told, more: more.told?.(row) ?? "" };
    return tests.every((test) => test(seen));
  };
  return (row) => matches(row) && !(hidesHidden && isHidden(row));
}

/** A row and its texts, those of the metadata and the others. */
interface Seen {
  readonly row: Row;
  readonly told: string;
  readonly more: string;
}

type Test = (seen: Seen) => boolean;

function testOf(
  word: string,
  { isFavourite = isMarked, isHidden = isMarkedHidden, now }: MoreKnown,
  isMistyped: boolean,
): Test {
  if (isMistyped) {
    const near = nearFinder(word);
    return ({ row, more }) =>
      near(lettersOf(row)) || (more !== "" && near(lettersIn(more)));
  }
  const kinds = KINDS.filter(([, names]) => names.includes(word));
  const dates = datesOfNumber(word);
  const day = dateOfWord(word, now);
  const byId = ID.test(word);
  const flag = FAVOURITES.includes(word)
    ? isFavourite
    : HIDDEN.includes(word)
    ? isHidden
    : undefined;
  const rated = ratingOf(word);
  const screens = SCREENSHOTS.includes(word);
  const isRaw = RAW.includes(word);
  const whole = dates !== undefined || day !== undefined;
  const says = whole ? hasWord : includes;
  return ({ row, told, more }) =>
    says(told, word) || says(more, word) ||
    (byId && row.id.startsWith(word)) ||
    kinds.some(([mime]) => mime.test(row.metadata?.mime ?? "")) ||
    (isRaw && RAW_NAME.test(row.metadata?.name ?? "")) ||
    day?.(dayOfRow(row)) === true ||
    (dates !== undefined && row.metadata?.taken_at !== undefined &&
      dates(dayOfRow(row))) ||
    flag?.(row) === true ||
    rated?.(row) === true ||
    (screens && SCREENSHOT.test(told));
}

function includes(told: string, word: string): boolean {
  return told.includes(word);
}

function isMarked({ metadata }: Row): boolean {
  return metadata?.favourite === true;
}

function isMarkedHidden({ metadata }: Row): boolean {
  return metadata?.hidden === true;
}

const RATING = /^([1-5])(\+?)(?:★|\*)$/;

/** What a word such as `★★★`, `3★` or `3+★` says of ratings. */
function ratingOf(word: string): Query | undefined {
  const [, stars, plus] = RATING.exec(word) ?? [];
  const row = /^(★{1,5})☆*$/.exec(word)?.[1];
  if (stars === undefined && row === undefined) return undefined;
  const wanted = row?.length ?? Number(stars);
  return ({ metadata }) => {
    const rating = metadata?.rating ?? 0;
    return plus === "+" ? rating >= wanted : rating === wanted;
  };
}

/** Dates and ratings of several words, and the other words. */
function phrasesIn(
  all: readonly string[],
  { now }: MoreKnown,
): { readonly tests: readonly Test[]; readonly words: readonly string[] } {
  const [tests, words]: [Test[], string[]] = [[], []];
  for (let at = 0; at < all.length; at++) {
    const [word = "", next] = [all[at], all[at + 1]];
    const phrase = datePhrase(all.slice(at), now);
    const rated = next !== undefined && STARS.includes(next) &&
        /^[1-5]\+?$/.test(word)
      ? ratingOf(`${word}★`)
      : undefined;
    if (phrase !== undefined) {
      tests.push(phraseTest(all.slice(at, at + phrase.length), phrase.test));
      at += phrase.length - 1;
    } else if (rated !== undefined) {
      tests.push(({ row }) => rated(row));
      at++;
    } else if (!leadsToDate(word, next)) words.push(word);
  }
  return { tests, words };
}

/** An album may be called `Summer 2023`, too. */
function phraseTest(words: readonly string[], test: DayTest): Test {
  const phrase = words.join(" ");
  return ({ row, told, more }) =>
    test(dayOfRow(row)) || hasWord(told, phrase) || hasWord(more, phrase);
}

const YEAR = /^\d{4}$/;
const DAY = /^(\d{1,2})(?:\.|st|nd|rd|th)?$/;

/** The date among the words, if a month and a year are, and the other words. */
function dateIn(
  all: readonly string[],
): { date?: (row: Row) => boolean; words: readonly string[] } {
  const plain = all.map((word) => word.replace(/,$/, ""));
  const ofYear = plain.findIndex((word) => YEAR.test(word));
  const ofMonth = plain.findIndex((word) =>
    monthNamed(word.replace(/\.$/, "")) >= 0
  );
  if (ofYear < 0 || ofMonth < 0) return { words: all };
  const month = monthNamed((plain[ofMonth] ?? "").replace(/\.$/, "")) + 1;
  const ofDay = [ofMonth - 1, ofMonth + 1].find((at) => {
    const day = Number(DAY.exec(plain[at] ?? "")?.[1]);
    return day >= 1 && day <= 31;
  });
  const day = DAY.exec(plain[ofDay ?? -1] ?? "")?.[1];
  const test = datesOfNumber(
    [plain[ofYear], month, ...(day === undefined ? [] : [day])].join("-"),
  );
  const date = test &&
    ((row: Row) => row.metadata?.taken_at !== undefined && test(dayOfRow(row)));
  const used = [ofYear, ofMonth, ofDay];
  return {
    ...(date === undefined ? {} : { date }),
    words: all.filter((_, at) => !used.includes(at)),
  };
}

const PART_OF_WORD = /[\p{L}\p{N}]/u;

/** Whether a text has a word, not just as a part of a longer one. */
function hasWord(told: string, word: string): boolean {
  const isPart = (at: number) => PART_OF_WORD.test(told.charAt(at));
  let at = told.indexOf(word);
  while (at >= 0) {
    if (!isPart(at - 1) && !isPart(at + word.length)) return true;
    at = told.indexOf(word, at + 1);
  }
  return false;
}

/** What is searched in metadata. */
interface Facts {
  /** All texts, in lower case. */
  readonly told: string;
  /** Absent where the metadata says nothing of the date. */
  readonly day?: LocalDay;
  /** See {@link lettersOf}. */
  letters?: string;
}

/** By metadata: a change makes a new metadata object. */
const held = new WeakMap<object, Facts>();
const NO_FACTS: Facts = { told: "" };

function factsOf(row: Row): Facts {
  const { metadata } = row;
  if (metadata === undefined) return NO_FACTS;
  const known = held.get(metadata);
  if (known !== undefined) return known;
  const { name, path, caption, camera, keywords = [] } = metadata;
  const told = [name, path, caption, camera?.make, camera?.model, camera?.lens]
    .concat(keywords).filter((text) => text !== undefined)
    .join("\n").normalize("NFC").toLowerCase();
  const facts = metadata.taken_at === undefined
    ? { told }
    : { told, day: dayAt(localDay(row).getTime()) };
  held.set(metadata, facts);
  return facts;
}

/** The words of letters in a row's texts, made when first asked for. */
function lettersOf(row: Row): string {
  const facts = factsOf(row);
  return facts.letters ??= lettersIn(facts.told);
}

function dayOfRow(row: Row): LocalDay {
  return factsOf(row).day ?? dayAt(localDay(row).getTime());
}
