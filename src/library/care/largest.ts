/**
 * What takes most of an account's storage.
 *
 * @module
 */
import type { Row } from "../rows/rows.ts";

/** Bytes that a file takes: the original and what belongs to it. */
export function bytesOf({ metadata }: Pick<Row, "metadata">): number {
  if (metadata === undefined) return 0;
  return metadata.derivatives.reduce(
    (sum, { size = 0 }) => sum + size,
    metadata.size,
  );
}

/**
 * The largest of some items, the largest first, at most `most` of them. Those of
 * one size stay in their order.
 */
export function largest<T>(
  items: readonly T[],
  rowOf: (item: T) => Row,
  most: number,
): readonly T[] {
  return items.map((item) => [item, bytesOf(rowOf(item))] as const)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most).map(([item]) => item);
}
