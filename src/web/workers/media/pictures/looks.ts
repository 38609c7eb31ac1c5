/**
 * What a small picture looks like, for finding similar ones.
 *
 * @module
 */
import {
  type Looks,
  LOOKS_SIDE,
  looksOf,
} from "../../../../media/pictures/looks.ts";
import { withDecoded } from "../decoded.ts";

/** Decodes a small picture; undefined if it cannot be, or is too small. */
export function looksOfPicture(file: Blob): Promise<Looks | undefined> {
  return withDecoded(file, looksOfBitmap);
}

function looksOfBitmap(bitmap: ImageBitmap): Looks | undefined {
  const scale = Math.min(1, LOOKS_SIDE / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("no canvas in this browser");
  context.imageSmoothingQuality = "high";
  // What is transparent is not black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  canvas.width = canvas.height = 0;
  return looksOf(data, width, height);
}
