/**
 * The media thread's calls about a file before it is sent: its hash, its facts,
 * and small pictures of it.
 *
 * @module
 */
import { lookAtBlob } from "../../../../media/exif/extent.ts";
import {
  aboutFile,
  type DateFrom,
  isUndated,
  readFileFacts,
  readMediaFacts,
  typeIn,
} from "../../../../media/exif/mod.ts";
import {
  besidePairs,
  identifierIn,
  isLivePhoto,
  MAX_MOTION_BYTES,
  pairFiles,
} from "../../../../media/exports/live_photos.ts";
import {
  isCorrected,
  type SidecarFacts,
  withSidecar,
} from "../../../../media/exports/sidecar_facts.ts";
import { GUEST_THUMBNAIL_MAX_BYTES } from "../../../../client/documents/guest.ts";
import type {
  GuestAbout,
  NewDerivative,
  NewFile,
} from "../../../../library/mod.ts";
import { mayTellPlace } from "../../../../library/rows/embedded_media.ts";
import { mediaTypeOf } from "../../../../media/media_types.ts";
import type { PhotoEdit } from "../../../../client/documents/metadata.ts";
import { isProportionate } from "../../../../media/pictures/proportionate.ts";
import { quickened } from "../../../../client/keys/portable_primitives.ts";
import { hashSource } from "../../../../library/adding/sealed_part.ts";
import { sourceOfFile } from "../../../../client/stream/threads/file_source.ts";
import { Moved } from "../../../../client/stream/threads/thread_messages.ts";
import { showingOf } from "../showing.ts";
import { bitmapOfHeif } from "./heif.ts";
import { type SmallPictures, smallPictures } from "./smaller.ts";
import { drawingOf, light } from "../../../../media/pictures/photo_edit.ts";

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
  /** No small pictures are made: a thread ended with that. */
  readonly isPlain?: boolean;
  /** What an export tells of it. */
  readonly told?: SidecarFacts | undefined;
}

/** A file and its folders and name, with `/` between. */
interface GivenPath {
  readonly file: Blob;
  readonly path: string;
}

/** Live photos among files, by their indexes. */
interface LivePhotos {
  /** A still and its video. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Stills of the name of a live photo that are photos of their own. */
  readonly besides: readonly number[];
}

/** The metadata and the derivatives of a file. */
export interface Described {
  readonly about: NewFile["about"];
  readonly derivatives: readonly NewDerivative[];
  /** The end of the file is missing. */
  readonly isCut: boolean;
  readonly dateFrom: DateFrom | undefined;
}

/** Largest file that is decoded; phones have little memory (bytes). */
const MOST_DECODED_BYTES = 96 * 1024 * 1024;

