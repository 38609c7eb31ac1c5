/**
 * Making a picture small enough for the sealed metadata of a guest's file, so
 * that the recipient can recognise the file before fetching it.
 *
 * @module
 */

/** Tried in this order until one fits. */
const TRIES: readonly [pixels: number, quality: number][] = [
  [256, 0.7],
  [192, 0.6],
  [128, 0.5],
  [64, 0.4],
];

/** Makes a JPEG of at most `mostBytes`, and closes the bitmap. */
export async function smallJpeg(
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
