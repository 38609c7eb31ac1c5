/**
 * Searching: a query of words that must all match a name, folder, date, kind,
 * camera, caption, keyword, rating, album, word in the picture, or the
 * beginning of an asset's id.
 *
 * @module
 */
import type { Position } from "../../media/places/distance.ts";
import { plainText } from "../../media/plain_text.ts";
import { hasVideo, isSphere } from "../rows/embedded_media.ts";
import {
  finderOf,
  isNear,
  isNearBeginning,
  mayBeMistyped,
  mistakesIn,
  Vocabulary,
} from "../base/mistyped.ts";
import { localDay, type Row } from "../rows/rows.ts";
import { isScreenshotName } from "../showing/screenshots.ts";
import {
  DATE_WORDS,
  dateOfWord,
  datePhrase,
  datesOfNumber,
  DAY_OF_MONTH,
  dayAt,
  type DayTest,
  leadsToDate,
  type LocalDay,
  monthNamed,
} from "./search_dates.ts";
import {
  dayTaken,
  type Facts,
  factsOf,
  lettersOf,
  lettersOfText,
} from "./search_facts.ts";
import { type Meaning, means, wordsFor } from "./search_words.ts";

export { MONTH_NAMES } from "./search_dates.ts";

/** Whether a row matches. */
export type Query = (row: Row) => boolean;

const RAW = ["raw", "raws"];
// Cameras' own formats are all called by the vendor and the ending.
const RAW_MIME = /^image\/x-[a-z]+-[a-z0-9]+$/;
const RAW_NAME =
  /\.(dng|cr2|cr3|nef|nrw|arw|srf|sr2|raf|orf|rw2|pef|srw|raw)$/i;

/**
 * A picture so many times as wide as high, or as high as wide, is a panorama.
 */
const PANORAMA = 2;
/** Lines of text are wide too, and small (pixels). */
const PANORAMA_PIXELS = 2_000;

const ofMime = (mime: RegExp): Query => ({ metadata }) =>
  mime.test(metadata?.mime ?? "");