/** The calls of the group `pictures`. */
export const pictureCalls = {
  /** The live photos among files: indexes of stills and of their videos. */
  async livePhotos(given: readonly GivenPath[]): Promise<LivePhotos> {
    const files = given.map((file, at) => ({ ...file, at }));
    const may = await pairFiles(
      files,
      ({ path, file }) => identifierIn(path, sourceOfFile(file)),
    );
    const pairs = new Map<typeof files[number], typeof files[number]>();
    for (const [still, video] of may) {
      if (await areOne(still.file, video.file)) pairs.set(still, video);
    }
    return {
      pairs: [...pairs].map(([still, video]) => [still.at, video.at]),
      besides: besidePairs(files, pairs).map(({ at }) => at),
    };
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
    const source = sourceOfFile(file);
    const facts = await readMediaFacts(source);
    const type = await typeIn(source, facts);
    const about = aboutFile(given, { ...facts, ...type });
    const thumbnail = await madeOf(
      given,
      about.mime,
      (bitmap) => smallJpeg(bitmap, GUEST_THUMBNAIL_MAX_BYTES),
    );
    return {
      name: about.name,
      mime: about.mime,
      taken_at: about.taken_at,
      modified_at: about.modified_at,
      thumbnail,
    };
  },

  /** Small pictures of one that was decoded; rejects for anything else. */
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

  /**
   * Small pictures of a photo, or of a frame of a video, where they can be
   * made.
   */
  async small(
    file: Blob,
    mime: string,
    frame?: ImageBitmap,
  ): Promise<Moved<SmallPictures | undefined>> {
    const made = await madeOf(
      { file, frame },
      mime,
      (bitmap) => smallPictures(bitmap),
    );
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
    const whole = await decoded(file, mime, "whole");
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
    const whole = await decoded(file, mime, "whole");
    if (whole === undefined) return undefined;
    const canvas = drawnBy(whole, edit, MOST_PIXELS);
    whole.close();
    return await canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
  },

  /** What a file says of itself, with small pictures where they can be made. */
  async describe(given: GivenFile): Promise<Moved<Described>> {
    const { file } = given;
    const facts = await readFileFacts(sourceOfFile(file), { isMedia: true });
    const about = aboutFile(given, facts);
    // One that tells its place does not stand for itself: a link shows a
    // picture without the place in its stead.
    const isDrawn = given.frame === undefined && !mayTellPlace(about) &&
      showingOf(about.mime) === "picture";
    const pictures = await madeOf(
      given,
      about.mime,
      (bitmap, isReduced) =>
        smallPictures(bitmap, isDrawn && !isReduced ? file.size : undefined),
    );
    const derivatives: NewDerivative[] = [...pictures?.smaller ?? []];
    if (given.motion !== undefined) {
      const { motion } = given;
      derivatives.push({
        kind: "motion",
        mime: mediaTypeOf(motion.name),
        name: motion.name,
        taken_at: (await readMediaFacts(sourceOfFile(motion))).takenAt,
        bytes: new Uint8Array(await motion.arrayBuffer()),
      });
    }
    const whole = given.told === undefined
      ? about
      : withSidecar(about, given.told);
    return new Moved({
      about: {
        ...whole,
        width: about.width ?? pictures?.width,
        height: about.height ?? pictures?.height,
        ...(pictures === undefined ? {} : { thumbhash: pictures.thumbhash }),
      },
      derivatives,
      isCut: facts.isCut === true,
      dateFrom: dateFromOf(whole, about, given.told),
    }, derivatives.map(({ bytes }) => bytes.buffer));
  },
};

/** Whether a still and a video are one live photo. */
async function areOne(still: Blob, video: Blob): Promise<boolean> {
  if (video.size > MAX_MOTION_BYTES) return false;
  const [first, second] = await Promise.all(
    [still, video].map((file) =>
      readMediaFacts(sourceOfFile(file)).catch(() => undefined)
    ),
  );
  return first !== undefined && second !== undefined &&
    isLivePhoto(first, second, false);
}

function dateFromOf(
  whole: Described["about"],
  own: Described["about"],
  told: SidecarFacts | undefined,
): DateFrom | undefined {
  if (told !== undefined && isCorrected(own, told)) return "person";
  return isUndated(whole) ? "disk" : undefined;
}

/**
 * What is made of a file's picture, which stands for itself only if it was
 * decoded as it is. Whatever goes wrong with that costs the file its small
 * pictures and nothing else.
 */
async function madeOf<T>(
  { file, frame, isPlain = false }: Pick<
    GivenFile,
    "file" | "frame" | "isPlain"
  >,
  mime: string,
  make: (bitmap: ImageBitmap, isReduced: boolean) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (isPlain) return undefined;
  try {
    if (frame !== undefined) return await make(frame, false);
    const whole = await decoded(file, mime, "small pictures");
    if (whole !== undefined) return await make(whole, false);
    if (!mime.startsWith("image/")) return undefined;
    const { bitmapOfExif, bitmapOfReduced } = await import("./undrawn.ts");
    const reduced = await bitmapOfReduced(file).catch(() => undefined) ??
      await bitmapOfExif(file);
    return reduced && await make(reduced, true);
  } catch {
    return undefined;
  }
}

