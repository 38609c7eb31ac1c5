/**
 * Decoding pictures in threads.
 *
 * @module
 */

/**
 * Hands a decoded picture on and lets go of it, which holds four bytes a pixel.
 * Undefined where this browser does not decode it.
 */
export async function withDecoded<T>(
  picture: Blob,
  use: (bitmap: ImageBitmap) => T,
): Promise<T | undefined> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(picture);
  } catch {
    return undefined;
  }
  try {
    return use(bitmap);
  } finally {
    bitmap.close();
  }
}
