/**
 * Making the small pictures of a photograph: a preview, a thumbnail, and a
 * thumbhash of about twenty bytes, each from the one before. They are JPEGs,
 * because WebKit can write no smaller format.
 *
 * @module
 */
import { rgbaToThumbHash } from "thumbhash";
import {
  isSpared,
  SMALL_PICTURES,
} from "../../../../library/adding/drawn_itself.ts";
import { collectAfter } from "../../../../client/stream/threads/collecting.ts";

/** A small picture. */
interface Smaller {
  readonly kind: "preview" | "thumbnail";
  readonly mime: "image/jpeg";
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The small pictures of a photograph. */
export interface SmallPictures {
  /** Size of the whole picture, upright. */
  readonly width: number;
  readonly height: number;
  readonly smaller: readonly Smaller[];
  readonly thumbhash: Uint8Array<ArrayBuffer>;
}

/** Largest picture that is decoded; each pixel takes four bytes of memory. */
const MAX_PIXELS = 120_000_000;
/** Longest side of the picture from which a thumbhash is made (pixels). */
const HASHED_SIDE = 100;

/**
 * Makes them of a bitmap, which is closed. `drawnBytes` is how large the
 * original is where every browser draws it, so that a small one stands for
 * itself. Undefined where it is too large to decode.
 */
export async function smallPictures(
  bitmap: ImageBitmap,
  drawnBytes?: number,
): Promise<SmallPictures | undefined> {
  const { width, height } = bitmap;
  if (width * height > MAX_PIXELS) {
    bitmap.close();
    return undefined;
  }
  const smaller: Smaller[] = [];
  let source: ImageBitmap | OffscreenCanvas = bitmap;
  try {
    for (const { kind, side, quality } of SMALL_PICTURES) {
      if (isSpared(kind, Math.max(width, height), drawnBytes)) continue;
      const canvas = drawn(source, side);
      release(source);
      source = canvas;
      const blob = await canvas.convertToBlob({ type: "image/jpeg", quality });
      collectAfter(blob.size);
      smaller.push({
        kind,
        mime: "image/jpeg",
        width: canvas.width,
        height: canvas.height,
        bytes: new Uint8Array(await blob.arrayBuffer()),
      });
    }
    const tiny = drawn(source, HASHED_SIDE);
    const pixels = contextOf(tiny).getImageData(0, 0, tiny.width, tiny.height);
    const thumbhash = new Uint8Array(
      rgbaToThumbHash(tiny.width, tiny.height, pixels.data),
    );
    release(tiny);
    return { width, height, smaller, thumbhash };
  } finally {
    release(source);
  }
}

/** Frees the pixels now: a browser would do so once it collects its garbage. */
function release(source: ImageBitmap | OffscreenCanvas): void {
  if (source instanceof ImageBitmap) source.close();
  else source.width = source.height = 0;
}

function drawn(
  source: ImageBitmap | OffscreenCanvas,
  side: number,
): OffscreenCanvas {
  const scale = Math.min(1, side / Math.max(source.width, source.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(source.width * scale)),
    Math.max(1, Math.round(source.height * scale)),
  );
  const context = contextOf(canvas);
  context.imageSmoothingQuality = "high";
  // JPEG has no transparency, which would become black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("no canvas in this browser");
  return context;
}
