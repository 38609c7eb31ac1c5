/**
 * Blocks of a JPEG, as its entropy decoders read them.
 *
 * @module
 */

/** The order of coefficients (T.81, figure A.6). */
export const ZIGZAG: Uint8Array = new Uint8Array(64);
for (let n = 0, x = 0, y = 0; n < 64; n++) {
  ZIGZAG[n] = y * 8 + x;
  const isUp = (x + y) % 2 === 0;
  if (isUp && x === 7) y++;
  else if (isUp && y === 0) x++;
  else if (!isUp && y === 7) x++;
  else if (!isUp && x === 0) y++;
  else [x, y] = isUp ? [x + 1, y - 1] : [x - 1, y + 1];
}

/** What one scan of a progressive picture has (T.81, B.2.3). */
export interface Scan {
  readonly first: number;
  readonly last: number;
  /** How many bits are left to later scans, and how many were before this one. */
  readonly low: number;
  readonly high: number;
}

/** Decodes the coefficients of blocks, one after the other. */
export interface BlockReader {
  /** Reads the next block, of the scan's component of that number. */
  block(number: number, block: Int16Array): void;
  /** Begins again, behind a marker that says so. */
  restart(): void;
}
