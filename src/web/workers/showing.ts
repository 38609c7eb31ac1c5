/**
 * Deciding how a file is shown. Its media type may be a stranger's claim, so it
 * only chooses the view; the browser gets the type that the bytes have, from a
 * closed list without documents.
 *
 * @module
 */
import {
  HEAD_BYTES,
  isPictureType,
  lookAtBytes,
  MOST_SMALL_PIXELS,
  typeOfBytes,
} from "../../client/exif/extent.ts";
import { isUndrawnType } from "../../client/media_types.ts";
import type { Thumbnail } from "./photo_lists.ts";

/** The ways to show a file. */
export type Showing =
  | "picture"
  /** A picture that few browsers support; libheif decodes it. */
  | "heif"
  /** A raw file of a camera, or TIFF: our own readers find its picture. */
  | "undrawn"
  | "video"
  | "sound"
  | "text"
  /** Only named and downloaded. */
  | "file";

const PICTURES = new Set([
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/gif",
  "image/avif",
  "image/bmp",
]);
const HEIFS = new Set(["image/heic", "image/heif"]);
const TEXTS = /^text\/|^application\/(json|xml|rdf\+xml|x-yaml|toml)$/;
const INERT = "application/octet-stream";

/** How to show a file of a media type. */
export function showingOf(mime: string): Showing {
  const type = essenceOf(mime);
  if (PICTURES.has(type)) return "picture";
  if (HEIFS.has(type)) return "heif";
  if (isUndrawnType(type)) return "undrawn";
  if (/^video\/[\w.+-]+$/.test(type)) return "video";
  if (/^audio\/[\w.+-]+$/.test(type)) return "sound";
  return TEXTS.test(type) ? "text" : "file";
}

/** Whether a file is shown as a picture, which one can zoom into. */
export function isPicture(mime: string): boolean {
  return ["picture", "heif", "undrawn"].includes(showingOf(mime));
}

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

/** The type of a player's bytes; players treat QuickTime as MP4. */
export function playedType(mime: string): string {
  const type = essenceOf(mime);
  if (type === "video/quicktime" || type === "video/x-m4v") return "video/mp4";
  return ["video", "sound"].includes(showingOf(type)) ? type : INERT;
}

function essenceOf(mime: string): string {
  return mime.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
