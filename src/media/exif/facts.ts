/**
 * The facts that photographs and videos contain about themselves, and the
 * checks of their values.
 *
 * @module
 */
import type { Camera, Place } from "../../client/documents/metadata.ts";
import type { Taken } from "./dates.ts";

/** How a picture was exposed. */
export interface Exposure {
  readonly seconds?: number;
  /** The f-number. */
  readonly aperture?: number;
  readonly iso?: number;
  /** Millimetres. */
  readonly focalLength?: number;
}

/** The facts found in a file; missing and impossible ones are absent. */
export interface MediaFacts extends Taken {
  /** The media type of a picture or film by its bytes. */
  readonly type?: string;
  /** The date only says when the file was saved, so its name's date wins. */
  readonly takenIsSaved?: true;
  /** The end of the file is missing. */
  readonly isCut?: true;
  /** What a person wrote about it. */
  readonly caption?: string;
  /** Stars, 1 to 5; -1 means rejected. */
  readonly rating?: number;
  readonly keywords?: readonly string[];
  /** Width as shown: a rotated picture has its sides swapped. */
  readonly width?: number;
  readonly height?: number;
  /** How the stored picture has to be turned: 1 to 8, as in EXIF. */
  readonly orientation?: number;
  readonly durationMs?: number;
  /** What a picture's file has in addition to it, see `Metadata`. */
  readonly inside?: readonly string[];
  readonly place?: Place;
  readonly camera?: Camera;
  readonly exposure?: Exposure;
  /** The same id in both halves of a live photo. */
  readonly contentIdentifier?: string;
}

/** What cameras and programs write in place of a caption. */
const NO_CAPTION =
  /^(default|untitled|dcim|dav|edf|hdr(pl)?|rhdr|sdr|cof|mde|oznor\w*|sony dsc|(\w+ )*digital (still )?camera|samsung camera pictures|created (with|by) .*)$/i;
const MAX_CAPTION = 16_384;

/** A caption that a person wrote; undefined if a camera did. */
export function captionOf(text: string | undefined): string | undefined {
  const said = text?.normalize("NFC").trim() ?? "";
  if (said === "" || NO_CAPTION.test(said)) return undefined;
  return said.slice(0, MAX_CAPTION).toWellFormed();
}

/** Stars that a person gave; 0 means that no one did. */
export function ratingOf(stars: number | undefined): number | undefined {
  const isOne = stars !== undefined && Number.isInteger(stars) &&
    stars >= -1 && stars <= 5 && stars !== 0;
  return isOne ? stars : undefined;
}

const MAX_KEYWORDS = 256;
const MAX_KEYWORD = 255;

/** Keywords, each once; undefined if there are none. */
export function keywordsOf(
  words: readonly string[],
): readonly string[] | undefined {
  const told = words
    .map((word) =>
      [...word.toWellFormed().normalize("NFC").trim()].slice(0, MAX_KEYWORD)
        .join("")
    )
    .filter((word) => word !== "");
  const once = [...new Set(told)].slice(0, MAX_KEYWORDS);
  return once.length === 0 ? undefined : once;
}

/** Checks a place; undefined if it is not on the earth, and for 0/0. */
export function placeOf(
  latitude: number | undefined,
  longitude: number | undefined,
  altitude?: number,
): Place | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
    return undefined;
  }
  // Cameras write 0/0 when they have found no satellite.
  if (latitude === 0 && longitude === 0) return undefined;
  const known = altitude !== undefined && Number.isFinite(altitude);
  return { latitude, longitude, ...(known ? { altitude } : {}) };
}

/** The names of the camera; undefined if there are none. */
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

/** The sides as shown: orientations 5 to 8 turn the picture on its side. */
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

/** The possible values of an exposure; undefined if there are none. */
export function exposureOf(
  told: Readonly<Record<keyof Exposure, number | undefined>>,
): Exposure | undefined {
  const known = Object.entries(told)
    .filter(([, value = 0]) => value > 0 && value < 1_000_000);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
