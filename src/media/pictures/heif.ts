/**
 * Decoding HEIC by libheif in WebAssembly, which the app and the command line
 * carry. libheif is loaded with the first picture, from files of its own that
 * can be replaced.
 *
 * @module
 */
import type { HeifDecoder } from "./libheif.d.ts";

/** libheif cannot read a picture. */
export class HeifError extends Error {
  override readonly name = "HeifError";
}

/** Makes decoders; throws a {@link HeifError} where libheif does not start. */
export async function startLibheif(
  wasmBinary: ArrayBuffer,
): Promise<() => HeifDecoder> {
  const { libheif } = await import("./libheif.ts");
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

/**
 * The first picture that libheif finds, upright. Throws a {@link HeifError}
 * without a picture, or for one of more than `mostPixels`.
 */
export async function pixelsOfHeif(
  decoder: HeifDecoder,
  bytes: Uint8Array,
  mostPixels: number,
): Promise<ImageData> {
  const [first, ...more] = decoder.decode(bytes);
  try {
    if (first === undefined) throw new HeifError("no picture in it");
    const [width, height] = [first.get_width(), first.get_height()];
    if (!(width * height > 0 && width * height <= mostPixels)) {
      throw new HeifError(`${width} by ${height} pixels`);
    }
    const pixels = new ImageData(width, height);
    await new Promise<void>((resolve, reject) =>
      first.display(
        pixels,
        (shown) => shown === null ? reject(new HeifError("broken")) : resolve(),
      )
    );
    return pixels;
  } finally {
    for (const image of [first, ...more]) image?.free();
  }
}
