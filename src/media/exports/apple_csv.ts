/**
 * Reading the tables of the copy of iCloud Photos that Apple sends on request
 * (privacy.apple.com): `Photos/Photo Details*.csv` describe the photos of their
 * folder, `Albums/*.csv` list the names of an album's photos. Columns and dates
 * as in simulot/immich-go, `adapters/folder/icloud.go` and its issue 1314.
 *
 * @module
 */
import { instantOf } from "../exif/dates.ts";

/** What a table tells of a photo. */
export interface AppleDetails {
  readonly name: string;
  /** RFC 3339 in UTC, to the minute. */
  readonly takenAt?: string;
  readonly favourite: boolean;
  readonly hidden: boolean;
  readonly deleted: boolean;
}

/** Rows of a table at most; a file of the size that is read has fewer. */
const MOST_ROWS = 100_000;
const MOST_FIELDS = 64;

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
/** `Saturday June 4,2022 12:11 PM GMT`. */
const DATE =
  /^\p{L}+ (\p{L}+) (\d{1,2}), ?(\d{4}) (\d{1,2}):(\d\d)\s(AM|PM) GMT$/u;

/** Reads a table of details; undefined if it is another one. Never throws. */
export function readAppleDetails(text: string): AppleDetails[] | undefined {
  const [head = [], ...rows] = rowsOf(text);
  const at = (name: string) => head.indexOf(name);
  const [name, taken] = [at("imgName"), at("originalCreationDate")];
  if (name < 0 || taken < 0) return undefined;
  const [favourite, hidden, deleted] = [
    at("favorite"),
    at("hidden"),
    at("deleted"),
  ];
  return rows.flatMap((row) => {
    const called = row[name];
    if (called === undefined || called === "") return [];
    const takenAt = dateOf(row[taken] ?? "");
    return [{
      name: called.normalize("NFC"),
      ...(takenAt === undefined ? {} : { takenAt }),
      favourite: row[favourite] === "yes",
      hidden: row[hidden] === "yes",
      deleted: row[deleted] === "yes",
    }];
  });
}

/**
 * The names of an album's photos, in a table of one column; undefined if it is
 * another one. Never throws.
 */
export function readAppleAlbum(text: string): string[] | undefined {
  const [head, ...rows] = rowsOf(text);
  if (head?.length !== 1 || rows.some((row) => row.length !== 1)) {
    return undefined;
  }
  return rows.flatMap(([name = ""]) =>
    name === "" ? [] : [name.normalize("NFC")]
  );
}

function dateOf(text: string): string | undefined {
  const [, month = "", day, year, hour, minute, half] = DATE.exec(text) ?? [];
  const at = MONTHS.indexOf(month.toLowerCase());
  const hours = Number(hour);
  if (at < 0 || hours < 1 || hours > 12 || Number(minute) > 59) {
    return undefined;
  }
  return instantOf(
    Date.UTC(
      Number(year),
      at,
      Number(day),
      hours % 12 + (half === "PM" ? 12 : 0),
      Number(minute),
    ),
  );
}

/** The rows of a table with commas and quotes (RFC 4180), without empty ones. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // A field is plain or in quotes, in which a quote is doubled.
  const field = /(?:"([^"]*(?:""[^"]*)*)"|((?!")[^,\r\n]*))(,|\r?\n|$)/gy;
  field.lastIndex = text.startsWith("\uFEFF") ? 1 : 0;
  while (field.lastIndex < text.length && rows.length < MOST_ROWS) {
    const found = field.exec(text);
    if (found === null) return [];
    const [, quoted, plain = "", end] = found;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (row.length > MOST_FIELDS) return [];
    if (end === ",") continue;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push([...row, ""]);
  return rows;
}
