/**
 * The media types of players' bytes, apart from how every other file is shown:
 * the app's first load needs these alone.
 *
 * @module
 */

const INERT = "application/octet-stream";

/** The type of a player's bytes; players treat QuickTime as MP4. */
export function playedType(mime: string): string {
  const type = essenceOf(mime);
  if (type === "video/quicktime" || type === "video/x-m4v") return "video/mp4";
  return /^(video|audio)\/[\w.+-]+$/.test(type) ? type : INERT;
}

/** A media type without its parameters. */
export function essenceOf(mime: string): string {
  return mime.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
