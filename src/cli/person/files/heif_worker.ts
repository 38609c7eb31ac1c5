/**
 * Decodes one HEIC in a thread of its own: what libheif does meanwhile, or to
 * its memory, concerns nothing else.
 *
 * @module
 */
import { pixelsOfHeif, startLibheif } from "../../../media/pictures/heif.ts";

/** What is to be decoded, by the WebAssembly of libheif. */
export interface HeifTask {
  readonly wasm: ArrayBuffer;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mostPixels: number;
}

/** The part of a worker's scope that is used here. */
declare const self: {
  onmessage: (event: MessageEvent<HeifTask>) => void;
  postMessage: (answer: unknown, moved?: Transferable[]) => void;
};

// libheif complains there, where the output of the command goes.
// deno-lint-ignore no-console
console.log = console.warn = console.error = () => {};

self.onmessage = async ({ data: { wasm, bytes, mostPixels } }) => {
  try {
    const newDecoder = await startLibheif(wasm);
    const { width, height, data } = await pixelsOfHeif(
      newDecoder(),
      bytes,
      mostPixels,
    );
    self.postMessage({ width, height, data }, [data.buffer]);
  } catch {
    self.postMessage(undefined);
  }
};
