/**
 * Searching: a query of words that must all match a name, folder, date, kind,
 * camera, caption, or the beginning of an asset's id.
 *
 * @module
 */
import { type Row, takenAt } from "./rows.ts";

/** Whether a row matches. */
export type Query = (row: Row) => boolean;

const MONTHS_EN = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** Names of months in every language of queries. */
export const MONTH_NAMES: readonly (readonly string[])[] = [MONTHS_EN, [
  "januar",
  "februar",
  "märz",
  "april",
  "mai",
  "juni",
  "juli",
  "august",
  "september",
  "oktober",
  "november",
  "dezember",
]];

/** Words for kinds of files, in the languages of the programs. */
const KINDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^image\//, ["photo", "photos", "foto", "fotos"]],
  [/^video\//, ["film", "films", "video", "videos", "filme"]],
  [/^audio\//, ["sound", "sounds", "ton", "töne"]],
  [/^(application|text)\//, ["document", "documents", "dokument", "dokumente"]],
];

const FAVOURITES = ["favourite", "favourites", "favorite", "favorites"]
  .concat("favorit", "favoriten");
const SCREENSHOTS = ["screenshot", "screenshots", "bildschirmfoto"]
  .concat("bildschirmfotos");
const SCREENSHOT = /screen[ _-]?shot|screen[ _-]?recording|bildschirmfoto/;

/** Facts about rows that are not in their metadata. */
export interface MoreKnown {
  /** More text of a row, such as the titles of its albums. */
  readonly told?: (row: Row) => string;
  readonly isFavourite?: (row: Row) => boolean;
}

const DATE = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;
const ID = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/;

/**
 * Reads a query; every word must match. `june 2024` and `30 june 2024` match
 * local dates and nothing else. `2024`, `2024-06`, `2024-06-30` and `june`
 * match local dates, or texts that have them as a whole word. If all words are
 * ids, the query matches each of their assets, because no asset has two ids.
 */
export function queryOf(text: string, more: MoreKnown = {}): Query {
  const all = text.normalize("NFC").toLowerCase().split(/\s+/)
    .filter((word) => word !== "");
  const { date, words } = dateIn(all);
  const tests = words.map((word) => testOf(word, more));
  const ids = all.every((word) => ID.test(word)) ? all : [];
  return (row) => {
    if (ids.some((id) => row.id.startsWith(id))) return true;
    if (date?.(row) === false) return false;
    const told = `${toldOf(row)}\n${more.told?.(row) ?? ""}`;
    return tests.every((test) => test(row, told));
  };
}

type Test = (row: Row, told: string) => boolean;

function testOf(word: string, { isFavourite = isMarked }: MoreKnown): Test {
  const kind = KINDS.find(([, names]) => names.includes(word))?.[0];
  const date = dateTest(word);
  const byId = ID.test(word);
  const flag = FAVOURITES.includes(word) ? isFavourite : undefined;
  const screens = SCREENSHOTS.includes(word);
  return (row, told) =>
    (date === undefined ? told.includes(word) : hasWord(told, word)) ||
    (byId && row.id.startsWith(word)) ||
    kind?.test(row.metadata?.mime ?? "") === true ||
    date?.(row) === true ||
    flag?.(row) === true ||
    (screens && SCREENSHOT.test(told));
}

function isMarked({ metadata }: Row): boolean {
  return metadata?.favourite === true;
}

const YEAR = /^\d{4}$/;
const DAY = /^(\d{1,2})(?:\.|st|nd|rd|th)?$/;
/** The least that a month is recognised by. */
const MONTH_LETTERS = 3;

/** The place of a month's name, or of its beginning; -1 if it is none. */
function monthNamed(word: string): number {
  if (word.length < MONTH_LETTERS) return -1;
  const named = (name: string) => name.startsWith(word);
  return Math.max(...MONTH_NAMES.map((names) => names.findIndex(named)));
}

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
  const date = dateTest(
    [plain[ofYear], month, ...(day === undefined ? [] : [day])].join("-"),
  );
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

function dateTest(word: string): ((row: Row) => boolean) | undefined {
  const named = (name: string) =>
    name === word || (word.length === MONTH_LETTERS && name.startsWith(word));
  const month = Math.max(...MONTH_NAMES.map((names) => names.findIndex(named)));
  if (month >= 0) return (row) => localDay(row).getUTCMonth() === month;
  const [, year, monthOfYear, day] = DATE.exec(word) ?? [];
  if (year === undefined) return undefined;
  const wanted = [year, monthOfYear, day]
    .filter((part) => part !== undefined)
    .map((part, at) => at === 0 ? part : part.padStart(2, "0"))
    .join("-");
  return (row) => {
    const { metadata } = row;
    if (metadata?.taken_at === undefined) return false;
    return localDay(row).toISOString().startsWith(wanted);
  };
}

/** The local day and time at which it was taken, as if it were UTC. */
export function localDay(row: Row): Date {
  const offset = row.metadata?.taken_offset ?? 0;
  return new Date(takenAt(row) + offset * 60_000);
}

/** The searchable text of metadata; a change makes a new metadata object. */
const lowered = new WeakMap<object, string>();

/** All texts of a row's metadata, in lower case. */
function toldOf({ metadata }: Row): string {
  if (metadata === undefined) return "";
  const held = lowered.get(metadata);
  if (held !== undefined) return held;
  const { name, path, caption, camera } = metadata;
  const told = [name, path, caption, camera?.make, camera?.model, camera?.lens]
    .filter((text) => text !== undefined)
    .join("\n").normalize("NFC").toLowerCase();
  lowered.set(metadata, told);
  return told;
}
