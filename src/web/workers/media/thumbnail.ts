/**
 * Small pictures as the page gets them: only what is a picture by its bytes.
 *
 * @module
 */
import {
  HEAD_BYTES,
  isPictureType,
  lookAtBytes,
  MOST_SMALL_PIXELS,
  typeOfBytes,
} from "../../../media/exif/extent.ts";
import type { Thumbnail } from "../library/photo_lists.ts";

/**
 * The small picture of a photo that was read, with the type that its bytes
 * have; `damaged` for what is no picture, `none` for one that is too large.
 */
export async function thumbnailOf(
  id: string,
  got: Uint8Array<ArrayBuffer> | NonNullable<Thumbnail["missing"]>,
): Promise<Thumbnail> {
  if (typeof got === "string") return { id, missing: got };
  const type = typeOfBytes(got.subarray(0, HEAD_BYTES));
  if (type === undefined || !isPictureType(type)) {
    return { id, missing: "damaged" };
  }
  return await lookAtBytes(got, MOST_SMALL_PIXELS) === undefined
    ? { id, missing: "none" }
    : { id, bytes: got, mime: type };
}
