/**
 * Numbers as people read them.
 *
 * @module
 */

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** `1,234 files`, `1 file`; without a word the number alone. */
export function countText(count: number, word?: string): string {
  const text = count.toLocaleString("en");
  if (word === undefined) return text;
  return `${text} ${count === 1 ? word : `${word}s`}`;
}

/** `512 bytes`, `3.4 GiB`. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < UNITS.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  const text = unit === 0 ? countText(value) : value.toFixed(1);
  return `${text} ${value === 1 && unit === 0 ? "byte" : UNITS[unit]}`;
}
