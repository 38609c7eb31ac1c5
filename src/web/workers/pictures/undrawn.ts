/**
 * Pictures that browsers do not draw: raw files of cameras, through the JPEG
 * that they have in them, and TIFF.
 *
 * @module
 */
import { lookAtBlob } from "../../../client/exif/extent.ts";
import { isRawType } from "../../../client/raw_types.ts";
import { jpegInRaw, uprightParts } from "../../../client/pictures/raw.ts";
import { decodeTiff } from "../../../client/pictures/tiff.ts";
import { sourceOfFile } from "../../../client/threads/file_source.ts";

/** Longest side of the JPEG of a TIFF; screens show no more (pixels). */
const MOST_SIDE = 4_096;
const QUALITY = 0.92;

/** A file has no picture that can be shown. */
export class UndrawnError extends Error {
  override readonly name = "UndrawnError";
}

/** The picture of such a file as a JPEG; throws UndrawnError if it has none. */
export async function jpegOfUndrawn(file: Blob, mime: string): Promise<Blob> {
  const jpeg = await jpegOfRaw(file, mime);
  if (jpeg !== undefined) return jpeg;
  const bitmap = await bitmapOfTiff(file);
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

/** The picture of such a file, upright; undefined if it has none. */
export async function bitmapOfUndrawn(
  file: Blob,
  mime: string,
): Promise<ImageBitmap | undefined> {
  const jpeg = await jpegOfRaw(file, mime);
  return jpeg === undefined
    ? await bitmapOfTiff(file)
    : await createImageBitmap(jpeg);
}

/** The JPEG in a raw file. */
async function jpegOfRaw(file: Blob, mime: string): Promise<Blob | undefined> {
  if (!isRawType(mime)) return undefined;
  const found = await jpegInRaw(sourceOfFile(file));
  if (found === undefined) return undefined;
  const { head, from, to } = uprightParts(found);
  const jpeg = new Blob([head, file.slice(from, to)], { type: "image/jpeg" });
  return await lookAtBlob(jpeg) === undefined ? undefined : jpeg;
}

/** The picture of a TIFF, as large as a screen may show it. */
async function bitmapOfTiff(file: Blob): Promise<ImageBitmap | undefined> {
  const pixels = await decodeTiff(sourceOfFile(file));
  if (pixels === undefined) return undefined;
  const { width, height, rgba } = pixels;
  const by = Math.min(1, MOST_SIDE / Math.max(width, height));
  return await createImageBitmap(new ImageData(rgba, width, height), {
    resizeWidth: Math.max(1, Math.round(width * by)),
    resizeHeight: Math.max(1, Math.round(height * by)),
  });
}