/** The picture, upright, if this browser can decode the whole of it. */
async function decoded(
  file: Blob,
  mime: string,
  use: "small pictures" | "whole",
): Promise<ImageBitmap | undefined> {
  if (!mime.startsWith("image/")) return undefined;
  return await decode(file, mime, use).catch(() => undefined);
}

async function decode(
  file: Blob,
  mime: string,
  use: "small pictures" | "whole",
): Promise<ImageBitmap | undefined> {
  // SVG is not known: it can contain scripts and addresses.
  const known = await lookAtBlob(file);
  if (known === undefined) {
    // Of a raw file only a part is decoded, so it may be larger.
    const { bitmapOfUndrawn } = await import("./undrawn.ts");
    return await bitmapOfUndrawn(file, mime, use);
  }
  const isBounded = file.size <= MOST_DECODED_BYTES &&
    await isProportionate(sourceOfFile(file), known);
  if (!isBounded) return undefined;
  try {
    return await createImageBitmap(file.slice(0, file.size, known.type));
  } catch {
    return known.type === "image/heic" ? await bitmapOfHeif(file) : undefined;
  }
}

/**
 * Largest edited picture (pixels): WebKit on telephones draws no larger one,
 * and each takes four bytes of memory, twice.
 */
const MOST_PIXELS = 16_000_000;

/** The edited picture, and its sides if it were drawn at its own scale. */
interface EditedBitmap {
  readonly bitmap: ImageBitmap;
  readonly width: number;
  readonly height: number;
}

/** Draws an upright bitmap by a recipe, and closes it. */
function editedBitmap(
  whole: ImageBitmap,
  edit: PhotoEdit,
): EditedBitmap {
  const { width, height } = drawingOf(whole, edit);
  const canvas = drawnBy(whole, edit, MOST_PIXELS);
  whole.close();
  return { bitmap: canvas.transferToImageBitmap(), width, height };
}

/** Draws a picture by a recipe on a canvas of at most so many pixels. */
function drawnBy(
  picture: ImageBitmap,
  edit: PhotoEdit,
  mostPixels: number,
): OffscreenCanvas {
  const { width, height, matrix } = drawingOf(picture, edit, mostPixels);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("no canvas in this browser");
  context.imageSmoothingQuality = "high";
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.setTransform(...matrix);
  context.drawImage(picture, 0, 0);
  const { brightness = 0, contrast = 0, saturation = 0 } = edit;
  if (brightness !== 0 || contrast !== 0 || saturation !== 0) {
    const pixels = context.getImageData(0, 0, width, height);
    light(pixels.data, edit);
    context.putImageData(pixels, 0, 0);
  }
  return canvas;
}

/** Tried in this order until one fits. */
const TRIES: readonly [pixels: number, quality: number][] = [
  [256, 0.7],
  [192, 0.6],
  [128, 0.5],
  [64, 0.4],
];

/**
 * Makes a JPEG of at most `mostBytes`, small enough for the sealed metadata of
 * a guest's file, and closes the bitmap.
 */
async function smallJpeg(
  bitmap: ImageBitmap,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    for (const [pixels, quality] of TRIES) {
      const canvas = drawn(bitmap, pixels);
      const jpeg = await canvas?.convertToBlob({ type: "image/jpeg", quality });
      // Its pixels are free now, and not once the browser collects its garbage.
      if (canvas !== undefined) canvas.width = canvas.height = 0;
      if (jpeg?.type !== "image/jpeg") return undefined;
      if (jpeg.size <= mostBytes) {
        return new Uint8Array(await jpeg.arrayBuffer());
      }
    }
    return undefined;
  } finally {
    bitmap.close();
  }
}

function drawn(
  bitmap: ImageBitmap,
  pixels: number,
): OffscreenCanvas | undefined {
  const scale = Math.min(1, pixels / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  // JPEG has no transparency, which would become black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}
