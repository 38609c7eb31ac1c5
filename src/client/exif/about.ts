/**
 * The metadata of a file that is imported. A fact comes from the file itself if
 * it states it, otherwise from its name, otherwise from the disk.
 *
 * @module
 */
import { mediaTypeOf } from "../media_types.ts";
import type { Metadata, Place } from "../metadata.ts";
import { instantOf, type MediaFacts, takenOf } from "./facts.ts";

/** A file as a disk or a browser describes it. */
export interface FileOnDisk {
  readonly name: string;
  /** Its folders, separated by `/`; empty if there are none. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Matches dates that cameras and programs write into names. */
const DATED_NAME =
  /(?:^|[^\d])((?:19|20)\d\d)[-_.]?(\d\d)[-_.]?(\d\d)[-_. T]+(?:at )?(\d\d)[-_.:h]?(\d\d)[-_.:m]?(\d\d)/i;

/** WhatsApp takes everything out of a picture and names the day it came. */
const WHATSAPP_NAME =
  /^(?:IMG|VID|AUD|PTT|STK|DOC)-((?:19|20)\d\d)(\d\d)(\d\d)-WA(\d{4})/i;

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
    mime: mediaTypeOf(name),
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

function takenBy(
  { name, modifiedAt }: FileOnDisk,
  { takenAt, takenOffset, takenIsUtc, place }: MediaFacts,
): Pick<Metadata, "taken_at" | "taken_offset" | "taken_source"> {
  if (takenAt !== undefined) {
    const offset = takenIsUtc ? offsetAt(takenAt, place) : takenOffset;
    return {
      taken_at: takenAt,
      ...(offset === undefined ? {} : { taken_offset: offset }),
      taken_source: "exif",
    };
  }
  const messenger = WHATSAPP_NAME.exec(name);
  if (messenger !== null) {
    const [, year, month, day, number] = messenger;
    const noon = takenOf(`${year}-${month}-${day} 12:00:00`, undefined).takenAt;
    if (noon !== undefined) {
      // Pictures of one day keep the order in which they came.
      const at = Date.parse(noon) + Number(number) * 1_000;
      return { taken_at: instantOf(at), taken_source: "name" };
    }
  }
  const [, year, month, day, hour, minute, second] = DATED_NAME.exec(name) ??
    [];
  const named = takenOf(
    `${year}-${month}-${day} ${hour}:${minute}:${second}`,
    undefined,
  );
  return named.takenAt === undefined
    // Undefined if the disk's time is out of range.
    ? { taken_at: instantOf(modifiedAt), taken_source: "mtime" }
    : { taken_at: named.takenAt, taken_source: "name" };
}
