/**
 * Decoding HEIC for browsers that do not support it, by libheif in WebAssembly.
 * libheif is loaded with the first picture, from files of its own that can be
 * replaced.
 *
 * @module
 */
import { lookAtBlob } from "../../../client/exif/extent.ts";
import type { HeifDecoder } from "./libheif.d.ts";

/** Largest picture that is decoded, because of memory (pixels). */
const MOST_PIXELS = 120_000_000;
/** Longest side of the JPEG; screens show no more (pixels). */
const MOST_SIDE = 4_096;
const QUALITY = 0.92;
/** The file beside this script. */
const WASM = "libheif.wasm";

/** libheif cannot read a picture. */
export class HeifError extends Error {
  override readonly name = "HeifError";
}

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
  if ((await lookAtBlob(file))?.type !== "image/heic") {
    throw new HeifError("no HEIC, or one too large");
  }
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  const decoder = (await loading)();
  const [first, ...more] = decoder.decode(
    new Uint8Array(await file.arrayBuffer()),
  );
  try {
    if (first === undefined) throw new HeifError("no picture in it");
    const [width, height] = [first.get_width(), first.get_height()];
    if (!(width * height > 0 && width * height <= MOST_PIXELS)) {
      throw new HeifError(`${width} by ${height} pixels`);
    }
    const pixels = new ImageData(width, height);
    await new Promise<void>((resolve, reject) =>
      first.display(
        pixels,
        (shown) => shown === null ? reject(new HeifError("broken")) : resolve(),
      )
    );
    return await smaller(pixels);
  } finally {
    for (const image of [first, ...more]) image?.free();
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
  const [{ libheif }, { browserFetch }] = await Promise.all([
    import("./libheif.ts"),
    import("../../browser.ts"),
  ]);
  const response = await browserFetch(new URL(WASM, import.meta.url).href, {});
  if (!response.ok) throw new HeifError("libheif cannot be fetched");
  const wasmBinary = await response.arrayBuffer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Initialisation ends within this call or later.
  const { HeifDecoder } = libheif({
    wasmBinary,
    onRuntimeInitialized: resolve,
    onAbort: () => reject(new HeifError("libheif does not start")),
  });
  await promise;
  return () => new HeifDecoder();
}
