/**
 * The types of the used parts of libheif-js, whose own types are of another
 * build.
 */
export interface HeifImage {
  get_width(): number;
  get_height(): number;
  display(into: ImageData, done: (shown: ImageData | null) => void): void;
  free(): void;
}
export interface HeifDecoder {
  decode(bytes: Uint8Array): HeifImage[];
}
export interface Libheif {
  readonly HeifDecoder: new () => HeifDecoder;
}
export default function libheif(options: {
  readonly wasmBinary: ArrayBuffer;
  readonly onRuntimeInitialized: () => void;
  readonly onAbort: () => void;
}): Libheif;
