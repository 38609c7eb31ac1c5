/**
 * What a file is by its bytes, and how large the picture in it is, before
 * anything decodes it. What its name and its metadata say is a claim: a file of
 * some kilobytes can decode to a gigabyte, and a document with scripts can be
 * called a photograph.
 *
 * @module
 */
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { codeAt, MediaReader, readWithin, viewOf } from "./reading.ts";
import { findInJpeg, findInWebp, type Found } from "./segments.ts";

/** What can be shown or played: the closed list of media types. */
type KnownType =
  | "image/jpeg"
  | "image/png"
  | "image/webp"
  | "image/gif"
  | "image/bmp"
  | "image/avif"
  | "image/heic"
  | "video/mp4"
  | "video/quicktime"
  | "video/webm"
  | "video/ogg"
  | "video/mpeg"
  | "video/x-msvideo"
  | "audio/mpeg"
  | "audio/aac"
  | "audio/flac"
  | "audio/wav";

/** Bytes at the beginning of a file by which {@link typeOfBytes} knows it. */
export const HEAD_BYTES = 16;

const AVIF = new Set(["avif", "avis"]);
const HEIF = new Set([
  "heic",
  "heix",
  "hevc",
  "heim",
  "heis",
  "mif1",
  "msf1",
]);
const OLD_QUICKTIME = new Set(["moov", "mdat", "wide", "free", "skip"]);

/**
 * The media type of a file by its first {@link HEAD_BYTES}; undefined if it is
 * not on the list. No text is on it, so nothing with scripts is.
 */
export function typeOfBytes(head: Uint8Array): KnownType | undefined {
  if (head.length < HEAD_BYTES) return undefined;
  const view = viewOf(head);
  const first = view.getUint32(0);
  const code = codeAt(view, 0);
  const second = codeAt(view, 4);
  const third = codeAt(view, 8);
  if (first >>> 8 === 0xff_d8_ff) return "image/jpeg";
  if (first === 0x89_50_4e_47) return "image/png";
  if (code === "GIF8") return "image/gif";
  if (code === "RIFF") {
    if (third === "WEBP") return "image/webp";
    if (third === "WAVE") return "audio/wav";
    return third === "AVI " ? "video/x-msvideo" : undefined;
  }
  if (second === "ftyp") {
    if (AVIF.has(third)) return "image/avif";
    if (HEIF.has(third)) return "image/heic";
    // A raw file of Canon's, in boxes.
    if (third === "crx ") return undefined;
    return third === "qt  " ? "video/quicktime" : "video/mp4";
  }
  if (OLD_QUICKTIME.has(second)) return "video/quicktime";
  if (first === 0x1a_45_df_a3) return "video/webm";
  if (code === "OggS") return "video/ogg";
  if (code === "fLaC") return "audio/flac";
  if (first >>> 8 === 0x49_44_33) return "audio/mpeg";
  if (first === 0x00_00_01_ba) return "video/mpeg";
  if (first >>> 20 === 0xfff) {
    return (first >>> 17 & 3) === 0 ? "audio/aac" : "audio/mpeg";
  }
  // "BM", the file's size, and four reserved bytes of zeros.
  if (first >>> 16 === 0x42_4d && view.getUint32(6) === 0) return "image/bmp";
  return undefined;
}

/** Whether a type is of pictures that browsers decode by themselves. */
export function isPictureType(type: string | undefined): boolean {
  return type !== undefined && type !== "image/heic" &&
    type.startsWith("image/");
}

/** Largest picture that is decoded; each pixel takes four bytes of memory. */
export const MOST_PIXELS = 120_000_000;
/** The same of small pictures, of which many are decoded at once. */
export const MOST_SMALL_PIXELS = 16_000_000;
/**
 * Pixels for each byte beyond {@link MOST_SMALL_PIXELS}: a photograph has fewer
 * than ten.
 */
const MOST_PIXELS_A_BYTE = 1_000;

/** Most pixels of a picture that are in proportion to its bytes. */
export function mostPixelsOf(
  { size }: Pick<PlainSource, "size">,
  mostPixels: number,
): number {
  const proportionate = Math.max(MOST_SMALL_PIXELS, size * MOST_PIXELS_A_BYTE);
  return Math.min(mostPixels, proportionate);
}

