/**
 * Pictures that browsers do not draw: raw files of cameras, through the JPEG
 * that they have in them, TIFF, and JPEGs and PNGs that are too large.
 *
 * @module
 */
import { SMALL_PICTURES } from "../../../../library/adding/drawn_itself.ts";
import { lookAtBlob } from "../../../../media/exif/extent.ts";
import { isRawType } from "../../../../media/raw_types.ts";
import { jpegInRaw, uprightParts } from "../../../../media/pictures/raw.ts";
import { isProportionate } from "../../../../media/pictures/proportionate.ts";
import { exifThumbnail } from "../../../../media/pictures/exif_thumbnail.ts";
import { decodeReduced } from "../../../../media/pictures/large.ts";
import type { Pixels } from "../../../../media/pictures/reducing.ts";
import { decodeTiff } from "../../../../media/pictures/tiff.ts";
import { sourceOfFile } from "../../../../client/stream/threads/file_source.ts";

/** Longest side of the JPEG of a TIFF; screens show no more (pixels). */
const MOST_SIDE = 4_096;
/** Least longest side of one that is made smaller while it is decoded (pixels). */
const { side: REDUCED_SIDE } = SMALL_PICTURES[0];
const QUALITY = 0.92;

/** A file has no picture that can be shown. */
class UndrawnError extends Error {
  override readonly name = "UndrawnError";
}

/** The picture of such a file as a JPEG; throws UndrawnError if it has none. */
export async function jpegOfUndrawn(file: Blob, mime: string): Promise<Blob> {
  const jpeg = await jpegOfRaw(file, mime);
  if (jpeg !== undefined) return jpeg;
  const bitmap = await bitmapOfReduced(file) ??
    await bitmapOfTiff(file, MOST_SIDE);
  if (bitmap === undefined) throw new UndrawnError(`no picture in ${mime}`);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d");
  if (context === null) throw new UndrawnError("no canvas in this browser");
  // JPEG has no transparency, which would become black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const made = await canvas.convertToBlob({
    type: "image/jpeg",
    quality: QUALITY,
  });
  canvas.width = canvas.height = 0;
  return made;
}

/**
 * The picture of such a file, upright; undefined if it has none. If only small
 * pictures are made of it, it needs no more pixels than they have.
 */
export async function bitmapOfUndrawn(
  file: Blob,
  mime: string,
  use: "small pictures" | "whole",
): Promise<ImageBitmap | undefined> {
  const jpeg = await jpegOfRaw(file, mime);
  return jpeg === undefined
    ? await bitmapOfTiff(file, use === "whole" ? MOST_SIDE : REDUCED_SIDE)
    : await createImageBitmap(jpeg);
}

/** The JPEG in a raw file. */
async function jpegOfRaw(file: Blob, mime: string): Promise<Blob | undefined> {
  if (!isRawType(mime)) return undefined;
  const found = await jpegInRaw(sourceOfFile(file));
  if (found === undefined) return undefined;
  const { head, from, to } = uprightParts(found);
  const jpeg = new Blob([head, file.slice(from, to)], { type: "image/jpeg" });
  const known = await lookAtBlob(jpeg);
  const isBounded = known !== undefined &&
    await isProportionate(sourceOfFile(jpeg), known);
  return isBounded ? jpeg : undefined;
}

/** The picture of a TIFF, at most as large as a screen may show it. */
async function bitmapOfTiff(
  file: Blob,
  longest: number,
): Promise<ImageBitmap | undefined> {
  return await shrunk(await decodeTiff(sourceOfFile(file), longest));
}

/**
 * The picture of a JPEG or a PNG that is too large for this browser, or that it
 * does not decode, as large as a screen may show it; undefined for another file.
 */
export async function bitmapOfReduced(
  file: Blob,
): Promise<ImageBitmap | undefined> {
  const source = sourceOfFile(file);
  const known = await lookAtBlob(file, Infinity);
  const isBounded = known !== undefined && await isProportionate(source, known);
  return isBounded
    ? await shrunk(await decodeReduced(source, known, REDUCED_SIDE))
    : undefined;
}

/** What EXIF has of a picture, upright; undefined if it has nothing. */
export async function bitmapOfExif(
  file: Blob,
): Promise<ImageBitmap | undefined> {
  const jpeg = await exifThumbnail(sourceOfFile(file));
  return jpeg &&
    await createImageBitmap(new Blob([jpeg], { type: "image/jpeg" }));
}

async function shrunk(
  pixels: Pixels | undefined,
): Promise<ImageBitmap | undefined> {
  if (pixels === undefined) return undefined;
  const { width, height, rgba } = pixels;
  const by = Math.min(1, MOST_SIDE / Math.max(width, height));
  return await createImageBitmap(new ImageData(rgba, width, height), {
    resizeWidth: Math.max(1, Math.round(width * by)),
    resizeHeight: Math.max(1, Math.round(height * by)),
  });
}
