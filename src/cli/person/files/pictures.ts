/**
 * Small pictures of a photograph, so that a link shows something at once: with
 * the runtime's own decoder, which knows JPEG, PNG, WebP, GIF and BMP, with our
 * own of TIFF and of the JPEGs in raw files, and with the app's of HEIC. Videos
 * and AVIF are left to a program that can.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import { takingTurns } from "../../../core/turns.ts";
import {
  type KnownMedia,
  lookAt,
  MOST_PIXELS,
} from "../../../media/exif/extent.ts";
import { MediaReader, readWithin } from "../../../media/exif/reading.ts";
import { findInJpeg } from "../../../media/exif/segments.ts";
import {
  isSpared,
  SMALL_PICTURES,
} from "../../../library/adding/drawn_itself.ts";
import {
  type NewDerivative,
  plainOf,
  type PlainSource,
} from "../../../library/mod.ts";
import { isProportionate } from "../../../media/pictures/proportionate.ts";
import { isRawType, isUndrawnType } from "../../../media/raw_types.ts";
import { readMediaFacts } from "../../../media/exif/mod.ts";
import { decodePng } from "../../../media/pictures/png.ts";
import { type Pixels, upright } from "../../../media/pictures/reducing.ts";
import type { HeifTask } from "./heif_worker.ts";

const DECODED = new Set([
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/gif",
  "image/bmp",
]);
const HEIC = new Set(["image/heic", "image/heif"]);
/** Largest that is decoded whole: four bytes a pixel. */
const MAX_PIXELS = 60_000_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Nothing larger is made of a picture (pixels). */
const [{ side: LONGEST }] = SMALL_PICTURES;

/** Decoding takes much memory: one picture at a time. */
const inTurn = takingTurns();

/**
 * Derivatives of a photograph; none where it needs none, or is left to a program
 * that can. Undefined where none could be made of a picture that is drawn here
 * otherwise: whatever is wrong with it, it costs no other file anything. Throws
 * what the source throws.
 *
 * With `isAlways` also of one that is as small as they are: one that tells its
 * place does not stand for itself, because a link shows a picture without the
 * place in its stead.
 */
export function derivativesOf(
  source: PlainSource,
  mime: string,
  { isAlways = false }: { readonly isAlways?: boolean } = {},
): Promise<readonly NewDerivative[] | undefined> {
  // What no name tells, the bytes may.
  const isAsked = mime.startsWith("image/") ||
    mime === "application/octet-stream";
  if (!isAsked || source.size === 0) return Promise.resolve([]);
  // No browser draws these, however small they are.
  const isUndrawn = isUndrawnType(mime);
  const done = inTurn(() =>
    readWithin(
      source,
      (source) => decode(source, mime, isAlways || isUndrawn),
    )
  );
  return done.then((made) => {
    const isDrawnHere = isUndrawn || DECODED.has(mime) || HEIC.has(mime) ||
      mime === "image/avif";
    return made ?? (isDrawnHere ? undefined : []);
  });
}

/**
 * Makes them; `isAlways` also where the picture is as small as they are.
 * Undefined where it cannot be decoded.
 */
async function decode(
  source: PlainSource,
  mime: string,
  isAlways: boolean,
): Promise<readonly NewDerivative[] | undefined> {
  // A name may be wrong about what is in a file.
  const known = await lookAt(source, Infinity);
  if (known?.type === "image/heic") {
    return await smallerOfHeif(source, known) ?? await smallerOfExif(source);
  }
  const isDrawn = known !== undefined && DECODED.has(known.type);
  const longest = Math.max(known?.width ?? 0, known?.height ?? 0);
  const itself = isDrawn && !isAlways ? source.size : undefined;
  if (itself !== undefined && isSpared("thumbnail", longest, itself)) return [];
  const decoded = isDrawn
    ? await drawn(source, known)
    : await undrawn(source, mime);
  if (decoded !== undefined) return await smallerOf(decoded, itself);
  // Browsers draw AVIF, and the app makes better ones of it.
  const isLeft = known?.type === "image/avif" &&
    (known.width ?? 0) * (known.height ?? 0) <= MOST_PIXELS;
  return isLeft ? [] : await smallerOfExif(source);
}

/** Derivatives of what EXIF has of a picture that cannot be decoded here. */
async function smallerOfExif(
  source: PlainSource,
): Promise<readonly NewDerivative[] | undefined> {
  const { exifThumbnail } = await import(
    "../../../media/pictures/exif_thumbnail.ts"
  );
  const jpeg = await exifThumbnail(source);
  if (jpeg === undefined) return undefined;
  try {
    const bitmap = await createImageBitmap(
      new Blob([jpeg], { type: "image/jpeg" }),
    );
    return await smallerOf({ bitmap, isOpaque: true, isReduced: true });
  } catch {
    return undefined;
  }
}

