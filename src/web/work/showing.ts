/**
 * Deciding how a file is shown. Its media type may be a stranger's claim, so
 * the browser gets only types on these lists, and files that could be documents
 * with scripts stay plain bytes.
 *
 * @module
 */

/** The ways to show a file. */
export type Showing =
  | "picture"
  /** A picture that few browsers support; libheif decodes it. */
  | "heif"
  | "film"
  | "sound"
  | "pdf"
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
  // Shown only as an image, in which its scripts and links do not work.
  "image/svg+xml",
]);
const HEIFS = new Set(["image/heic", "image/heif"]);
const TEXTS = /^text\/|^application\/(json|xml|rdf\+xml|x-yaml|toml)$/;
const INERT = "application/octet-stream";

/** How to show a file of a media type. */
export function showingOf(mime: string): Showing {
  const type = essenceOf(mime);
  if (PICTURES.has(type)) return "picture";
  if (HEIFS.has(type)) return "heif";
  if (/^video\/[\w.+-]+$/.test(type)) return "film";
  if (/^audio\/[\w.+-]+$/.test(type)) return "sound";
  if (type === "application/pdf") return "pdf";
  return TEXTS.test(type) ? "text" : "file";
}

/** The type of the Blob of a file. */
export function inertType(mime: string): string {
  switch (showingOf(mime)) {
    case "picture":
    case "heif":
    case "film":
    case "sound":
    case "pdf":
      return essenceOf(mime);
    case "text":
      return "text/plain; charset=utf-8";
    case "file":
      return INERT;
  }
}

/** The type of a player's bytes; players treat QuickTime as MP4. */
export function playedType(mime: string): string {
  const type = essenceOf(mime);
  if (type === "video/quicktime" || type === "video/x-m4v") return "video/mp4";
  return ["film", "sound"].includes(showingOf(type)) ? type : INERT;
}

function essenceOf(mime: string): string {
  return mime.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
