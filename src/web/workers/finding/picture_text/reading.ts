/**
 * Reading the words in pictures, by Tesseract in WebAssembly.
 *
 * @module
 */
// @ts-types="./tesseract_core.d.ts"
import start from "tesseract.js-core/tesseract-core-simd-lstm.js";
import type { TessBaseAPI, Tesseract } from "./tesseract_core.d.ts";
import { readBuildFile } from "../../vault/build_files.ts";
import { withDecoded } from "../../media/decoded.ts";
import {
  type ReadWord,
  wordsRead,
} from "../../../../media/pictures/read_text.ts";

/** Pictures are made so small (pixels); a page of text is legible in that. */
const LONGEST_SIDE = 1_600;
const SHORTEST_SIDE = 16;
/** The networks alone, which the engine is built with (`OEM_LSTM_ONLY`). */
const LSTM_ONLY = 1;
/** Words anywhere, in no order (`PSM_SPARSE_TEXT`): signs, as well as pages. */
const SPARSE_TEXT = "11";
/** Reads all languages with Latin letters (`words.md`). */
const LANGUAGE = "fra";
/** Columns of a line of what is recognised, and the level of a word. */
const COLUMN = { level: 0, sure: 10, text: 11 } as const;
const WORD = "5";

/** Loads what reads. Throws if it cannot be fetched, or does not work here. */
export async function startReading(): Promise<void> {
  await loaded();
}

/**
 * The words of a picture, one a line; undefined where this browser does not
 * decode it. Throws where the engine breaks on the picture: it is to be started
 * again then.
 */
export async function textIn(picture: Blob): Promise<string | undefined> {
  const { core, api } = await loaded();
  const grey = await withDecoded(picture, greyOf);
  if (grey === undefined) return undefined;
  if (grey.length === 0) return "";
  core.FS.writeFile("/input", grey);
  if (api.SetImageFile(1, 0) !== 0) {
    throw new Error("the engine takes no such picture");
  }
  api.Recognize(null);
  return wordsRead(wordsOf(api.GetTSVText(0) ?? ""));
}

function wordsOf(table: string): readonly ReadWord[] {
  return table.split("\n").flatMap((line) => {
    const columns = line.split("\t");
    const text = columns[COLUMN.text];
    return text === undefined || columns[COLUMN.level] !== WORD
      ? []
      : [{ text, sure: Number(columns[COLUMN.sure]) }];
  });
}

/**
 * A picture as a portable graymap (PGM, `P5`), which the engine takes without a
 * decoder; without bytes if it is too small for letters.
 */
function greyOf(bitmap: ImageBitmap): Uint8Array | undefined {
  const scale = Math.min(
    1,
    LONGEST_SIDE / Math.max(bitmap.width, bitmap.height),
  );
  const [width, height] = [bitmap.width, bitmap.height]
    .map((side) => Math.round(side * scale));
  if (width === undefined || height === undefined) return undefined;
  if (Math.min(width, height) < SHORTEST_SIDE) return new Uint8Array();
  const canvas = new OffscreenCanvas(width, height);
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  if (drawing === null) return undefined;
  // What is transparent is as on paper.
  drawing.fillStyle = "white";
  drawing.fillRect(0, 0, width, height);
  drawing.imageSmoothingQuality = "high";
  drawing.drawImage(bitmap, 0, 0, width, height);
  const { data } = drawing.getImageData(0, 0, width, height);
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const bytes = new Uint8Array(head.length + width * height);
  bytes.set(head);
  for (let from = 0, to = head.length; to < bytes.length; from += 4, to++) {
    const [red = 0, green = 0, blue = 0] = data.subarray(from, from + 3);
    bytes[to] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  }
  canvas.width = canvas.height = 0;
  return bytes;
}

interface Loaded {
  readonly core: Tesseract;
  readonly api: TessBaseAPI;
}

let loading: Promise<Loaded> | undefined;

function loaded(): Promise<Loaded> {
  return loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
}

async function load(): Promise<Loaded> {
  const [wasmBinary, data] = await Promise.all([
    readBuildFile("picture-text-engine.wasm"),
    readBuildFile("picture-text-data.bin"),
  ]);
  const core = await start({
    wasmBinary,
    TesseractProgress() {},
    print() {},
    printErr() {},
  });
  core.FS.writeFile(`${LANGUAGE}.traineddata`, new Uint8Array(data));
  const api = new core.TessBaseAPI();
  if (api.Init(null, LANGUAGE, LSTM_ONLY) !== 0) {
    throw new Error("the data of the language cannot be loaded");
  }
  api.SetVariable("tessedit_pageseg_mode", SPARSE_TEXT);
  return { core, api };
}