/** A decoded picture, with its colours multiplied by their opacity. */
interface Decoded {
  readonly bitmap: ImageBitmap;
  /** How it has to be turned: 1 to 8, as in EXIF. */
  readonly orientation?: number | undefined;
  readonly isOpaque?: true;
  /** Smaller than the picture, which does not stand for itself then. */
  readonly isReduced?: true;
}

async function smallerOf(
  decoded: Decoded,
  itselfBytes?: number,
): Promise<readonly NewDerivative[]> {
  const made: NewDerivative[] = [];
  let { bitmap } = decoded;
  const itself = decoded.isReduced ? undefined : itselfBytes;
  const whole = Math.max(bitmap.width, bitmap.height);
  try {
    for (const { kind, side, quality } of SMALL_PICTURES) {
      if (isSpared(kind, whole, itself)) continue;
      const longest = Math.max(bitmap.width, bitmap.height);
      const scale = Math.min(1, side / longest);
      const smaller = await createImageBitmap(bitmap, {
        resizeWidth: Math.max(1, Math.round(bitmap.width * scale)),
        resizeHeight: Math.max(1, Math.round(bitmap.height * scale)),
        resizeQuality: "medium",
      });
      bitmap.close();
      bitmap = made.length > 0 || decoded.isOpaque
        ? smaller
        : await uprightOnWhite(smaller, decoded.orientation);
      const { width, height } = bitmap;
      // The canvas takes the bitmap away, and the smaller is made of it.
      const again = await createImageBitmap(bitmap);
      const blob = await encoded(bitmap, { type: "image/jpeg", quality });
      bitmap = again;
      made.push({
        kind,
        mime: "image/jpeg",
        width,
        height,
        bytes: await blob.bytes(),
      });
    }
    return made;
  } finally {
    bitmap.close();
  }
}

/** The file of a bitmap, which is closed. */
function encoded(
  bitmap: ImageBitmap,
  as: ImageEncodeOptions,
): Promise<Blob> {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
  return canvas.convertToBlob(as);
}

/**
 * A picture on white, because JPEG has no transparency, which would become
 * black; and turned, because the runtime does not turn PNGs. Closes the bitmap.
 */
async function uprightOnWhite(
  bitmap: ImageBitmap,
  orientation: number | undefined,
): Promise<ImageBitmap> {
  const png = await encoded(bitmap, { type: "image/png" });
  const pixels = await decodePng(plainOf(await png.bytes()));
  if (pixels === undefined) {
    throw new Error("the runtime's own PNG cannot be read");
  }
  const { rgba } = pixels;
  for (let at = 0; at < rgba.length; at += 4) {
    const white = 255 - (rgba[at + 3] ?? 0);
    for (let n = at; n < at + 3; n++) rgba[n] = (rgba[n] ?? 0) + white;
    rgba[at + 3] = 255;
  }
  return await bitmapOf(upright(pixels, orientation));
}

function bitmapOf({ rgba, width, height }: Pixels): Promise<ImageBitmap> {
  return createImageBitmap(new ImageData(rgba, width, height), {
    premultiplyAlpha: "premultiply",
  });
}

/** A picture that the runtime decodes, or one of our own decoders. */
async function drawn(
  source: PlainSource,
  known: KnownMedia,
): Promise<Decoded | undefined> {
  if (!await isProportionate(source, known)) return undefined;
  return await drawnByRuntime(source, known) ?? await drawnByUs(source, known);
}

async function drawnByRuntime(
  source: PlainSource,
  known: KnownMedia,
): Promise<Decoded | undefined> {
  const { type, width = 0, height = 0 } = known;
  const isBounded = source.size <= MAX_BYTES && width * height <= MAX_PIXELS;
  if (!isBounded || await isMistaken(source, known)) return undefined;
  const bytes = await source.read(0, source.size);
  try {
    const bitmap = await createImageBitmap(new Blob([bytes], { type }), {
      premultiplyAlpha: "premultiply",
    });
    if (type === "image/jpeg") return { bitmap, isOpaque: true };
    if (type !== "image/png") return { bitmap };
    return { bitmap, orientation: (await readMediaFacts(source)).orientation };
  } catch {
    return undefined;
  }
}

/**
 * Whether the runtime (2.9.6) decodes a picture otherwise than browsers do: it
 * inverts the inks of a JPEG without Adobe's marker, and loses the opacity of
 * grey when it makes that smaller.
 */
