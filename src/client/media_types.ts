/**
 * The media types of files by the ends of their names, for files of common
 * cameras and programs.
 *
 * @module
 */

const TYPES: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bmp: "image/bmp",
  "3fr": "image/x-hasselblad-3fr",
  cr2: "image/x-canon-cr2",
  cr3: "image/x-canon-cr3",
  crw: "image/x-canon-crw",
  dcr: "image/x-kodak-dcr",
  dng: "image/x-adobe-dng",
  erf: "image/x-epson-erf",
  gpr: "image/x-gopro-gpr",
  gif: "image/gif",
  heic: "image/heic",
  heif: "image/heif",
  iiq: "image/x-phaseone-iiq",
  insp: "image/jpeg",
  jfif: "image/jpeg",
  jpe: "image/jpeg",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  jxl: "image/jxl",
  kdc: "image/x-kodak-kdc",
  mpo: "image/x-mpo",
  mrw: "image/x-minolta-mrw",
  nef: "image/x-nikon-nef",
  nrw: "image/x-nikon-nrw",
  orf: "image/x-olympus-orf",
  pef: "image/x-pentax-pef",
  png: "image/png",
  psd: "image/vnd.adobe.photoshop",
  raf: "image/x-fuji-raf",
  rw2: "image/x-panasonic-rw2",
  rwl: "image/x-leica-rwl",
  sr2: "image/x-sony-sr2",
  srf: "image/x-sony-srf",
  srw: "image/x-samsung-srw",
  x3f: "image/x-sigma-x3f",
  arw: "image/x-sony-arw",
  svg: "image/svg+xml",
  tif: "image/tiff",
  tiff: "image/tiff",
  webp: "image/webp",
  "3g2": "video/3gpp2",
  "3gp": "video/3gpp",
  asf: "video/x-ms-asf",
  avi: "video/x-msvideo",
  dv: "video/x-dv",
  flv: "video/x-flv",
  insv: "video/mp4",
  lrv: "video/mp4",
  m2t: "video/mp2t",
  m2ts: "video/mp2t",
  m2v: "video/mpeg",
  m4v: "video/mp4",
  mkv: "video/x-matroska",
  mov: "video/quicktime",
  mp4: "video/mp4",
  mpeg: "video/mpeg",
  mpg: "video/mpeg",
  mts: "video/mp2t",
  mxf: "video/x-mxf",
  ogv: "video/ogg",
  vob: "video/mpeg",
  webm: "video/webm",
  wmv: "video/x-ms-wmv",
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

/**
 * Whether a media type is that of a camera's raw files, or of its kin: a claim,
 * as every media type is.
 */
export function isRawType(mime: string): boolean {
  return /^image\/x-(?!mpo$)/.test(mime);
}

/** Whether files of a type have a picture that no browser draws by itself. */
export function isUndrawnType(mime: string): boolean {
  return isRawType(mime) || mime === "image/tiff";
}
