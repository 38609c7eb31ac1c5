/**
 * Sizes as people type them.
 *
 * @module
 */
export const GIB = 1024 ** 3;
/** Bytes of a number of GiB, as people type it; undefined for no such number. */
export function bytesOf(gib: string): number | undefined {
  const amount = Number(gib.trim().replace(",", "."));
  return amount >= 0 && amount < 1e6 ? Math.round(amount * GIB) : undefined;
}
