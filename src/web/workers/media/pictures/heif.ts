/**
 * Decoding HEIC for browsers that do not support it.
 *
 * @module
 */
import { lookAtBlob } from "../../../../media/exif/extent.ts";
import { isProportionate } from "../../../../media/pictures/proportionate.ts";
import { sourceOfFile } from "../../../../client/stream/threads/file_source.ts";
import {
  HeifError,
  pixelsOfHeif,
  startLibheif,
} from "../../../../media/pictures/heif.ts";
import type { HeifDecoder } from "../../../../media/pictures/libheif.d.ts";

/** Largest picture that is decoded, because of memory (pixels). */
const MOST_PIXELS = 120_000_000;
/** Largest file; libheif holds it twice (bytes). */
const MOST_BYTES = 96 * 1024 * 1024;
/** Longest side of the JPEG; screens show no more (pixels). */
const MOST_SIDE = 4_096;
const QUALITY = 0.92;
/** The file next to this script. */
const WASM = "libheif.wasm";

let loading: Promise<() => HeifDecoder> | undefined;

/** The picture of a HEIC file as a JPEG. */
export async function jpegOfHeif(file: Blob): Promise<Blob> {
  const bitmap = await bitmapOfHeif(file);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const jpeg = await canvas.convertToBlob({
    type: "image/jpeg",
    quality: QUALITY,
  });
  canvas.width = canvas.height = 0;
  return jpeg;
}

/** The picture of a HEIC file, upright, as large as a screen may show it. */
export async function bitmapOfHeif(file: Blob): Promise<ImageBitmap> {
  const known = await lookAtBlob(file);
  const isBounded = file.size <= MOST_BYTES && known?.type === "image/heic" &&
    await isProportionate(sourceOfFile(file), known);
  if (!isBounded) throw new HeifError("no HEIC, or one too large");
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  const newDecoder = await loading;
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return await smaller(await pixelsOfHeif(newDecoder(), bytes, MOST_PIXELS));
  } catch (error) {
    // A file that crashed libheif must not cost the next one its picture.
    if (!(error instanceof HeifError)) loading = undefined;
    throw error;
  }
}

async function smaller(pixels: ImageData): Promise<ImageBitmap> {
  const { width, height } = pixels;
  const by = Math.min(1, MOST_SIDE / Math.max(width, height));
  return await createImageBitmap(pixels, {
    resizeWidth: Math.max(1, Math.round(width * by)),
    resizeHeight: Math.max(1, Math.round(height * by)),
  });
}

async function load(): Promise<() => HeifDecoder> {
  const { browserFetch } = await import("../../../browser.ts");
  const response = await browserFetch(new URL(WASM, import.meta.url).href, {});
  if (!response.ok) throw new HeifError("libheif cannot be fetched");
  return await startLibheif(await response.arrayBuffer());
}