/** The words for kinds of files, and which those are. */
const KINDS: readonly (readonly [Meaning, Query])[] = [
  ["photos", ofMime(/^image\//)],
  ["videos", ofMime(/^video\//)],
  ["sounds", ofMime(/^audio\//)],
  ["documents", ofMime(/^(application|text)\//)],
  [
    "live",
    ({ metadata }) =>
      metadata !== undefined && metadata.mime.startsWith("image/") &&
      hasVideo(metadata),
  ],
  ["panoramas", isPanorama],
  [
    "spheres",
    ({ metadata }) => metadata !== undefined && isSphere(metadata),
  ],
  [
    "screenshots",
    ({ metadata }) =>
      isScreenshotName(`${metadata?.path ?? ""}/${metadata?.name ?? ""}`),
  ],
];

function isPanorama({ metadata }: Row): boolean {
  if (metadata !== undefined && isSphere(metadata)) return true;
  const { mime = "", width = 1, height = 1 } = metadata ?? {};
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return mime.startsWith("image/") && long >= PANORAMA_PIXELS &&
    long / short >= PANORAMA;
}

/** All words that mean more than themselves, and so may be mistyped. */
const KNOWN_WORDS: ReadonlySet<string> = new Set([
  ...DATE_WORDS,
  ...[
    ...KINDS.map(([meaning]) => meaning),
    "favourites" as const,
    "hidden" as const,
    "archived" as const,
    "stars" as const,
  ].flatMap((meaning) => [...wordsFor(meaning)]),
]);

/** Facts about rows that are not in their metadata, and of the moment. */
export interface MoreKnown {
  /**
   * More text of a row as `plainText` has it, such as the titles of its albums.
   */
  readonly told?: (row: Row) => string;
  /** The words in a row's picture, one a line, as `plainText` has them. */
  readonly words?: (row: Row) => string;
  /** The names of the things in a row's picture, alike; whole words match. */
  readonly things?: (row: Row) => string;
  /** The words of people's names in those texts: `by` may be before them. */
  readonly people?: ReadonlySet<string>;
  /** The words of these rows from the search before, to be added to. */
  readonly vocabulary?: Vocabulary;
  /**
   * Whether places are around a town of this name; undefined for anything else.
   */
  readonly around?: (
    name: string,
  ) => ((place: Position) => boolean) | undefined;
  readonly isFavourite?: (row: Row) => boolean;
  readonly isHidden?: (row: Row) => boolean;
  readonly isArchived?: (row: Row) => boolean;
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
 * local dates and nothing else; `30 june` matches that day of every year. Other
 * dates, such as `2024`, `2024-06-30`, `june`, `monday`, `yesterday`, `last
 * summer` and `christmas 2022`, match local dates, or texts that have them as a
 * whole word, in each language of `search_words.ts`. Marks on letters do not
 * matter. If all words are ids, the query matches each of their assets, because
 * no asset has two ids. Hidden rows match only where the query has the word
 * `hidden`.
 */
export function queryOf(text: string, more: MoreKnown = {}): Query {
  const query = queryOfWords(wordsOf(text), more, new Map());
  return (row) => query(seenOf(row, more));
}

/**
 * Those of the items that a query means. Where there are none, a word of at
 * least five letters that matches nothing by itself is taken for a mistyped
 * one: for a word that means something, such as a month, or else for those in
 * the texts of the rows that begin like it. Words are compared with words, so
 * the work does not grow with the number of photos that have them. Where that
 * finds nothing either, the name of a town is taken for what is around it, and
 * at last words such as `the` and `our` are left out.
 */
export function searched<T>(
  items: readonly T[],
  rowOf: (item: T) => Row,
  text: string,
  more: MoreKnown = {},
): readonly T[] {
  // Looked at once for all that is tried.
  const all = items.map((item) => seenOf(rowOf(item), more));
  const meant = (query: Test) =>
    items.filter((_, at) => {
      const seen = all[at];
      return seen !== undefined && query(seen);
    });
  const words = wordsOf(text);
  const found = foundOrAround(words, more, all, meant);
  const telling = words.filter((word) => !means(word, "fillers"));
  return found.length > 0 || telling.length === 0 ||
      telling.length === words.length
    ? found
    : foundOrAround(telling, more, all, meant);
}

/** What words mean, also as places around a town. */
function foundOrAround<T>(
  words: readonly string[],
  more: MoreKnown,
  all: readonly Seen[],
  meant: (query: Test) => readonly T[],
): readonly T[] {
  const found = foundByWords(words, more, all, meant);
  if (found.length > 0) return found;
  const around = new Map(words.flatMap((word) => {
    const isAround = more.around?.(word);
    return isAround === undefined ? [] : [[word, isAround] as const];
  }));
  return around.size === 0
    ? found
    : meant(queryOfWords(words, more, new Map(), around));
}

/** What words mean, or may have meant where that is nothing. */
function foundByWords<T>(
  words: readonly string[],
  more: MoreKnown,
  all: readonly Seen[],
  meant: (query: Test) => readonly T[],
): readonly T[] {
  const exact = meant(queryOfWords(words, more, new Map()));
  if (exact.length > 0) return exact;
  const suspects = words.filter((word) =>
    mayBeMistyped(word) && !KNOWN_WORDS.has(word) && !ID.test(word)
  );
  if (suspects.length === 0) return exact;
  const { vocabulary = new Vocabulary() } = more;
  for (const { facts, more: told, words, things } of all) {
    vocabulary.add(lettersOf(facts));
    if (told !== "") vocabulary.add(lettersOfText(told));
    if (words !== "") vocabulary.add(words);
    if (things !== "") vocabulary.add(things);
  }
  const mistyped = suspects.filter((word) => !vocabulary.has(word));
  if (mistyped.length === 0) return exact;
  const meantBy = new Map<string, ReadonlySet<string>>();
  const areMeant = (typed: readonly string[]) =>
    typed.every((word) => {
      let near = meantBy.get(word);
      if (near === undefined) {
        near = vocabulary.meant(word);
        meantBy.set(word, near);
      }
      return near.size > 0;
    });
  const righted = words.map((word) => rightedOf(word, mistyped));
  const left = mistyped.filter((word) => righted.includes(word));
  const known = left.length < mistyped.length && areMeant(left)
    ? meant(queryOfWords(righted, more, meantBy))
    : [];
  if (known.length > 0 || !areMeant(mistyped)) return known;
  return meant(queryOfWords(words, more, meantBy));
}

/** The known word that a mistyped one was meant to be, or the word itself. */
function rightedOf(word: string, mistyped: readonly string[]): string {
  if (!mistyped.includes(word)) return word;
  for (let mistakes = 1; mistakes <= mistakesIn(word); mistakes++) {
    for (const known of KNOWN_WORDS) {
      if (mayBeMistyped(known) && isNear(word, known, mistakes)) return known;
    }
  }
  return word;
}

/** Such as in `l'été` and `dell'anno`. */
const ARTICLE = /(^|\s)(?:[cdl]|all|d?ell|nell|quest)'(?=[a-z])/g;

function wordsOf(text: string): readonly string[] {
  return plainText(text)
    .replace(/(\d{1,2}\.) ?(\d{1,2}\.) ?(\d{4})/g, "$1$2$3")
    .replace(ARTICLE, "$1")
    .split(/\s+/).filter((word) => word !== "");
}

function queryOfWords(
  all: readonly string[],
  more: MoreKnown,
  /** What mistyped words were meant to be. */
  meantBy: ReadonlyMap<string, ReadonlySet<string>>,
  /** Whether places are around the towns that words name. */
  around: ReadonlyMap<string, (place: Position) => boolean> = new Map(),
): Test {
  const phrases = phrasesIn(all, more);
  const { date, words } = dateIn(phrases.words);
  const tests = [
    ...phrases.tests,
    ...words.map((word) => {
      const test = testOf(word, more, meantBy.get(word));
      const isAround = around.get(word);
      return isAround === undefined
        ? test
        : (seen: Seen) => test(seen) || isAroundOf(seen, isAround);
    }),
  ];
  const ids = all.every((word) => ID.test(word)) ? all : [];
  const { isHidden = isMarkedHidden } = more;
  const hidesHidden = more.showsHidden !== true &&
    !all.some((word) => means(word, "hidden"));
  const matches = (seen: Seen) =>
    ids.some((id) => seen.row.id.startsWith(id)) ||
    (date?.(seen) !== false && tests.every((test) => test(seen)));
  return (seen) => matches(seen) && !(hidesHidden && isHidden(seen.row));
}

/** A row and its texts, those of the metadata and the others. */
interface Seen {
  readonly row: Row;
  readonly facts: Facts;
  readonly more: string;
  /** Those in the picture. */
  readonly words: string;
  readonly things: string;
}

function seenOf(row: Row, { told, words, things }: MoreKnown): Seen {
  return {
    row,
    facts: factsOf(row),
    more: told?.(row) ?? "",
    words: words?.(row) ?? "",
    things: things?.(row) ?? "",
  };
}

type Test = (seen: Seen) => boolean;

function isAroundOf(
  { row }: Seen,
  isAround: (place: Position) => boolean,
): boolean {
  const { place } = row.metadata ?? {};
  return place !== undefined && isAround(place);
}

function testOf(
  word: string,
  known: MoreKnown,
  meant: ReadonlySet<string> | undefined,
): Test {
  const { isFavourite = isMarked, isHidden = isMarkedHidden, now } = known;
  const { isArchived = isMarkedArchived } = known;
  if (meant !== undefined) {
    const finds = finderOf(meant);
    return ({ facts, more, words, things }) =>
      finds(lettersOf(facts)) ||
      (more !== "" && finds(lettersOfText(more))) ||
      (words !== "" && finds(words)) || (things !== "" && finds(things));
  }
  const kinds = KINDS.filter(([meaning]) => means(word, meaning))
    .map(([, kind]) => kind);
  const dates = datesOfNumber(word);
  const day = dateOfWord(word, now);
  const byId = ID.test(word);
  const flag = means(word, "favourites")
    ? isFavourite
    : means(word, "hidden")
    ? isHidden
    : means(word, "archived")
    ? isArchived
    : undefined;
  const rated = ratingOf(word);
  const isRaw = RAW.includes(word);
  const whole = dates !== undefined || day !== undefined;
  const says = whole ? hasWord : includes;
  return (seen) => {
    const { row, facts, more, words, things } = seen;
    return says(facts.told, word) || says(more, word) || says(words, word) ||
      hasWord(things, word) ||
      (byId && row.id.startsWith(word)) ||
      kinds.some((kind) => kind(row)) ||
      (isRaw && (RAW_NAME.test(row.metadata?.name ?? "") ||
        RAW_MIME.test(row.metadata?.mime ?? ""))) ||
      day?.(dayOf(seen)) === true ||
      (dates !== undefined && isTakenOn(seen, dates)) ||
      flag?.(row) === true ||
      rated?.(row) === true;
  };
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

function isMarkedArchived({ metadata }: Row): boolean {
  return metadata?.archived === true;
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
  { now, people }: MoreKnown,
): { readonly tests: readonly Test[]; readonly words: readonly string[] } {
  const [tests, words]: [Test[], string[]] = [[], []];
  const leadsToPerson = (word: string, next: string | undefined) =>
    next !== undefined && people !== undefined &&
    means(word, "beforePeople") &&
    [...people].some((name) =>
      name.startsWith(next) || isNearBeginning(next, name)
    );
  for (let at = 0; at < all.length; at++) {
    const [word = "", next] = [all[at], all[at + 1]];
    const phrase = datePhrase(all.slice(at), now);
    const rated = next !== undefined && means(next, "stars") &&
        /^[1-5]\+?$/.test(word)
      ? ratingOf(`${word}★`)
      : undefined;
    if (phrase !== undefined) {
      tests.push(phraseTest(all.slice(at, at + phrase.length), phrase.test));
      at += phrase.length - 1;
    } else if (rated !== undefined) {
      tests.push(({ row }) => rated(row));
      at++;
    } else if (!leadsToDate(all.slice(at)) && !leadsToPerson(word, next)) {
      words.push(word);
    }
  }
  return { tests, words };
}

/** An album may be called `Summer 2023`, too. */
function phraseTest(words: readonly string[], test: DayTest): Test {
  const phrase = words.join(" ");
  return (seen) =>
    test(dayOf(seen)) || hasWord(seen.facts.told, phrase) ||
    hasWord(seen.more, phrase);
}

const YEAR = /^\d{4}$/;

/**
 * The date among the words, if a month is with a year or a day before or after
 * it, and the other words. Without a year it is that day of every year, or of
 * a text that has it: digits of names say nothing of it.
 */
function dateIn(
  all: readonly string[],
): { date?: Test; words: readonly string[] } {
  const plain = all.map((word) => word.replace(/,$/, ""));
  const ofYear = plain.findIndex((word) => YEAR.test(word));
  const ofMonth = plain.findIndex((word) =>
    monthNamed(word.replace(/\.$/, "")) >= 0
  );
  if (ofMonth < 0) return { words: all };
  const month = monthNamed((plain[ofMonth] ?? "").replace(/\.$/, "")) + 1;
  const ofDay = [ofMonth - 1, ofMonth + 1].find((at) => {
    const day = Number(DAY_OF_MONTH.exec(plain[at] ?? "")?.[1]);
    return day >= 1 && day <= 31;
  });
  const day = DAY_OF_MONTH.exec(plain[ofDay ?? -1] ?? "")?.[1];
  if (ofYear < 0) {
    if (ofDay === undefined) return { words: all };
    const [from, to] = [Math.min(ofDay, ofMonth), Math.max(ofDay, ofMonth) + 1];
    const phrase = all.slice(from, to).join(" ");
    return {
      date: (seen) =>
        isTakenOn(
          seen,
          (at) => at.month === month - 1 && at.date === Number(day),
        ) ||
        hasWord(seen.facts.told, phrase) || hasWord(seen.more, phrase),
      words: [...all.slice(0, from), ...all.slice(to)],
    };
  }
  const test = datesOfNumber(
    [plain[ofYear], month, ...(day === undefined ? [] : [day])].join("-"),
  );
  const date = test && ((seen: Seen) => isTakenOn(seen, test));
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

/** When it was taken, or else when it was stored. */
function dayOf(seen: Seen): LocalDay {
  return dayTaken(seen) ?? dayAt(localDay(seen.row).getTime());
}

/** Whether it was taken on a day of some date. */
function isTakenOn(seen: Seen, test: DayTest): boolean {
  const day = dayTaken(seen);
  return day !== undefined && test(day);
}
