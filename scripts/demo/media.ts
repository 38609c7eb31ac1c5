/**
 * What kind of file a name and its first bytes say it is. Enough for a demo:
 * clients with a decoder at hand ask that.
 *
 * @module
 */

const TYPES: Readonly<Record<string, string>> = {
  avif: "image/avif",
  csv: "text/csv",
  gif: "image/gif",
  heic: "image/heic",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  m4a: "audio/mp4",
  md: "text/markdown",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain",
  webm: "video/webm",
  webp: "image/webp",
  zip: "application/zip",
};

/** The media type that a file's name suggests. */
export function mediaTypeOf(name: string): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(TYPES, extension)
    ? TYPES[extension] ?? "application/octet-stream"
    : "application/octet-stream";
}

/** Width and height in pixels. */
export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** The extent of a PNG or JPEG image from its first bytes, if they tell. */
export function extentOf(head: Uint8Array): Extent | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    const extent = pngExtent(view) ?? jpegExtent(view);
    return extent !== undefined && extent.width > 0 && extent.height > 0
      ? extent
      : undefined;
  } catch (error) {
    // Reading past the end: cut off, or not an image at all.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The header chunk comes first (PNG, section 11.2.2). */
function pngExtent(view: DataView): Extent | undefined {
  const isPng = view.getUint32(0) === 0x89504e47 &&
    view.getUint32(4) === 0x0d0a1a0a && view.getUint32(12) === 0x49484452;
  return isPng
    ? { width: view.getUint32(16), height: view.getUint32(20) }
    : undefined;
}

/** The first frame header, behind any other segments (ITU T.81, B.2.2). */
function jpegExtent(view: DataView): Extent | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf &&
      ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    // A fill byte stands alone; every other segment says its length.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}
