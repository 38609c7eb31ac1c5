/**
 * The small JPEG that cameras put into the EXIF of a picture: all that can be
 * seen of one that nothing here decodes.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { HEAD_BYTES, lookAtBytes, typeOfBytes } from "../exif/extent.ts";
import { exifOfHeif } from "../exif/heif.ts";
import { MediaReader, readWithin } from "../exif/reading.ts";
import { findInJpeg, findInPng, findInWebp } from "../exif/segments.ts";
import { readJpegInRaw } from "./raw.ts";

/** EXIF itself has at most 64 KB in a JPEG; HEIC may have more (bytes). */
const MOST_BYTES = 1024 * 1024;
/** Most pixels of it, which has about 160 a side. */
const MOST_PIXELS = 4_000_000;

/**
 * The small JPEG in the EXIF of a JPEG, PNG, WebP, TIFF, HEIC or AVIF, which is
 * upright by its own orientation. Undefined if there is none. Throws what the
 * source throws.
 */
export async function exifThumbnail(
  source: PlainSource,
): Promise<Bytes | undefined> {
  return await readWithin(source, async (source) => {
    const exif = await exifOf(source);
    if (exif === undefined) return undefined;
    const jpeg = await readJpegInRaw(exif);
    if (jpeg === undefined || jpeg.length > MOST_BYTES) return undefined;
    const known = await lookAtBytes(jpeg, MOST_PIXELS);
    return known?.type === "image/jpeg" ? jpeg : undefined;
  });
}

async function exifOf(source: PlainSource): Promise<PlainSource | undefined> {
  const reader = new MediaReader(source);
  const head = (await reader.bytes(0, Math.min(HEAD_BYTES, source.size)))
    .slice();
  const first = String.fromCharCode(...head.subarray(0, 4));
  // The directories of a TIFF are those of EXIF.
  if (first === "II*\0" || first === "MM\0*") return source;
  const found = async () => {
    switch (typeOfBytes(head)) {
      case "image/jpeg":
        return (await findInJpeg(reader)).exif;
      case "image/png":
        return (await findInPng(reader)).exif;
      case "image/webp":
        return (await findInWebp(reader)).exif;
      case "image/heic":
      case "image/avif":
        return await exifOfHeif(reader);
      default:
        return undefined;
    }
  };
  const exif = (await found())?.slice();
  return exif && {
    size: exif.length,
    read: (offset, length) =>
      Promise.resolve(exif.subarray(offset, offset + length)),
  };
}
