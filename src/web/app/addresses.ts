/**
 * Addresses of Blobs, which anybody can open in a tab: a Blob that is a
 * document would run its scripts in this origin, next to the library. So this
 * module makes all of them, and only of types that hold no scripts. The type is
 * found in the bytes; what a member or a guest says is not looked at.
 *
 * @module
 */
import {
  HEAD_BYTES,
  isPictureType,
  lookAtBlob,
  typeOfBytes,
} from "../../media/exif/extent.ts";

/** The type of everything that is only saved. */
const INERT = "application/octet-stream";

/** A Blob with the type that its bytes have; inert where that is not known. */
export async function typed(blob: Blob): Promise<Blob> {
  const head = await blob.slice(0, HEAD_BYTES).arrayBuffer();
  const type = typeOfBytes(new Uint8Array(head)) ?? INERT;
  return blob.type === type ? blob : blob.slice(0, blob.size, type);
}

/**
 * Whether a Blob with its own type is a picture that this browser may decode:
 * one of the list, of a size that memory holds.
 */
export async function isDecodable(
  blob: Blob,
  mostPixels?: number,
): Promise<boolean> {
  if (!isPictureType(blob.type)) return false;
  return (await lookAtBlob(blob, mostPixels))?.type === blob.type;
}

/** Types of {@link typed} that a page shows or plays. */
const SHOWN =
  /^(image\/(jpeg|png|webp|gif|bmp|avif)|video\/[\w-]+|audio\/[\w-]+)$/;

/**
 * The address of a picture, a video or a sound, whose type {@link typed} has
 * found. Throws a TypeError for any other type.
 */
export function addressOf(blob: Blob): string {
  if (!SHOWN.test(blob.type)) throw new TypeError("no picture, video or sound");
  return URL.createObjectURL(blob);
}

/** The address of a Blob that is saved: no browser opens it in this origin. */
export function savedAddress(blob: Blob): string {
  return URL.createObjectURL(blob.slice(0, blob.size, INERT));
}
