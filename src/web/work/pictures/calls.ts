/**
 * What is found out of a file before it is sent: its hash, what it says of
 * itself, and small pictures of it.
 *
 * @module
 */
import { aboutFile, readMediaFacts } from "../../../client/exif/mod.ts";
import {
  isLivePhoto,
  pairByName,
} from "../../../client/exports/live_photos.ts";
import { GUEST_THUMBNAIL_MAX_BYTES } from "../../../client/guest.ts";
import type {
  GuestAbout,
  NewDerivative,
  NewFile,
} from "../../../client/library/mod.ts";
import { mediaTypeOf } from "../../../client/media_types.ts";
import { portablePrimitives } from "../../../crypto/primitives.ts";
import { hashSource } from "../../../client/library/sealed_part.ts";
import { sourceOfFile } from "../files.ts";
import { Moved } from "../wire.ts";
import { smallJpeg } from "./small_jpeg.ts";
import { smallPictures } from "./smaller.ts";

/** What the page knows of a file. */
export interface GivenFile {
  readonly file: Blob;
  readonly name: string;
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** A picture out of a film, which only a page can take. */
  readonly frame?: ImageBitmap | undefined;
  /** The film of a live photo. */
  readonly motion?: File | undefined;
}

/** What was found out. */
export interface Described {
  readonly about: NewFile["about"];
  readonly derivatives: readonly NewDerivative[];
}

/** The film of a live photo has some megabytes. */
const MOST_MOTION_BYTES = 32 * 1024 * 1024;
/** A bigger file is not decoded: phones have little memory (bytes). */
const MOST_DECODED_BYTES = 96 * 1024 * 1024;

/** The calls of the group `pictures`. */
export const pictureCalls = {
  /**
   * Which files may be a live photo, by their paths: the places of a still and
   * of its film.
   */
  pairs(paths: readonly string[]): [number, number][] {
    const files = paths.map((path, at) => ({ path, at }));
    return [...pairByName(files)].map(([still, film]) => [still.at, film.at]);
  },

  /** Whether a still and a film of one name are one live photo. */
  async isLivePhoto(still: Blob, film: Blob): Promise<boolean> {
    const [first, second] = await Promise.all(
      [still, film].map((file) => readMediaFacts(sourceOfFile(file))),
    );
    return film.size <= MOST_MOTION_BYTES && first !== undefined &&
      second !== undefined && isLivePhoto(first, second, false);
  },

  /** SHA-256 of a file in hex. */
  hash: (file: Blob) => hashSource(sourceOfFile(file), portablePrimitives),

  /** What a guest tells of a file: less, with one picture that is very small. */
  async introduce(given: GivenFile): Promise<GuestAbout> {
    const { file } = given;
    const facts = await readMediaFacts(sourceOfFile(file));
    const about = aboutFile(given, facts);
    const bitmap = given.frame ?? await decoded(file, about.mime);
    return {
      name: about.name,
      mime: about.mime,
      taken_at: about.taken_at,
      modified_at: about.modified_at,
      thumbnail: bitmap === undefined
        ? undefined
        : await smallJpeg(bitmap, GUEST_THUMBNAIL_MAX_BYTES),
    };
  },

  /** What a file says of itself, with small pictures where they can be made. */
  async describe(given: GivenFile): Promise<Moved<Described>> {
    const { file } = given;
    const facts = await readMediaFacts(sourceOfFile(file));
    const about = aboutFile(given, facts);
    const bitmap = given.frame ?? await decoded(file, about.mime);
    const pictures = bitmap === undefined
      ? undefined
      : await smallPictures(bitmap, file.size);
    const derivatives: NewDerivative[] = [...pictures?.smaller ?? []];
    if (given.motion !== undefined) {
      const { motion } = given;
      derivatives.push({
        kind: "motion",
        mime: mediaTypeOf(motion.name),
        bytes: new Uint8Array(await motion.arrayBuffer()),
      });
    }
    return new Moved({
      about: {
        ...about,
        width: about.width ?? pictures?.width,
        height: about.height ?? pictures?.height,
        ...(pictures === undefined ? {} : { thumbhash: pictures.thumbhash }),
      },
      derivatives,
    }, derivatives.map(({ bytes }) => bytes.buffer));
  },
};

/** The picture upright, where this browser can decode it. */
async function decoded(
  file: Blob,
  mime: string,
): Promise<ImageBitmap | undefined> {
  // A drawing may hold scripts and other addresses: it is no photograph.
  const isPicture = mime.startsWith("image/") && mime !== "image/svg+xml";
  if (!isPicture || file.size > MOST_DECODED_BYTES) return undefined;
  try {
    return await createImageBitmap(file);
  } catch {
    return undefined;
  }
}
