/**
 * Drawing a photo by its recipe (`photo_edit.ts`).
 *
 * @module
 */
import type { PhotoEdit } from "../../../client/metadata.ts";
import { drawingOf, light } from "../../../client/pictures/photo_edit.ts";

/**
 * Largest edited picture (pixels): WebKit on telephones draws no larger one, and
 * each takes four bytes of memory, twice.
 */
export const MOST_PIXELS = 16_000_000;

/** The edited picture, and its sides if it were drawn at its own scale. */
export interface EditedBitmap {
  readonly bitmap: ImageBitmap;
  readonly width: number;
  readonly height: number;
}

/** Draws an upright bitmap by a recipe, and closes it. */
export function editedBitmap(
  whole: ImageBitmap,
  edit: PhotoEdit,
): EditedBitmap {
  const { width, height } = drawingOf(whole, edit);
  const canvas = drawnBy(whole, edit, MOST_PIXELS);
  whole.close();
  return { bitmap: canvas.transferToImageBitmap(), width, height };
}

/** Draws a picture by a recipe on a canvas of at most so many pixels. */
export function drawnBy(
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
