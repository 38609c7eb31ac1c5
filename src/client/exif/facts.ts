/**
 * What a photograph or film says of itself.
 *
 * @module
 */
import type { Camera, Place } from "../metadata.ts";

/** How a picture was exposed. */
export interface Exposure {
  readonly seconds?: number;
  /** The f-number. */
  readonly aperture?: number;
  readonly iso?: number;
  /** Millimetres. */
  readonly focalLength?: number;
}

/** What was found; what is not there, or makes no sense, is absent. */
export interface MediaFacts {
  /** RFC 3339 in UTC. Without an offset the local time is taken for UTC. */
  readonly takenAt?: string;
  /** Minutes that local time was ahead of UTC. */
  readonly takenOffset?: number;
  /** As it is shown: a rotated picture has its sides changed. */
  readonly width?: number;
  readonly height?: number;
  /** How the stored picture is to be turned: 1 to 8, as EXIF has it. */
  readonly orientation?: number;
  readonly durationMs?: number;
  readonly place?: Place;
  readonly camera?: Camera;
  readonly exposure?: Exposure;
  /** What pairs the two halves of a live photo. */
  readonly contentIdentifier?: string;
}

const LOCAL = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/;
const OFFSET = /^([+-])(\d\d):?(\d\d)$/;

/** A local time as cameras write it, with the offset where one is known. */
export function takenOf(
  local: string | undefined,
  offset: string | undefined,
): Pick<MediaFacts, "takenAt" | "takenOffset"> {
  const [, ...parts] = LOCAL.exec(local ?? "") ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .map(Number);
  if (year < 1826 || month < 1 || month > 12 || day < 1 || day > 31) return {};
  if (hour > 23 || minute > 59 || second > 60) return {};
  const [, sign, hours, minutes] = OFFSET.exec(offset?.trim() ?? "") ?? [];
  const ahead = sign === undefined
    ? undefined
    : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const known = ahead !== undefined && Math.abs(ahead) <= 14 * 60;
  const at = Date.UTC(year, month - 1, day, hour, minute, second) -
    (known ? ahead * 60_000 : 0);
  const takenAt = instantOf(at);
  if (takenAt === undefined) return {};
  return { takenAt, ...(known ? { takenOffset: ahead } : {}) };
}

/** Milliseconds since the epoch as RFC 3339; undefined out of its years. */
export function instantOf(ms: number): string | undefined {
  if (
    !Number.isFinite(ms) || ms < Date.UTC(1826, 0) || ms >= Date.UTC(9999, 0)
  ) {
    return undefined;
  }
  return new Date(ms).toISOString();
}

/** A place on the earth; undefined for what is none, and for 0/0. */
export function placeOf(
  latitude: number | undefined,
  longitude: number | undefined,
  altitude?: number,
): Place | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
    return undefined;
  }
  // What cameras write that have not found a satellite.
  if (latitude === 0 && longitude === 0) return undefined;
  const known = altitude !== undefined && Number.isFinite(altitude);
  return { latitude, longitude, ...(known ? { altitude } : {}) };
}

/** The names of what took it; undefined where there are none. */
export function cameraOf(camera: {
  readonly make?: string | undefined;
  readonly model?: string | undefined;
  readonly lens?: string | undefined;
}): Camera | undefined {
  const named = Object.entries(camera)
    .map(([key, text]) => [key, text?.trim().slice(0, 255)] as const)
    .filter(([, text]) => text !== undefined && text !== "");
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

/** Sides as they are shown: orientations 5 to 8 lie on their side. */
export function shownExtent(
  width: number | undefined,
  height: number | undefined,
  orientation: number | undefined,
): Pick<MediaFacts, "width" | "height"> {
  if (!isExtent(width) || !isExtent(height)) return {};
  return (orientation ?? 1) >= 5
    ? { width: height, height: width }
    : { width, height };
}

function isExtent(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value > 0 &&
    value <= 1_000_000;
}

/** What of an exposure makes sense; undefined where nothing does. */
export function exposureOf(
  told: {
    readonly [K in keyof Exposure]-?: number | undefined;
  },
): Exposure | undefined {
  const known = Object.entries(told)
    .filter(([, value = 0]) => value > 0 && value < 1_000_000);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
