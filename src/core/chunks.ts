/** Yields an array in slices of `size` items; the last may be shorter. */
export function* chunks<T>(
  all: readonly T[],
  size: number,
): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
