/**
 * The media thread's calls about a file before it is sent: its hash, its facts,
 * and small pictures of it.
 *
 * @module
 */
import { lookAtBlob } from "../../../client/exif/extent.ts";
import { aboutFile, readMediaFacts } from "../../../client/exif/mod.ts";
import {
  isLivePhoto,
  pairByName,
} from "../../../client/exports/live_photos.ts";
import {
  type SidecarFacts,
  withSidecar,
} from "../../../client/exports/sidecar_facts.ts";
import { GUEST_THUMBNAIL_MAX_BYTES } from "../../../client/guest.ts";
import type {
  GuestAbout,
  NewDerivative,
  NewFile,
} from "../../../client/library/mod.ts";
import { mediaTypeOf } from "../../../client/media_types.ts";
import type { PhotoEdit } from "../../../client/metadata.ts";
import { isUndrawnType } from "../../../client/raw_types.ts";
import { quickened } from "../../../client/portable_primitives.ts";
import { hashSource } from "../../../client/library/sealed_part.ts";
import { sourceOfFile } from "../../../client/threads/file_source.ts";
import { Moved } from "../../../client/threads/thread_messages.ts";
import { showingOf } from "../showing.ts";
import { drawnBy, editedBitmap, MOST_PIXELS } from "./edited.ts";
import { bitmapOfHeif } from "./heif.ts";
import { smallJpeg } from "./small_jpeg.ts";
import { type SmallPictures, smallPictures } from "./smaller.ts";

/** A file with what the page knows about it. */
export interface GivenFile {
  readonly file: Blob;
  readonly name: string;
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** A picture from a video, which only a page can take. */
  readonly frame?: ImageBitmap | undefined;
  /** The video of a live photo. */
  readonly motion?: File | undefined;
  /** What an export tells of it. */
  readonly told?: SidecarFacts | undefined;
}

/** The metadata and the derivatives of a file. */
export interface Described {
  readonly about: NewFile["about"];
  readonly derivatives: readonly NewDerivative[];
}

/** Largest video of a live photo, which has a few megabytes (bytes). */
const MOST_MOTION_BYTES = 32 * 1024 * 1024;
/** Largest file that is decoded; phones have little memory (bytes). */
const MOST_DECODED_BYTES = 96 * 1024 * 1024;

/** The calls of the group `pictures`. */
export const pictureCalls = {
  /**
   * The files that may be live photos, judged by their paths: pairs of indexes
   * of a still and its video.
   */
  pairs(paths: readonly string[]): [number, number][] {
    const files = paths.map((path, at) => ({ path, at }));
    return [...pairByName(files)].map(([still, video]) => [still.at, video.at]);
  },

  /** Whether a still and a video with the same name are one live photo. */
  async isLivePhoto(still: Blob, video: Blob): Promise<boolean> {
    const [first, second] = await Promise.all(
      [still, video].map((file) => readMediaFacts(sourceOfFile(file))),
    );
    return video.size <= MOST_MOTION_BYTES && first !== undefined &&
      second !== undefined && isLivePhoto(first, second, false);
  },

  /** SHA-256 of a file in hex. */
  hash: async (file: Blob) =>
    await hashSource(sourceOfFile(file), await quickened()),

  /**
   * The description of a guest's file: less metadata, and one very small
   * picture.
   */
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

  /** Small pictures of one that was decoded; rejects for what is none. */
  async reduce(picture: Blob): Promise<Moved<SmallPictures | undefined>> {
    if (await lookAtBlob(picture) === undefined) {
      throw new TypeError("no picture, or one too large");
    }
    const made = await smallPictures(await createImageBitmap(picture));
    return new Moved(
      made,
      made?.smaller.map(({ bytes }) => bytes.buffer) ?? [],
    );
  },

  /** Small pictures of a photo, or of a frame of a video, where they can be made. */
  async small(
    file: Blob,
    mime: string,
    frame?: ImageBitmap,
  ): Promise<Moved<SmallPictures | undefined>> {
    const bitmap = frame ?? await decoded(file, mime);
    const made = bitmap === undefined ? undefined : await smallPictures(bitmap);
    return new Moved(
      made,
      made?.smaller.map(({ bytes }) => bytes.buffer) ?? [],
    );
  },

  /**
   * Small pictures of a photo that is edited by a recipe, or is not any more;
   * undefined where it cannot be decoded here.
   */
  async edited(
    file: Blob,
    mime: string,
    edit: PhotoEdit | undefined,
  ): Promise<Moved<SmallPictures | undefined>> {
    const whole = await decoded(file, mime);
    if (whole === undefined) return new Moved(undefined, []);
    const { bitmap, width, height } = edit === undefined
      ? { bitmap: whole, width: whole.width, height: whole.height }
      : editedBitmap(whole, edit);
    const made = await smallPictures(bitmap);
    return new Moved(
      made && { ...made, width, height },
      made?.smaller.map(({ bytes }) => bytes.buffer) ?? [],
    );
  },

  /** The edited picture of a photo as a JPEG; undefined as above. */
  async editedWhole(
    file: Blob,
    mime: string,
    edit: PhotoEdit,
  ): Promise<Blob | undefined> {
    const whole = await decoded(file, mime);
    if (whole === undefined) return undefined;
    const canvas = drawnBy(whole, edit, MOST_PIXELS);
    whole.close();
    return await canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
  },

  /** What a file says of itself, with small pictures where they can be made. */
  async describe(given: GivenFile): Promise<Moved<Described>> {
    const { file } = given;
    const facts = await readMediaFacts(sourceOfFile(file));
    const about = aboutFile(given, facts);
    const bitmap = given.frame ?? await decoded(file, about.mime);
    // One that tells its place does not stand for itself: a link shows a picture
    // without the place in its stead.
    const isDrawn = given.frame === undefined && about.place === undefined &&
      showingOf(about.mime) === "picture";
    const pictures = bitmap === undefined
      ? undefined
      : await smallPictures(bitmap, isDrawn ? file.size : undefined);
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
        ...(given.told === undefined ? about : withSidecar(about, given.told)),
        width: about.width ?? pictures?.width,
        height: about.height ?? pictures?.height,
        ...(pictures === undefined ? {} : { thumbhash: pictures.thumbhash }),
      },
      derivatives,
    }, derivatives.map(({ bytes }) => bytes.buffer));
  },
};

/** The picture, upright, if this browser can decode it. */
async function decoded(
  file: Blob,
  mime: string,
): Promise<ImageBitmap | undefined> {
  if (!mime.startsWith("image/")) return undefined;
  // Of a raw file only a part is decoded, so it may be larger.
  if (isUndrawnType(mime)) {
    const { bitmapOfUndrawn } = await import("./undrawn.ts");
    try {
      const bitmap = await bitmapOfUndrawn(file, mime);
      if (bitmap !== undefined) return bitmap;
    } catch {
      // What is in it may be damaged, and the file one of another kind.
    }
  }
  if (file.size > MOST_DECODED_BYTES) return undefined;
  // SVG is not known: it can contain scripts and addresses.
  const known = await lookAtBlob(file);
  if (known === undefined) return undefined;
  try {
    return await createImageBitmap(file.slice(0, file.size, known.type));
  } catch {
    if (known.type !== "image/heic") return undefined;
  }
  try {
    return await bitmapOfHeif(file);
  } catch {
    return undefined;
  }
}
