/**
 * Stand-ins for what the app's media threads need of a browser to draw, and
 * Deno does not have.
 *
 * @module
 */

/** A canvas that draws nothing: its files tell their sides alone. */
class Canvas {
  constructor(public width: number, public height: number) {}

  getContext() {
    const { width, height } = this;
    return {
      drawImage() {},
      fillRect() {},
      getImageData: () => ({ data: new Uint8Array(width * height * 4) }),
    };
  }

  convertToBlob() {
    const said = `${this.width} x ${this.height}`;
    return Promise.resolve(new Blob([said], { type: "image/jpeg" }));
  }
}

/** Runs something that draws, or decodes HEIC with the app's decoder. */
export async function withCanvas<T>(run: () => Promise<T>): Promise<T> {
  const { OffscreenCanvas, fetch } = globalThis;
  // Its package is there once something imports it.
  await import("../../src/media/pictures/libheif.ts");
  const decoder = import.meta.resolve("libheif-js/libheif-wasm/libheif.wasm");
  Object.assign(globalThis, {
    OffscreenCanvas: Canvas,
    // In the bundled app it is next to the script.
    fetch: (input: string, init: RequestInit) =>
      fetch(input.endsWith("/libheif.wasm") ? decoder : input, init),
  });
  try {
    return await run();
  } finally {
    Object.assign(globalThis, { OffscreenCanvas, fetch });
  }
}
