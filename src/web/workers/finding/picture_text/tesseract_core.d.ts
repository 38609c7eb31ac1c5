/** What of `tesseract.js-core` is used. */

/** Recognises text; the names are those of Tesseract's own interface. */
export interface TessBaseAPI {
  /** 0 if the language's data could be loaded. */
  Init(path: null, language: string, engine: number): number;
  SetVariable(name: string, value: string): boolean;
  /** Reads the file `/input`; 1 if that is no picture. */
  SetImageFile(orientation: number, angle: number): number;
  Recognize(monitor: null): number;
  /** Lines of twelve columns; null if nothing was recognised. */
  GetTSVText(page: number): string | null;
}

export interface Tesseract {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
  readonly TessBaseAPI: new () => TessBaseAPI;
}

export default function start(
  options: {
    readonly wasmBinary: ArrayBuffer;
    readonly TesseractProgress: () => void;
    readonly print: () => void;
    readonly printErr: () => void;
  },
): Promise<Tesseract>;