/**
 * Most pixels of a picture that our own decoders go through, about two seconds
 * of them, ...
 */
const MOST_CHEAP_PIXELS = 40_000_000;
/**
 * ... and more for each byte that the pixels have in the file: a photograph has
 * fewer than ten, a drawing with gradients 300.
 */
const MOST_REDUCED_A_BYTE = 320;
const MOST_REDUCED_PIXELS = 500_000_000;

/** Most pixels that so many packed bytes may become. */
export function mostPixelsIn(packedBytes: number): number {
  return Math.min(
    MOST_REDUCED_PIXELS,
    Math.max(MOST_CHEAP_PIXELS, packedBytes * MOST_REDUCED_A_BYTE),
  );
}

/**
 * Whether a picture of such sides in a file of so many bytes has more pixels
 * than are decoded anywhere.
 */
export function isTooLarge(
  { width = 0, height = 0, size }: {
    readonly width?: number | undefined;
    readonly height?: number | undefined;
    readonly size: number;
  },
): boolean {
  const most = mostPixelsOf({ size }, MOST_PIXELS);
  return width * height > Math.min(most, mostPixelsIn(size));
}

/** A picture that can be decoded, or a video or sound that can be played. */
export interface KnownMedia {
  readonly type: KnownType;
  /** Sides in pixels, of pictures. */
  readonly width?: number;
  readonly height?: number;
}

/**
 * Looks at a file before it is decoded. Undefined for what is not on the list,
 * and for a picture whose size its header does not say, or is above
 * `mostPixels` or out of proportion to its bytes.
 */
export async function lookAt(
  source: PlainSource,
  mostPixels: number = MOST_PIXELS,
): Promise<KnownMedia | undefined> {
  return await readWithin(source, async (source) => {
    const reader = new MediaReader(source);
    const head = await reader.bytes(0, Math.min(HEAD_BYTES, reader.size));
    const type = typeOfBytes(head.slice());
    if (type === undefined || !type.startsWith("image/")) {
      return type === undefined ? undefined : { type };
    }
    const { width = 0, height = 0 } = await extentIn(reader, type);
    const pixels = width * height;
    return pixels > 0 && pixels <= mostPixelsOf(source, mostPixels)
      ? { type, width, height }
      : undefined;
  });
}

/** The same of bytes in memory. */
export function lookAtBytes(
  bytes: Uint8Array<ArrayBuffer>,
  mostPixels?: number,
): Promise<KnownMedia | undefined> {
  const read = (offset: number, length: number) =>
    Promise.resolve(bytes.subarray(offset, offset + length));
  return lookAt({ size: bytes.length, read }, mostPixels);
}

/** The same of a Blob. */
export function lookAtBlob(
  blob: Blob,
  mostPixels?: number,
): Promise<KnownMedia | undefined> {
  const read = async (offset: number, length: number) =>
    new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
  return lookAt({ size: blob.size, read }, mostPixels);
}

/** The sides that the header says, and not those that the EXIF says. */
export async function extentIn(
  reader: MediaReader,
  type: KnownType,
): Promise<Pick<Found, "width" | "height">> {
  switch (type) {
    case "image/jpeg":
      return await findInJpeg(reader);
    case "image/png": {
      const header = await reader.view(8, 16);
      if (codeAt(header, 4) !== "IHDR") return {};
      return { width: header.getUint32(8), height: header.getUint32(12) };
    }
    case "image/webp":
      return await findInWebp(reader);
    case "image/gif": {
      // Few pictures need it, and a page loads it when one does.
      const { findInGif } = await import("./more_pictures.ts");
      return await findInGif(reader);
    }
    case "image/bmp": {
      const header = await reader.view(14, 12);
      // The header of OS/2 has half as wide fields.
      return header.getUint32(0, true) === 12
        ? {
          width: header.getUint16(4, true),
          height: header.getUint16(6, true),
        }
        : {
          width: Math.abs(header.getInt32(4, true)),
          height: Math.abs(header.getInt32(8, true)),
        };
    }
    default: {
      const { readHeif } = await import("./heif.ts");
      const { width, height } = await readHeif(reader);
      return {
        ...(width === undefined ? {} : { width }),
        ...(height === undefined ? {} : { height }),
      };
    }
  }
}
