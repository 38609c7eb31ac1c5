/**
 * Pictures as the models of CLIP take them: the middle of the picture as a
 * square, each colour by itself, and less the mean of the training pictures.
 *
 * @module
 */
import type { MeaningModels } from "../../../core/meaning.ts";
import { withDecoded } from "../decoded.ts";

/** The numbers of a picture; null for what cannot be decoded. */
export async function pixelsOf(
  picture: Blob,
  image: MeaningModels["image"],
): Promise<Float32Array<ArrayBuffer> | null> {
  return await withDecoded(picture, (bitmap) => squareOf(bitmap, image)) ??
    null;
}

function squareOf(
  bitmap: ImageBitmap,
  { size, mean, std }: MeaningModels["image"],
): Float32Array<ArrayBuffer> | undefined {
  const canvas = new OffscreenCanvas(size, size);
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  if (drawing === null) return undefined;
  drawing.imageSmoothingQuality = "high";
  const side = Math.min(bitmap.width, bitmap.height);
  drawing.drawImage(
    bitmap,
    (bitmap.width - side) / 2,
    (bitmap.height - side) / 2,
    side,
    side,
    0,
    0,
    size,
    size,
  );
  return numbersOf(drawing.getImageData(0, 0, size, size).data, mean, std);
}

/** Bytes of red, green, blue and opacity as three planes of numbers. */
function numbersOf(
  bytes: Uint8ClampedArray,
  mean: readonly number[],
  std: readonly number[],
): Float32Array<ArrayBuffer> {
  const count = bytes.length / 4;
  const numbers = new Float32Array(count * 3);
  for (let colour = 0; colour < 3; colour++) {
    const [less, by] = [mean[colour] ?? 0, std[colour] ?? 1];
    for (let at = 0; at < count; at++) {
      const part = (bytes[at * 4 + colour] ?? 0) / 255;
      numbers[colour * count + at] = (part - less) / by;
    }
  }
  return numbers;
}
