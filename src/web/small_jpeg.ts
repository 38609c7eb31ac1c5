/**
 * A picture of the visitor's made small, for whoever receives the file to
 * recognise it before fetching it.
 *
 * @module
 */

/** A bigger file is not decoded for it: phones have little memory (bytes). */
const MOST_BYTES = 32 * 1024 * 1024;
/** Tried in this order until one fits. */
const TRIES: readonly [pixels: number, quality: number][] = [
  [256, 0.7],
  [192, 0.6],
  [128, 0.5],
  [64, 0.4],
];

/**
 * An upright JPEG of at most so many bytes; undefined for what is no picture, or
 * none that this browser can decode.
 */
export async function smallJpeg(
  file: File,
  mostBytes: number,
): Promise<Uint8Array | undefined> {
  const isPicture = /^image\/[a-z0-9.+-]+$/i.test(file.type);
  if (!isPicture || file.size > MOST_BYTES) return undefined;
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return undefined;
  }
  try {
    for (const [pixels, quality] of TRIES) {
      const jpeg = await drawn(bitmap, pixels, quality);
      if (jpeg === undefined) return undefined;
      if (jpeg.size <= mostBytes) {
        return new Uint8Array(await jpeg.arrayBuffer());
      }
    }
    return undefined;
  } finally {
    bitmap.close();
  }
}

async function drawn(
  bitmap: ImageBitmap,
  pixels: number,
  quality: number,
): Promise<Blob | undefined> {
  const scale = Math.min(1, pixels / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  // JPEG knows no transparency, and black is a poor paper.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) =>
    canvas.toBlob(done, "image/jpeg", quality)
  );
  return blob?.type === "image/jpeg" ? blob : undefined;
}
