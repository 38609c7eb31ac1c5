/**
 * What a file may be shown as. Its media type is a stranger's word: only types
 * on these lists get into a browser's hands, and whatever could be a document
 * with scripts stays plain bytes.
 *
 * @module
 */

/** What a file is shown with. */
export type Showing =
  | "picture"
  /** A picture that few browsers draw: libheif does. */
  | "heif"
  | "film"
  | "sound"
  | "pdf"
  | "text"
  /** Told, and downloaded. */
  | "file";

const PICTURES = new Set([
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/gif",
  "image/avif",
  "image/bmp",
  // Drawn as an image alone, where neither scripts nor links of it live.
  "image/svg+xml",
]);
const HEIFS = new Set(["image/heic", "image/heif"]);
const TEXTS = /^text\/|^application\/(json|xml|rdf\+xml|x-yaml|toml)$/;
const INERT = "application/octet-stream";

/** What a file of a media type is shown with. */
export function showingOf(mime: string): Showing {
  const type = essenceOf(mime);
  if (PICTURES.has(type)) return "picture";
  if (HEIFS.has(type)) return "heif";
  if (/^video\/[\w.+-]+$/.test(type)) return "film";
  if (/^audio\/[\w.+-]+$/.test(type)) return "sound";
  if (type === "application/pdf") return "pdf";
  return TEXTS.test(type) ? "text" : "file";
}

/** The type that its bytes get in this browser. */
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

/** The type of a player's bytes; QuickTime is MP4 to those who play it. */
export function playedType(mime: string): string {
  const type = essenceOf(mime);
  if (type === "video/quicktime" || type === "video/x-m4v") return "video/mp4";
  return ["film", "sound"].includes(showingOf(type)) ? type : INERT;
}

function essenceOf(mime: string): string {
  return mime.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
