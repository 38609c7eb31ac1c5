/**
 * Dates as cameras and programs write them, and which of several is believed.
 *
 * @module
 */

/** A date of taking. */
export interface Taken {
  /** RFC 3339 in UTC. If no offset is known, local time counts as UTC. */
  readonly takenAt?: string;
  /** Offset of local time, in minutes east of UTC. */
  readonly takenOffset?: number;
  /** The time is UTC although no offset is known, as in videos. */
  readonly takenIsUtc?: true;
}

/**
 * Where the date of a file may be from. The first source that has a possible
 * date wins. A person's word (edited in a sidecar or in Google Photos) precedes
 * all of them; a sidecar that no one edited comes before the name. Where none
 * has a date, the disk's counts. See the page on dates in the manual.
 */
const DATE_ORDER = [
  "original",
  "digitized",
  "xmp",
  "iptc",
  "text",
  "gps",
  "name",
  // Programs write it when they save: it says when a picture was edited.
  "modified",
] as const;

/** The dates of a file, by where they are from. */
export type Dates = Readonly<
  Partial<Record<(typeof DATE_ORDER)[number], Taken | undefined>>
>;

/** The date that is believed, and where it is from. */
export function believed(
  dates: Dates,
): { readonly from: keyof Dates; readonly taken: Taken } | undefined {
  for (const from of DATE_ORDER) {
    const taken = dates[from];
    if (taken?.takenAt !== undefined) {
      return {
        from,
        taken: withOffset(
          taken,
          Object.values(dates).filter((one) => one !== undefined),
        ),
      };
    }
  }
  return undefined;
}

/** A local time, with the offset of another one that is the same. */
export function withOffset(taken: Taken, others: readonly Taken[]): Taken {
  if (taken.takenOffset !== undefined || taken.takenIsUtc) return taken;
  const local = Date.parse(taken.takenAt ?? "");
  const same = others.find(({ takenAt = "", takenOffset }) =>
    takenOffset !== undefined &&
    Math.abs(Date.parse(takenAt) + takenOffset * 60_000 - local) < 1_000
  );
  if (same?.takenOffset === undefined) return taken;
  const takenAt = instantOf(local - same.takenOffset * 60_000);
  return takenAt === undefined
    ? taken
    : { takenAt, takenOffset: same.takenOffset };
}

const YEAR_FIRST =
  /^\s*(\d{4})(?:[-:/.\s]\s*(\d{1,2})(?:[-:/.\s]\s*(\d{1,2})\/?)?)?(?:[\sT]\s*|\s*$)/;
const CLOCK =
  /^(\d{1,2})[-:.\s]\s*(\d{1,2})(?:[-:.\s]\s*(\d{1,2})(?![:\d]))?(?:[.,](\d{1,9}))?\s*(?:([ap])\.?m?\.?(?![a-z]))?\s*/i;
/** All digits together, as ISO 8601 allows. */
const DIGITS = /^\s*(\d{4})(\d\d)(\d\d)(?:[T\s]?(\d\d)(\d\d)(\d\d)?(?!\d)|$)/;
/** As the clock of a computer: `Sat Jun 01 12:00:00 2019`. */
const COMPUTER =
  /^\s*[a-z]{3},?\s+([a-z]{3})\s+(\d{1,2})\s+([\d:]+)\s+(\d{4})(?!\d)/i;
/** As in mail, which PNG suggests: `Wed, 02 Jan 2019 12:34:56 +0200`. */
const MAIL =
  /^\s*(?:[a-z]{3},?\s+)?(\d{1,2})[\s-]([a-z]{3})[\s-](\d{4})\s+([\d:]+)/i;
const MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
const OFFSET = /^(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/;
/** No date is longer (UTF-16 code units). */
const MAX_DATE = 64;

/**
 * Reads a local time as cameras and programs write it, in all forms that were
 * seen: other separators, padding, no seconds, parts of a second, an offset in
 * the text, which wins over the given one, or a day alone.
 */
export function takenOf(
  local: string | undefined,
  offset?: string | undefined,
  subSecond?: string | undefined,
): Taken {
  const text = yearFirst((local ?? "").slice(0, MAX_DATE));
  const [dated, year, month = "1", day = "1"] = YEAR_FIRST.exec(text) ?? [];
  if (dated === undefined) return {};
  const date = [Number(year), Number(month), Number(day)] as const;
  const rest = text.slice(dated.length).trim();
  // The middle of the day stays on that day wherever it is shown.
  if (rest === "") return takenAt(date, [12, 0, 0, 0], undefined);
  const [clock, hour, minute, second = "0", part = subSecond?.trim(), half] =
    CLOCK.exec(rest) ?? [];
  if (clock === undefined) return {};
  const inside = rest.slice(clock.length).trim();
  const ms = /^\d+$/.test(part ?? "")
    ? Math.trunc(Number(`0.${part}`) * 1_000)
    : 0;
  // Programs of telephones number the hours of a day from 1 to 24, and midnight
  // is the 24th of the day that begins.
  const hours = half !== undefined && Number(hour) <= 12
    ? hourOfHalf(Number(hour), half)
    : Number(hour) === 24
    ? 0
    : Number(hour);
  return takenAt(
    date,
    [hours, Number(minute), Number(second), ms],
    minutesOf(inside) ?? minutesOf(offset),
  );
}

/** A date whose year comes last, or that has no separators, as others are. */
function yearFirst(text: string): string {
  const digits = DIGITS.exec(text);
  if (digits !== null) {
    const [all, year, month, day, hour, minute, second = "00"] = digits;
    const clock = hour === undefined ? "" : ` ${hour}:${minute}:${second}`;
    return `${year}-${month}-${day}${clock}${text.slice(all.length)}`;
  }
  const dated = (
    [all, day, name = "", year, clock]: readonly (string | undefined)[],
  ) => {
    const month = MONTHS.indexOf(name.toLowerCase()) / 3 + 1;
    return `${year}-${month}-${day} ${clock}${text.slice(all?.length)}`;
  };
  const mail = MAIL.exec(text);
  if (mail !== null) return dated(mail);
  const [all, month, day, clock, year] = COMPUTER.exec(text) ?? [];
  return all === undefined ? text : dated([all, day, month, year, clock]);
}

/** The hour of a day from that of a half; NaN for an impossible one. */
export function hourOfHalf(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return NaN;
  return hour % 12 + (half.toLowerCase() === "p" ? 12 : 0);
}

/** An offset such as `+02:00` in minutes; undefined if there is none. */
function minutesOf(text: string | undefined): number | undefined {
  const [found, sign, hours = "0", minutes = "0"] =
    OFFSET.exec(text?.trim() ?? "") ?? [];
  if (found === undefined) return undefined;
  const size = Number(hours) * 60 + Number(minutes);
  if (size > 14 * 60) return undefined;
  return sign === "-" ? 0 - size : size;
}

/** A time from its numbers; nothing for a day or time that does not exist. */
export function takenAt(
  [year, month, day]: readonly [number, number, number],
  [hour, minute, second, ms]: readonly [number, number, number, number],
  offset: number | undefined,
): Taken {
  if (!(year >= 1826) || !(hour <= 23) || !(minute <= 59) || !(second <= 60)) {
    return {};
  }
  // A month or day that does not exist would become another one.
  const start = new Date(Date.UTC(year, month - 1, day));
  if (start.getUTCMonth() !== month - 1 || start.getUTCDate() !== day) {
    return {};
  }
  const at = instantOf(
    start.getTime() + ((hour * 60 + minute - (offset ?? 0)) * 60 + second) *
        1_000 +
      ms,
  );
  if (at === undefined) return {};
  return {
    takenAt: at,
    ...(offset === undefined ? {} : { takenOffset: offset }),
  };
}

/**
 * Milliseconds since the epoch as RFC 3339; undefined before 1826 and from 9999
 * on.
 */
export function instantOf(ms: number): string | undefined {
  if (
    !Number.isFinite(ms) || ms < Date.UTC(1826, 0) || ms >= Date.UTC(9999, 0)
  ) {
    return undefined;
  }
  return new Date(ms).toISOString();
}
