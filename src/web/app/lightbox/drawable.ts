/**
 * Whether this browser can draw a picture, and what it draws in its place.
 *
 * @module
 */
import { lookAtBlob } from "../../../client/exif/extent.ts";
import { addressOf, isDecodable } from "../addresses.ts";
import type { PhotoInfo } from "../list.ts";
import { complete, jpegOf } from "./heif.ts";

/** This browser cannot draw the picture. */
export class UndrawnError extends Error {
  override readonly name = "UndrawnError";
}

/**
 * Checks that the browser can decode a Blob. Throws an {@link UndrawnError} if
 * it cannot, or if the picture would take too much memory.
 */
export async function drawable(
  blob: Blob,
  mostPixels?: number,
): Promise<Blob> {
  if (!await isDecodable(blob, mostPixels)) throw new UndrawnError();
  const address = addressOf(blob);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return blob;
  } catch {
    throw new UndrawnError();
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * An original that the browser can draw, HEIC as a JPEG where need be. Throws an
 * {@link UndrawnError}.
 */
export async function drawableOriginal(
  blob: Blob,
  info: PhotoInfo,
): Promise<Blob> {
  try {
    return await drawable(blob);
  } catch (error) {
    const known = blob.type === "image/heic" && await lookAtBlob(blob);
    if (!known) throw error;
  }
  try {
    const jpeg = await drawable(await jpegOf(blob));
    complete(info, jpeg);
    return jpeg;
  } catch {
    throw new UndrawnError();
  }
}
