/**
 * Small pictures of a photograph, so that a link shows something at once: with
 * the runtime's own decoder, which knows JPEG, PNG, WebP, GIF and BMP, and with
 * our own of TIFF and of the JPEGs in raw files. Videos and HEIC are left to a
 * program that can.
 *
 * @module
 */
import { lookAt } from "../../client/exif/extent.ts";
import {
  type NewDerivative,
  plainOf,
  type PlainSource,
} from "../../client/library/mod.ts";
import { isRawType, isUndrawnType } from "../../client/raw_types.ts";

const DECODED = new Set([
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/gif",
  "image/bmp",
]);
/** Decoded whole in memory: four bytes a pixel. */
const MAX_PIXELS = 60_000_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Longest sides (pixels), the larger first: the smaller is made of it. */
const SIZES = [
  { kind: "preview", side: 1_920, quality: 0.82 },
  { kind: "thumbnail", side: 512, quality: 0.8 },
] as const;

/** Decoding takes much memory: one picture at a time. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Derivatives of a photograph; none where it cannot be decoded here. One that
 * tells its place does not stand for itself, however small it is: a link shows
 * a picture without the place in its stead.
 */
export function derivativesOf(
  source: PlainSource,
  mime: string,
  facts: {
    readonly width?: number;
    readonly height?: number;
    readonly isPlaced?: boolean;
  },
): Promise<readonly NewDerivative[]> {
  const { width = 0, height = 0, isPlaced = false } = facts;
  // No browser draws these, however small they are.
  const isUndrawn = isUndrawnType(mime);
  const fits = isUndrawn || (DECODED.has(mime) && source.size <= MAX_BYTES);
  const isSmall = Math.max(width, height) <= SIZES[1].side;
  if (!fits || (isSmall && !isPlaced && !isUndrawn)) return Promise.resolve([]);
  const done = turn.then(() => decode(source, mime, isPlaced || isUndrawn));
  turn = done;
  return done;
}

/**
 * Makes them; `isAlways` also where the picture is as small as they are.
 */
async function decode(
  source: PlainSource,
  mime: string,
  isAlways: boolean,
): Promise<readonly NewDerivative[]> {
  const made: NewDerivative[] = [];
  try {
    const decoded = isUndrawnType(mime)
      ? await undrawn(source, mime)
      : await drawn(source);
    if (decoded === undefined) return [];
    let bitmap = decoded;
    for (const { kind, side, quality } of SIZES) {
      const longest = Math.max(bitmap.width, bitmap.height);
      // What is as small as a thumbnail has no use for a preview, too.
      const isNeeded = longest > side || (isAlways &&
        (kind === "thumbnail" || longest > SIZES[1].side));
      if (!isNeeded) continue;
      const scale = Math.min(1, side / longest);
      const smaller = await createImageBitmap(bitmap, {
        resizeWidth: Math.max(1, Math.round(bitmap.width * scale)),
        resizeHeight: Math.max(1, Math.round(bitmap.height * scale)),
        resizeQuality: "medium",
      });
      bitmap.close();
      bitmap = smaller;
      const { width, height } = bitmap;
      // The canvas takes the bitmap away, and the smaller is made of it.
      const again = await createImageBitmap(bitmap);
      const canvas = new OffscreenCanvas(width, height);
      canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
      bitmap = again;
      const blob = await canvas.convertToBlob({ type: "image/jpeg", quality });
      made.push({
        kind,
        mime: "image/jpeg",
        width,
        height,
        bytes: await blob.bytes(),
      });
    }
    bitmap.close();
  } catch (error) {
    // Damaged, or of a kind that only its name promises: it is kept all the
    // same, as it is.
    if (!(error instanceof DOMException) && !(error instanceof TypeError)) {
      throw error;
    }
    return [];
  }
  return made;
}

/** A picture that the runtime decodes. */
async function drawn(source: PlainSource): Promise<ImageBitmap | undefined> {
  const known = await lookAt(source, MAX_PIXELS);
  if (known === undefined || !DECODED.has(known.type)) return undefined;
  const bytes = await source.read(0, source.size);
  return await createImageBitmap(new Blob([bytes], { type: known.type }));
}

/** The picture of a raw file or of a TIFF. */
async function undrawn(
  source: PlainSource,
  mime: string,
): Promise<ImageBitmap | undefined> {
  if (isRawType(mime)) {
    const { readJpegInRaw } = await import("../../client/pictures/raw.ts");
    const jpeg = await readJpegInRaw(source);
    if (jpeg !== undefined) return await drawn(plainOf(jpeg));
  }
  const { decodeTiff } = await import("../../client/pictures/tiff.ts");
  const pixels = await decodeTiff(source);
  if (pixels === undefined) return undefined;
  const { rgba, width, height } = pixels;
  return await createImageBitmap(new ImageData(rgba, width, height));
}
