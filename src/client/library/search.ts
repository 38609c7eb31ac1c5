/**
 * What people type to find something: words that are all to be met, by name,
 * folder, date, kind, camera, caption, or the beginning of an asset's id.
 *
 * @module
 */
import { type Row, takenAt } from "./rows.ts";

/** Says of a row whether it is meant. */
export type Query = (row: Row) => boolean;

const MONTHS = [
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

const KINDS: Readonly<Record<string, RegExp>> = {
  photos: /^image\//,
  photo: /^image\//,
  films: /^video\//,
  film: /^video\//,
  videos: /^video\//,
  video: /^video\//,
  sounds: /^audio\//,
};

const DATE = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;
const ID = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/;

/**
 * Reads a query: every word has to be met. `2024`, `2024-06`, `2024-06-30` and
 * `june` are dates where it was taken, unless a name has them. Words that are
 * all ids mean each of their assets: nothing has two ids.
 */
export function queryOf(text: string): Query {
  const words = text.normalize("NFC").toLowerCase().split(/\s+/)
    .filter((word) => word !== "");
  const tests = words.map(testOf);
  const ids = words.every((word) => ID.test(word)) ? words : [];
  return (row) => {
    if (ids.some((id) => row.id.startsWith(id))) return true;
    const told = toldOf(row);
    return tests.every((test) => test(row, told));
  };
}

type Test = (row: Row, told: string) => boolean;

function testOf(word: string): Test {
  const kind = Object.hasOwn(KINDS, word) ? KINDS[word] : undefined;
  const date = dateTest(word);
  const byId = ID.test(word);
  const flag = word === "favourites" || word === "favourite"
    ? (row: Row) => row.metadata?.favourite === true
    : undefined;
  return (row, told) =>
    told.includes(word) ||
    (byId && row.id.startsWith(word)) ||
    kind?.test(row.metadata?.mime ?? "") === true ||
    date?.(row) === true ||
    flag?.(row) === true;
}

function dateTest(word: string): ((row: Row) => boolean) | undefined {
  const month = MONTHS.findIndex((name) =>
    name === word || (word.length === 3 && name.startsWith(word))
  );
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

/** The day and time where it was taken, as if it were UTC. */
export function localDay(row: Row): Date {
  const offset = row.metadata?.taken_offset ?? 0;
  return new Date(takenAt(row) + offset * 60_000);
}

/** Everything of a row that is text, in lower case. */
function toldOf({ metadata }: Row): string {
  if (metadata === undefined) return "";
  const { name, path, caption, camera } = metadata;
  return [name, path, caption, camera?.make, camera?.model, camera?.lens]
    .filter((text) => text !== undefined)
    .join("\n").normalize("NFC").toLowerCase();
}
