/**
 * Facts about a photo as texts for people.
 *
 * @module
 */
import type { Exposure } from "../../../../media/exif/mod.ts";

/** `UTC+02:00`; empty if it is not known. */
export function zoneText(minutes: number | undefined): string {
  if (minutes === undefined) return "";
  const two = (n: number) => String(Math.trunc(n)).padStart(2, "0");
  const ahead = Math.abs(minutes);
  return `UTC${minutes < 0 ? "−" : "+"}${two(ahead / 60)}:${two(ahead % 60)}`;
}

/** The local time at which it was taken, with its offset if that is known. */
export function dayText(
  { taken, takenOffset }: {
    readonly taken: number;
    readonly takenOffset?: number | undefined;
  },
  tag: string,
): string {
  const text = new Intl.DateTimeFormat(tag, {
    dateStyle: "full",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(taken);
  return `${text} ${zoneText(takenOffset)}`.trim();
}

/** `f/2.8 · 1/250 s · 35 mm · ISO 400`. */
export function exposureText(exposure: Exposure, tag: string): string {
  const { aperture, seconds, focalLength, iso } = exposure;
  const number = (n: number, digits = 1) =>
    n.toLocaleString(tag, { maximumFractionDigits: digits });
  return [
    aperture === undefined ? undefined : `ƒ/${number(aperture)}`,
    seconds === undefined
      ? undefined
      : seconds >= 0.3
      ? `${number(seconds)} s`
      : `1/${number(1 / seconds, 0)} s`,
    focalLength === undefined ? undefined : `${number(focalLength)} mm`,
    iso === undefined ? undefined : `ISO ${iso}`,
  ].filter((text) => text !== undefined).join(" · ");
}

/** The letters of the directions: in French, “O” is west; in German, east. */
interface Compass {
  readonly north: string;
  readonly east: string;
  readonly south: string;
  readonly west: string;
}

/** `47.3769° N, 8.5417° E`. */
export function placeText(
  { latitude, longitude }: { latitude: number; longitude: number },
  tag: string,
  { north, east, south, west }: Compass,
): string {
  const degrees = (value: number, halves: readonly [string, string]) =>
    `${Math.abs(value).toLocaleString(tag, { maximumFractionDigits: 4 })}° ${
      value < 0 ? halves[1] : halves[0]
    }`;
  return `${degrees(latitude, [north, south])}, ${
    degrees(longitude, [east, west])
  }`;
}

/** `1:02:03`, `0:07`. */
export function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const two = (n: number) => String(n).padStart(2, "0");
  const [hours, minutes] = [
    Math.floor(seconds / 3_600),
    Math.floor(seconds / 60) % 60,
  ];
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/**
 * The local time of a photo in the form of input fields: `2024-06-30`,
 * `14:05:06`.
 */
export function clockOf(taken: number): { day: string; time: string } {
  const [day = "", time = ""] = new Date(taken).toISOString().split("T");
  return { day, time: time.slice(0, 8) };
}

/**
 * The instant of the values of input fields, as RFC 3339 in UTC; undefined if
 * they are no time. Without an offset, local time counts as UTC, as for
 * cameras.
 */
export function instantOf(
  day: string,
  time: string,
  offset: number | undefined,
): string | undefined {
  const clock = Date.parse(
    `${day}T${time.length === 5 ? `${time}:00` : time}Z`,
  );
  if (Number.isNaN(clock)) return undefined;
  return new Date(clock - (offset ?? 0) * 60_000).toISOString();
}

/** The offsets of all time zones (minutes). */
export const OFFSETS: readonly number[] = [
  ...Array.from({ length: 27 }, (_, n) => (n - 12) * 60),
  -570,
  -210,
  -150,
  210,
  270,
  330,
  345,
  390,
  525,
  570,
  630,
  765,
].sort((a, b) => a - b);

/** Types whose names say less than their files' endings. */
const FORMAT_NAMES: Readonly<Record<string, string>> = {
  "audio/mpeg": "MP3",
  "text/plain": "TXT",
  "video/quicktime": "MOV",
  "video/x-matroska": "MKV",
  "image/vnd.adobe.photoshop": "PSD",
};

/** Longest name that is taken from a type; longer ones are no names. */
const MOST_LETTERS = 5;

/**
 * The name of a MIME type as people know it, such as `JPEG`; the type itself
 * where it has none.
 */
export function formatText(mime: string): string {
  const [, subtype = ""] = /^\w+\/(?:x-(?:\w+-)?)?([\w.-]+)/.exec(mime) ?? [];
  return FORMAT_NAMES[mime] ??
    (subtype.length <= MOST_LETTERS && subtype !== ""
      ? subtype.toUpperCase()
      : mime);
}
