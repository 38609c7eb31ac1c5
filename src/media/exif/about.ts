/**
 * The metadata of a file that is imported. A fact comes from the file itself if
 * it states it, otherwise from its name, otherwise from the disk. `DATE_ORDER`
 * has the order of dates.
 *
 * @module
 */
import { mediaTypeOf } from "../media_types.ts";
import { isRawType } from "../raw_types.ts";
import type { Metadata, Place } from "../../client/documents/metadata.ts";
import { believed, instantOf } from "./dates.ts";
import type { MediaFacts } from "./facts.ts";
import { takenOfName } from "./names.ts";

/** A file as a disk or a browser describes it. */
export interface FileOnDisk {
  readonly name: string;
  /** Its folders, separated by `/`; empty if there are none. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Where a date is from, if that is worth a word. */
export type DateFrom =
  /** The file has none. */
  | "disk"
  /** A person corrected it in an export's program. */
  | "person";

/** Clocks are at most so far from where the sun stands (minutes). */
const FARTHEST_FROM_SUN = 210;
const DAY_MINUTES = 1_440;

/**
 * The offset of this device's zone at a time, in minutes east of UTC. Where the
 * place is too far away for that zone, the sun's there in whole hours.
 */
function offsetAt(at: string, place: Place | undefined): number {
  // Not -0, which JSON does not tell from 0.
  const here = 0 - new Date(at).getTimezoneOffset();
  if (place === undefined) return here;
  const sun = 60 * Math.round(place.longitude / 15);
  const apart = Math.abs(here - sun) % DAY_MINUTES;
  const isNear = Math.min(apart, DAY_MINUTES - apart) <= FARTHEST_FROM_SUN;
  return isNear ? here : 0 + sun;
}

/** Makes the metadata of a file from the facts that were read from it. */
export function aboutFile(
  file: FileOnDisk,
  facts: MediaFacts,
): Omit<Metadata, "size" | "sha256" | "derivatives"> {
  const { name, folder, modifiedAt } = file;
  return {
    name: name.normalize("NFC"),
    mime: typeOfFile(name, facts.type),
    ...takenBy(file, facts),
    modified_at: instantOf(modifiedAt),
    ...(folder === "" ? {} : { path: folder.normalize("NFC") }),
    width: facts.width,
    height: facts.height,
    duration_ms: facts.durationMs,
    ...(facts.inside === undefined ? {} : { inside: facts.inside }),
    place: facts.place,
    camera: facts.camera,
    ...(facts.caption === undefined ? {} : { caption: facts.caption }),
    ...(facts.rating === undefined ? {} : { rating: facts.rating }),
    ...(facts.keywords === undefined ? {} : { keywords: facts.keywords }),
  };
}

/**
 * The media type of a file: what its bytes are, unless its name tells that more
 * finely. Chats and telephones give pictures wrong endings, or none.
 */
export function typeOfFile(name: string, type: string | undefined): string {
  const claimed = mediaTypeOf(name);
  if (type === undefined || !mayHavePicture(claimed)) return claimed;
  const isFiner = type === "image/tiff"
    ? isRawType(claimed)
    : type === "image/heic"
    ? claimed === "image/heif"
    : type.startsWith("video/") && /^(video|audio)\//.test(claimed);
  return isFiner ? claimed : type;
}

/** Whether a file with a type by its name may be a picture or a film. */
export function mayHavePicture(claimed: string): boolean {
  return /^(image|video|audio)\/|^application\/octet-stream$/.test(claimed) &&
    claimed !== "image/svg+xml";
}

/** Whether a photo or video states no date, so that the disk's counts. */
export function isUndated(
  about: Pick<Metadata, "mime" | "taken_source"> | undefined,
): boolean {
  return about?.taken_source === "mtime" &&
    /^(image|video)\//.test(about.mime);
}

function takenBy(
  { name, modifiedAt }: FileOnDisk,
  { takenAt, takenOffset, takenIsUtc, takenIsSaved, place }: MediaFacts,
): Pick<Metadata, "taken_at" | "taken_offset" | "taken_source"> {
  const own = {
    ...(takenAt === undefined ? {} : { takenAt }),
    ...(takenOffset === undefined ? {} : { takenOffset }),
    ...(takenIsUtc === undefined ? {} : { takenIsUtc }),
  };
  const { from, taken } = believed({
    [takenIsSaved === true ? "modified" : "original"]: own,
    name: takenOfName(name),
  }) ?? {};
  if (taken?.takenAt === undefined) {
    // Undefined if the disk's time is out of range.
    return { taken_at: instantOf(modifiedAt), taken_source: "mtime" };
  }
  const offset = taken.takenIsUtc
    ? offsetAt(taken.takenAt, place)
    : taken.takenOffset;
  return {
    taken_at: taken.takenAt,
    ...(offset === undefined ? {} : { taken_offset: offset }),
    taken_source: from === "name" ? "name" : "exif",
  };
}