async function isMistaken(
  source: PlainSource,
  { type }: KnownMedia,
): Promise<boolean> {
  if (type === "image/jpeg") {
    return (await findInJpeg(new MediaReader(source))).components === 4;
  }
  return type === "image/png" && (await source.read(25, 1))[0] === 4;
}

async function drawnByUs(
  source: PlainSource,
  known: KnownMedia,
): Promise<Decoded | undefined> {
  const { decodeReduced } = await import("../../../media/pictures/large.ts");
  const pixels = await decodeReduced(source, known, LONGEST);
  if (pixels === undefined) return undefined;
  return { bitmap: await bitmapOf(pixels), isReduced: true };
}

/**
 * The picture of a raw file or of a TIFF, by what is in it: a raw file is mostly
 * a TIFF with a small picture in it and its own JPEG.
 */
async function undrawn(
  source: PlainSource,
  mime: string,
): Promise<Decoded | undefined> {
  if (isRawType(mime)) {
    const { readJpegInRaw } = await import("../../../media/pictures/raw.ts");
    const jpeg = await readJpegInRaw(source);
    if (jpeg !== undefined) {
      const inside = plainOf(jpeg);
      const known = await lookAt(inside, Infinity);
      if (known !== undefined) return await drawn(inside, known);
    }
  }
  const { decodeTiff } = await import("../../../media/pictures/tiff.ts");
  const pixels = await decodeTiff(source, LONGEST);
  return pixels && { bitmap: await bitmapOf(pixels) };
}

/** Derivatives of a HEIC, however small it is: few browsers draw the whole. */
async function smallerOfHeif(
  source: PlainSource,
  known: KnownMedia,
): Promise<readonly NewDerivative[] | undefined> {
  if (await libheif() === undefined) return [];
  const { width = 0, height = 0 } = known;
  const isBounded = source.size <= MAX_BYTES && width * height <= MAX_PIXELS &&
    silentThreads < MOST_SILENT && await isProportionate(source, known);
  if (!isBounded) return undefined;
  const bytes = await source.read(0, source.size);
  const bound = AbortSignal.timeout(MOST_HEIC_MS);
  const pixels = await pixelsInThread(bytes, bound);
  if (pixels === undefined) {
    if (bound.aborted) silentThreads++;
    return undefined;
  }
  const bitmap = await createImageBitmap(pixels, {
    premultiplyAlpha: "premultiply",
  });
  return await smallerOf({ bitmap });
}

/** The largest HEIC takes a small board half a minute. */
const MOST_HEIC_MS = 120_000;
/**
 * After so many that do not end no HEIC is decoded any more: the runtime (2.9.6)
 * lets a busy thread go on until the command ends.
 */
const MOST_SILENT = 3;
let silentThreads = 0;

/**
 * The WebAssembly of libheif that the program carries for browsers. Undefined in
 * a checkout where no app was bundled.
 */
function libheif(): Promise<ArrayBuffer | undefined> {
  return carried ??= readLibheif();
}

let carried: Promise<ArrayBuffer | undefined> | undefined;

async function readLibheif(): Promise<ArrayBuffer | undefined> {
  const { openAppFiles } = await import("../../../assets/app_files.ts");
  try {
    const files = openAppFiles();
    const path = files.paths().find((path) => path.endsWith("/libheif.wasm"));
    const bytes = await files.get(path ?? "")?.plain.bytes();
    return bytes?.buffer;
  } catch (error) {
    if (error instanceof OperatorFault) return undefined;
    throw error;
  }
}

/**
 * The pixels of a HEIC, decoded in a thread that ends with it. Undefined where
 * libheif cannot, or has not once `bound` is aborted.
 */
export async function pixelsInThread(
  bytes: Uint8Array<ArrayBuffer>,
  bound: AbortSignal,
): Promise<ImageData | undefined> {
  const wasm = await libheif();
  if (wasm === undefined) return undefined;
  const { promise, resolve } = Promise.withResolvers<ImageData | undefined>();
  const worker = new Worker(new URL("./heif_worker.ts", import.meta.url), {
    type: "module",
  });
  worker.onmessage = ({ data }) => {
    resolve(data && new ImageData(data.data, data.width, data.height));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    resolve(undefined);
  };
  bound.addEventListener("abort", () => resolve(undefined));
  const task: HeifTask = { wasm, bytes, mostPixels: MAX_PIXELS };
  worker.postMessage(task);
  try {
    return await promise;
  } finally {
    worker.terminate();
  }
}
