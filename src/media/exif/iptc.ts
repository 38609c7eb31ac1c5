/**
 * Reading the facts of IPTC (IIM 4.2), which press agencies, scanners and older
 * programs write into JPEG, in Photoshop's image resources, and into TIFF.
 *
 * @module
 */
import { type Taken, takenOf } from "./dates.ts";
import { captionOf, keywordsOf } from "./facts.ts";
import { codeAt, viewOf } from "./reading.ts";

/** The facts in a block of IPTC; missing ones are absent. */
interface IptcFacts {
  readonly taken?: Taken;
  readonly caption?: string;
  readonly keywords?: readonly string[];
}

/** Most data sets read of a block, which has a few dozen. */
const MAX_SETS = 1_024;
/** Most image resources read of a segment. */
const MAX_RESOURCES = 256;
/** The image resources of Photoshop that have facts. */
export const RESOURCE = { iptc: 0x0404, exif: 0x0422, xmp: 0x0424 } as const;
/** Data sets of the application record, which is the second. */
const SET = { keyword: 25, date: 55, time: 60, caption: 120 } as const;

/** One of Photoshop's image resources; undefined if there is none. */
export function resourceIn(
  bytes: Uint8Array,
  wanted: number,
): Uint8Array | undefined {
  const view = viewOf(bytes);
  let at = 0;
  for (let n = 0; n < MAX_RESOURCES && at + 12 <= bytes.length; n++) {
    if (codeAt(view, at) !== "8BIM") return undefined;
    const id = view.getUint16(at + 4);
    // A name with its length, padded to an even number of bytes.
    const named = at + 6 + ((view.getUint8(at + 6) + 2) & ~1);
    if (named + 4 > bytes.length) return undefined;
    const length = view.getUint32(named);
    const start = named + 4;
    if (start + length > bytes.length) return undefined;
    if (id === wanted) return bytes.subarray(start, start + length);
    at = start + length + (length & 1);
  }
  return undefined;
}

/** Reads a block of IPTC; what is cut off is left out. */
export function readIptc(bytes: Uint8Array): IptcFacts {
  const sets: { readonly id: number; readonly value: Uint8Array }[] = [];
  let isUtf8 = false;
  let at = 0;
  for (let n = 0; n < MAX_SETS && at + 5 <= bytes.length; n++) {
    const [marker, record, id = 0, high = 0, low = 0] = bytes.subarray(
      at,
      at + 5,
    );
    const length = high * 256 + low;
    // A longer value than 32,767 bytes has a longer length, and is a picture.
    if (marker !== 0x1c || length > 0x7fff) break;
    const value = bytes.subarray(at + 5, at + 5 + length);
    if (value.length < length) break;
    // The envelope names the characters: ESC % G is UTF-8 (ISO 2022).
    if (record === 1 && id === 90) {
      isUtf8 = value[0] === 0x1b && value[1] === 0x25 && value[2] === 0x47;
    }
    if (record === 2) sets.push({ id, value });
    at += 5 + length;
  }
  const texts = (wanted: number) =>
    sets.filter(({ id }) => id === wanted)
      .map(({ value }) => textOf(value, isUtf8));
  const [date] = texts(SET.date);
  const [time] = texts(SET.time);
  const taken = takenBy(date, time);
  const caption = captionOf(texts(SET.caption)[0]);
  const keywords = keywordsOf(texts(SET.keyword));
  return {
    ...(taken.takenAt === undefined ? {} : { taken }),
    ...(caption === undefined ? {} : { caption }),
    ...(keywords === undefined ? {} : { keywords }),
  };
}

/** Most programs write UTF-8 without saying so; anything else is Latin-1. */
function textOf(value: Uint8Array, isUtf8: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal: !isUtf8 }).decode(value);
  } catch {
    return new TextDecoder("windows-1252").decode(value);
  }
}

/** `CCYYMMDD` and `HHMMSS±HHMM`; an unknown month or day is 00. */
function takenBy(date = "", time = ""): Taken {
  const [, year, month, day] = /^(\d{4})[-:]?(\d\d)[-:]?(\d\d)\b/.exec(date) ??
    [];
  if (year === undefined || month === undefined || day === undefined) return {};
  const known = [year, ...[month, day].filter((part) => part !== "00")];
  const [, hour, minute, second, offset] =
    /^(\d\d):?(\d\d):?(\d\d)([+-]\d\d:?\d\d)?/.exec(time) ?? [];
  return takenOf(
    hour === undefined || known.length < 3
      ? known.join("-")
      : `${known.join("-")} ${hour}:${minute}:${second}`,
    offset,
  );
}
