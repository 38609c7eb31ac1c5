/**
 * The metadata of a file that is imported. A fact comes from the file itself if
 * it states it, otherwise from its name, otherwise from the disk.
 *
 * @module
 */
import { mediaTypeOf } from "../media_types.ts";
import type { Metadata } from "../metadata.ts";
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
    place: facts.place,
    camera: facts.camera,
  };
}

function takenBy(
  { name, modifiedAt }: FileOnDisk,
  { takenAt, takenOffset }: MediaFacts,
): Pick<Metadata, "taken_at" | "taken_offset" | "taken_source"> {
  if (takenAt !== undefined) {
    return {
      taken_at: takenAt,
      ...(takenOffset === undefined ? {} : { taken_offset: takenOffset }),
      taken_source: "exif",
    };
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
