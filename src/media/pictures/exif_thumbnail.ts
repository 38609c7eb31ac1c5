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
import { type MediaFacts, readMediaFacts } from "../exif/mod.ts";
import { MediaReader, readWithin } from "../exif/reading.ts";
import { findInJpeg, findInPng, findInWebp } from "../exif/segments.ts";
import { readJpegInRaw } from "./raw.ts";

/** EXIF itself has at most 64 KB in a JPEG; HEIC may have more (bytes). */
const MOST_BYTES = 1024 * 1024;
/** Most pixels of it, which has about 160 a side. */
const MOST_PIXELS = 4_000_000;
/** Its sides are rounded, so their ratio may be off by so much. */
const MOST_OFF = 0.03;

/**
 * The small JPEG in the EXIF of a JPEG, PNG, WebP, TIFF, HEIC or AVIF, which is
 * upright by its own orientation. Undefined if there is none, and if its sides
 * are not in proportion to the picture's: programs that crop or turn a picture
 * may leave the small one as it was, which shows what was cut away. Throws what
 * the source throws.
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
    const isOfIt = known?.type === "image/jpeg" &&
      isLike(
        await readMediaFacts(sourceOf(jpeg)),
        await readMediaFacts(source),
      );
    return isOfIt ? jpeg : undefined;
  });
}

/** Whether two have about the same ratio of sides, as they are shown. */
function isLike(one: MediaFacts, other: MediaFacts): boolean {
  const { width = 0, height = 0 } = one;
  const ratio = width * (other.height ?? 0) / (height * (other.width ?? 0));
  return Math.abs(ratio - 1) <= MOST_OFF;
}

function sourceOf(bytes: Bytes): PlainSource {
  return {
    size: bytes.length,
    read: (offset, length) =>
      Promise.resolve(bytes.subarray(offset, offset + length)),
  };
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
  return exif && sourceOf(exif);
}
