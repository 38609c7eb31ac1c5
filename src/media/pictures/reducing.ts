/**
 * Making a picture smaller while it is decoded, so that the whole of it is
 * never held.
 *
 * @module
 */

/** A decoded picture. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity, row after row. */
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** Takes the pixels of a picture in any order, each of them once. */
export interface Canvas {
  /** Puts the pixel that is the first in `rgba` at a place. */
  put(x: number, y: number, rgba: Uint8ClampedArray): void;
  /** The picture of what was put. */
  readonly done: () => Pixels;
}

/** Longest side of a PNG or a TIFF, as libpng bounds it (pixels). */
export const MOST_SIDE = 1_000_000;
/** Most pixels of a picture that is made smaller; each takes four bytes. */
const MOST_CANVAS_PIXELS = 32 * 1024 * 1024;

/**
 * A canvas for a picture of these sides. As many of its pixels become one as
 * leave the longest side at least as long as `longest`; more only where the
 * canvas would be too large. The whole picture for `Infinity`.
 */
export function canvasOf(
  sides: { readonly width: number; readonly height: number },
  longest: number,
): Canvas {
  const by = divisorOf(sides, longest);
  const width = Math.ceil(sides.width / by);
  const height = Math.ceil(sides.height / by);
  const rgba = new Uint8ClampedArray(width * height * 4);
  if (by === 1) {
    return {
      put: (x, y, pixel) => {
        const to = (y * width + x) * 4;
        for (let n = 0; n < 4; n++) rgba[to + n] = pixel[n] ?? 0;
      },
      done: () => ({ width, height, rgba }),
    };
  }
  // Only rows that are begun and not complete have sums, which take four times
  // as much as the row.
  const begun = new Map<number, Begun>();
  const spare: Float32Array[] = [];
  const rowsOf = (row: number) => Math.min(by, sides.height - row * by);
  /** Writes a row, in which colours count as much as they are seen. */
  const finish = (row: number, { sums }: Begun) => {
    const from = row * width * 4;
    for (let at = 0, x = 0; x < width; x++, at += 4) {
      const inOne = Math.min(by, sides.width - x * by) * rowsOf(row);
      const shown = sums[at + 3] ?? 0;
      for (let n = 0; n < 3 && shown > 0; n++) {
        rgba[from + at + n] = (sums[at + n] ?? 0) / shown;
      }
      rgba[from + at + 3] = shown / inOne;
    }
    begun.delete(row);
    spare.push(sums.fill(0));
  };
  const begin = (row: number): Begun => {
    const sums = spare.pop() ?? new Float32Array(width * 4);
    const one = { sums, left: sides.width * rowsOf(row) };
    begun.set(row, one);
    return one;
  };
  let [last, held]: [number, Begun | undefined] = [-1, undefined];
  return {
    put: (x, y, pixel) => {
      const row = Math.floor(y / by);
      if (held === undefined || row !== last) {
        held = begun.get(row) ?? begin(row);
        last = row;
      }
      const { sums } = held;
      const to = Math.floor(x / by) * 4;
      const shown = pixel[3] ?? 0;
      for (let n = 0; n < 3; n++) {
        sums[to + n] = (sums[to + n] ?? 0) + (pixel[n] ?? 0) * shown;
      }
      sums[to + 3] = (sums[to + 3] ?? 0) + shown;
      if (--held.left > 0) return;
      finish(row, held);
      held = undefined;
    },
    done: () => {
      // Of a file that was cut.
      for (const [row, one] of [...begun]) finish(row, one);
      return { width, height, rgba };
    },
  };
}

/** A row of a smaller picture, and how many pixels it still lacks. */
interface Begun {
  readonly sums: Float32Array;
  left: number;
}

function divisorOf(
  { width, height }: { readonly width: number; readonly height: number },
  longest: number,
): number {
  if (longest === Infinity) return 1;
  let by = Math.max(1, Math.floor(Math.max(width, height) / longest));
  while (Math.ceil(width / by) * Math.ceil(height / by) > MOST_CANVAS_PIXELS) {
    by++;
  }
  return by;
}

/** A picture turned by an orientation of EXIF (1 to 8). */
export function upright(pixels: Pixels, orientation = 1): Pixels {
  if (!(orientation > 1 && orientation <= 8)) return pixels;
  const { width, height } = pixels;
  const { start, right, down } = turned(pixels, orientation);
  const from = new Uint32Array(pixels.rgba.buffer);
  const rgba = new Uint8ClampedArray(pixels.rgba.length);
  const to = new Uint32Array(rgba.buffer);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      to[start + x * right + y * down] = from[at] ?? 0;
    }
  }
  return orientation >= 5
    ? { width: height, height: width, rgba }
    : { width, height, rgba };
}

/**
 * Where the first pixel of a picture goes that is turned by an orientation of
 * EXIF (1 to 8), and how far the next one and the next row are (pixels).
 */
function turned(
  { width, height }: Pick<Pixels, "width" | "height">,
  orientation: number,
): { readonly start: number; readonly right: number; readonly down: number } {
  const [w, h] = [width, height];
  const last = w * h - 1;
  switch (orientation) {
    case 2:
      return { start: w - 1, right: -1, down: w };
    case 3:
      return { start: last, right: -1, down: -w };
    case 4:
      return { start: w * (h - 1), right: 1, down: -w };
    case 5:
      return { start: 0, right: h, down: 1 };
    case 6:
      return { start: h - 1, right: h, down: -1 };
    case 7:
      return { start: last, right: -h, down: -1 };
    case 8:
      return { start: h * (w - 1), right: -h, down: 1 };
    default:
      return { start: 0, right: 1, down: w };
  }
}
