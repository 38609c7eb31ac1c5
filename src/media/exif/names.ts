/**
 * The date that a file's name states.
 *
 * @module
 */
import { hourOfHalf, instantOf, type Taken, takenAt } from "./dates.ts";

/** No more of a name is looked at (UTF-16 code units). */
const MAX_NAME = 255;

const YEAR = "(?<year>(?:19|20)\\d\\d)";
const DAY = `${YEAR}[-_.]?(?<month>\\d\\d)[-_.]?(?<day>\\d\\d)`;
/** Hours of one digit and half days, as macOS and WhatsApp write them. */
const CLOCK =
  "(?<hour>\\d\\d?)[-_.: h](?<minute>\\d\\d)(?:[-_.: m](?<second>\\d\\d))?" +
  "(?:[-_.,](?<ms>\\d{3})(?!\\d))?(?:[\\s_]?(?<half>[ap])\\.?m\\b)?";
const DIGITS = "(?<hour>\\d\\d)(?<minute>\\d\\d)(?<second>\\d\\d)" +
  "(?<ms>\\d{3})?(?!\\d)";
const START = "(?<!\\d)";

/** How names state a date and a time, the most certain way first. */
const TIMES: readonly RegExp[] = [
  `${START}${DAY}(?:[-_.T]|[\\s,]+|[\\s_]at[\\s_])${DIGITS}`,
  `${START}${DAY}(?:[-_.T]|[\\s,]+|[\\s_]+at[\\s_]+)${CLOCK}(?!\\d)`,
  // All digits together.
  `${START}${YEAR}(?<month>\\d\\d)(?<day>\\d\\d)${DIGITS}`,
  `${START}(?<day>\\d\\d)[-.](?<month>\\d\\d)[-.]${YEAR}[-_ ,]+${CLOCK}(?!\\d)`,
].map((source) => new RegExp(source, "i"));

/** How names state a day alone. */
const DAYS: readonly RegExp[] = [
  `${START}${YEAR}(?<between>[-_.])(?<month>\\d\\d)\\k<between>(?<day>\\d\\d)(?!\\d)`,
  `${START}${YEAR}(?<month>\\d\\d)(?<day>\\d\\d)(?!\\d)`,
  `${START}(?<day>\\d\\d)\\.(?<month>\\d\\d)\\.${YEAR}(?!\\d)`,
].map((source) => new RegExp(source, "i"));

/** WhatsApp takes everything out of a picture and names the day it came. */
const WHATSAPP = /-WA(\d{4})(?!\d)/i;
/** Google's cameras name the time in UTC. */
const UTC = /^PXL_/i;
/** Messengers and browsers name milliseconds or seconds since 1970. */
const EPOCH =
  /^(?:FB_IMG_|mmexport|wx_camera_|received_|image_|Snapchat-)?(\d{10}|\d{13})(?:[ _(.-]|$)/i;
/** Numbers before are too small to be times (milliseconds since 1970). */
const EPOCH_FROM = Date.UTC(2001, 8, 9);
/** Nor are those beyond, which shops and printers give their files. */
const EPOCH_TO = Date.UTC(2100, 0);

/** Clocks that were never set count from here. */
const NEVER_SET = "1970-01-01T";

/**
 * The date of taking that a name states; nothing for one that cannot be. Days
 * long before cameras named files count: people name scans by them.
 */
export function takenOfName(name: string): Taken {
  const text = name.slice(0, MAX_NAME).normalize("NFKC");
  for (const form of TIMES) {
    const { groups } = form.exec(text) ?? {};
    if (groups === undefined) continue;
    const taken = timeIn(groups);
    if (taken.takenAt === undefined) continue;
    if (taken.takenAt.startsWith(NEVER_SET)) return {};
    return UTC.test(text) ? { ...taken, takenIsUtc: true } : taken;
  }
  for (const form of DAYS) {
    const { groups } = form.exec(text) ?? {};
    if (groups === undefined) continue;
    const taken = takenAt(dayIn(groups), [12, 0, 0, 0], undefined);
    // Pictures of one day keep the order in which they came.
    const number = Number(WHATSAPP.exec(text)?.[1] ?? 0);
    const at = taken.takenAt === undefined
      ? undefined
      : instantOf(Date.parse(taken.takenAt) + number * 1_000);
    if (at !== undefined) return { takenAt: at };
  }
  const number = EPOCH.exec(text)?.[1];
  const at = Number(number) * (number?.length === 10 ? 1_000 : 1);
  const instant = at >= EPOCH_FROM && at < EPOCH_TO ? instantOf(at) : undefined;
  return instant === undefined ? {} : { takenAt: instant, takenIsUtc: true };
}

type Groups = Readonly<Record<string, string | undefined>>;

function dayIn({ year, month, day }: Groups) {
  return [Number(year), Number(month), Number(day)] as const;
}

function timeIn(groups: Groups): Taken {
  const { minute, second = "0", half, ms = "0" } = groups;
  const hour = half === undefined
    ? Number(groups.hour)
    : hourOfHalf(Number(groups.hour), half);
  return takenAt(
    dayIn(groups),
    [hour, Number(minute), Number(second), Number(ms)],
    undefined,
  );
}
