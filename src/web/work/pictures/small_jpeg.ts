/**
 * A picture made small enough to travel inside a sealed text, for whoever
 * receives a file to recognise it before fetching it.
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

/** A JPEG of at most so many bytes; the bitmap is closed. */
export async function smallJpeg(
  bitmap: ImageBitmap,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    for (const [pixels, quality] of TRIES) {
      const jpeg = await drawn(bitmap, pixels)
        ?.convertToBlob({ type: "image/jpeg", quality });
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
  // JPEG knows no transparency, and black is a poor paper.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}
