/**
 * Painting thumbhashes: a photo's colours in 25 bytes, shown until its small
 * picture is there. They are painted a few in each frame.
 *
 * @module
 */
import { now } from "../../browser.ts";
import { thumbHashToAverageRGBA, thumbHashToRGBA } from "thumbhash";

/** Milliseconds of a frame that painting may take. */
const BUDGET_MS = 2;

const waiting = new Map<HTMLCanvasElement, Uint8Array>();
let frame = 0;

/** The average colour of a photo, for CSS. */
export function tintOf(hash: Uint8Array): string {
  try {
    const { r, g, b } = thumbHashToAverageRGBA(hash);
    const [red, green, blue] = [r, g, b].map((one) => Math.round(one * 255));
    return `rgb(${red} ${green} ${blue})`;
  } catch {
    return "transparent";
  }
}

/**
 * Paints a thumbhash when there is time; the returned function cancels that.
 */
export function paintHash(
  canvas: HTMLCanvasElement,
  hash: Uint8Array,
): () => void {
  waiting.set(canvas, hash);
  if (frame === 0) frame = requestAnimationFrame(paint);
  return () => {
    waiting.delete(canvas);
  };
}

function paint(): void {
  frame = 0;
  const began = now();
  for (const [canvas, hash] of waiting) {
    waiting.delete(canvas);
    paintNow(canvas, hash);
    if (now() - began >= BUDGET_MS) break;
  }
  if (waiting.size > 0) frame = requestAnimationFrame(paint);
}

function paintNow(canvas: HTMLCanvasElement, hash: Uint8Array): void {
  try {
    const { w, h, rgba } = thumbHashToRGBA(hash);
    canvas.width = w;
    canvas.height = h;
    const data = new ImageData(new Uint8ClampedArray(rgba), w, h);
    canvas.getContext("2d")?.putImageData(data, 0, 0);
  } catch {
    // It is malicious or of another version: the plain tile stays.
  }
}
