/**
 * The media types of files by the ends of their names, for files of common
 * cameras and programs.
 *
 * @module
 */

const TYPES: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bmp: "image/bmp",
  cr2: "image/x-canon-cr2",
  cr3: "image/x-canon-cr3",
  dng: "image/x-adobe-dng",
  gif: "image/gif",
  heic: "image/heic",
  heif: "image/heif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  jxl: "image/jxl",
  nef: "image/x-nikon-nef",
  png: "image/png",
  arw: "image/x-sony-arw",
  svg: "image/svg+xml",
  tif: "image/tiff",
  tiff: "image/tiff",
  webp: "image/webp",
  "3gp": "video/3gpp",
  avi: "video/x-msvideo",
  m4v: "video/mp4",
  mkv: "video/x-matroska",
  mov: "video/quicktime",
  mp4: "video/mp4",
  mpg: "video/mpeg",
  mts: "video/mp2t",
  webm: "video/webm",
  aac: "audio/aac",
  flac: "audio/flac",
  m4a: "audio/mp4",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  wav: "audio/wav",
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  md: "text/markdown",
  pdf: "application/pdf",
  txt: "text/plain",
  xmp: "application/rdf+xml",
  zip: "application/zip",
};

/**
 * The media type of a name; `application/octet-stream` if the name tells none.
 */
export function mediaTypeOf(name: string): string {
  const end = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const known = Object.hasOwn(TYPES, end) ? TYPES[end] : undefined;
  return known ?? "application/octet-stream";
}
