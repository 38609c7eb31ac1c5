/**
 * Deciding how a file is shown. Its media type may be a stranger's claim, so it
 * only chooses the view; the browser gets the type that the bytes have, from a
 * closed list without documents.
 *
 * @module
 */
import { essenceOf } from "./played_type.ts";
import { isUndrawnType } from "../../../media/raw_types.ts";

/** The ways to show a file. */
type Showing =
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
