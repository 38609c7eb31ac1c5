/**
 * What a picture looks like, in a few bytes: two difference hashes, which stay
 * nearly the same when a picture is scaled, compressed again or made a little
 * brighter, and how sharp it is. The hash is the "dHash" that N. Krawetz
 * describes at https://www.hackerfactor.com/blog/index.php?/archives/529.
 *
 * @module
 */

/** What a picture looks like. */
export interface Looks {
  /**
   * Two hashes of 64 bits, as four numbers of 32: whether the brightness grows
   * from left to right, and whether it grows from the top down.
   */
  readonly hash: Uint32Array;
  /**
   * The variance of the Laplacian of the brightness: larger is sharper. It tells
   * two pictures of the same thing apart, not any two pictures.
   */
  readonly sharpness: number;
}

/** Longest side of the picture from which it is computed (pixels). */
export const LOOKS_SIDE = 512;
/** Cells of the hash in each direction; one more in that of the comparison. */
const CELLS = 8;
/** Smaller differences are those of compression, as in a clear sky. */
const LEAST_STEP = 1;
/**
 * A picture with fewer bits has nothing to compare: a wall, a night, a blank
 * page. All of those would look alike.
 */
const LEAST_BITS = 10;

/**
 * The looks of a picture in pixels of four bytes (RGBA), row by row; undefined
 * for one that is too small to have any.
 */
export function looksOf(
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
): Looks | undefined {
  if (width <= CELLS || height <= CELLS) return undefined;
  const luma = lumaOf(pixels, width * height);
  const hash = new Uint32Array(4);
  const across = cellsOf(luma, width, height, CELLS + 1, CELLS);
  const down = cellsOf(luma, width, height, CELLS, CELLS + 1);
  for (let y = 0; y < CELLS; y++) {
    for (let x = 0; x < CELLS; x++) {
      const bit = y * CELLS + x;
      const left = y * (CELLS + 1) + x;
      set(hash, bit, grows(across, left, left + 1));
      set(hash, 64 + bit, grows(down, bit, bit + CELLS));
    }
  }
  return { hash, sharpness: sharpnessOf(luma, width, height) };
}

/**
 * How much two pictures differ: the number of bits of the hash in which they do,
 * the more of the two directions. From 0 to 64. It says nothing of pictures that
 * are {@link isPlain}.
 */
export function differenceOf(a: Uint32Array, b: Uint32Array): number {
  return Math.max(between(a, b, 0), between(a, b, 2));
}

/** Whether a picture has nothing that could be compared. */
export function isPlain(hash: Uint32Array): boolean {
  return hash.reduce((sum, word) => sum + bitsOf(word), 0) < LEAST_BITS;
}

function between(a: Uint32Array, b: Uint32Array, from: number): number {
  return bitsOf((a[from] ?? 0) ^ (b[from] ?? 0)) +
    bitsOf((a[from + 1] ?? 0) ^ (b[from + 1] ?? 0));
}

/** The number of bits that are set in 32 of them. */
function bitsOf(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  n = (n + (n >>> 4)) & 0x0f0f0f0f;
  return Math.imul(n, 0x01010101) >>> 24;
}

function set(hash: Uint32Array, bit: number, is: boolean): void {
  const word = bit >>> 5;
  if (is) hash[word] = (hash[word] ?? 0) | (1 << (bit & 31));
}

function grows(cells: Float64Array, from: number, to: number): boolean {
  return (cells[to] ?? 0) - (cells[from] ?? 0) > LEAST_STEP;
}

/** The brightness of each pixel, 0 to 255 (ITU-R BT.601). */
function lumaOf(pixels: Uint8ClampedArray, count: number): Float32Array {
  const luma = new Float32Array(count);
  for (let i = 0, at = 0; i < count; i++, at += 4) {
    luma[i] = 0.299 * (pixels[at] ?? 0) + 0.587 * (pixels[at + 1] ?? 0) +
      0.114 * (pixels[at + 2] ?? 0);
  }
  return luma;
}

/** The mean brightness of each cell of a grid over the picture. */
function cellsOf(
  luma: Float32Array,
  width: number,
  height: number,
  columns: number,
  rows: number,
): Float64Array {
  const cells = new Float64Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const top = Math.floor(row * height / rows);
    const bottom = Math.floor((row + 1) * height / rows);
    for (let column = 0; column < columns; column++) {
      const left = Math.floor(column * width / columns);
      const right = Math.floor((column + 1) * width / columns);
      let sum = 0;
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) sum += luma[y * width + x] ?? 0;
      }
      cells[row * columns + column] = sum / ((bottom - top) * (right - left));
    }
  }
  return cells;
}

function sharpnessOf(
  luma: Float32Array,
  width: number,
  height: number,
): number {
  let [sum, squares] = [0, 0];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const edge = 4 * (luma[at] ?? 0) - (luma[at - 1] ?? 0) -
        (luma[at + 1] ?? 0) - (luma[at - width] ?? 0) -
        (luma[at + width] ?? 0);
      sum += edge;
      squares += edge * edge;
    }
  }
  const count = (width - 2) * (height - 2);
  return squares / count - (sum / count) ** 2;
}
