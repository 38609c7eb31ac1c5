/**
 * Counts and sizes as people write and read them.
 *
 * @module
 */

/** A number of things and the sum of their bytes. */
export interface Amount {
  readonly count: number;
  readonly bytes: number;
}

/** No larger blob is ever stored in the database (bytes). */
export const SMALL_BLOB_MAX_BYTES = 64 * 1024;

/** The units, each 1,024 times the one before. */
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/**
 * Reads whole bytes, plain or in a unit: `5000`, `50GiB`. Undefined for
 * anything else, and for more than a number holds.
 */
export function readBytes(text: string): number | undefined {
  const match = /^(\d{1,16}) ?([KMGT]iB)?$/i.exec(text);
  if (match === null) return undefined;
  const unit = match[2]?.toLowerCase() ?? "b";
  const power = UNITS.findIndex((one) => one.toLowerCase() === unit);
  const bytes = Number(match[1]) * 1024 ** power;
  // MAX_SAFE_INTEGER itself means "no quota" and is no size.
  return bytes < Number.MAX_SAFE_INTEGER ? bytes : undefined;
}

/** Bytes in the most readable unit: `512 bytes`, `1.5 GiB`. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1024) return counted(bytes, "byte");
  const { value, unit } = inUnits(bytes);
  return `${value} ${unit}`;
}

/** Bytes as a number with one decimal at most and its unit: 1.5 and `GiB`. */
export function inUnits(
  bytes: number,
): { readonly value: number; readonly unit: string } {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return { value: Number(value.toFixed(1)), unit: UNITS[unit] ?? "B" };
}

/** A number with the noun that it counts: `1 album`, `1,204 assets`. */
export function counted(count: number, noun: string): string {
  return `${numberInWords(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** The same with its verb: `1 blob is`, `2 blobs are`. */
export function countedAre(
  count: number,
  noun: string,
  [one, more]: readonly [string, string] = ["is", "are"],
): string {
  return `${counted(count, noun)} ${count === 1 ? one : more}`;
}

/** A whole number with separated thousands: `1,204`. */
export function numberInWords(count: number): string {
  return count.toLocaleString("en");
}

/** A number of blobs and their bytes: `3 blobs (1.5 GiB)`. */
export function blobsInWords({ count, bytes }: Amount): string {
  return `${counted(count, "blob")} (${bytesInWords(bytes)})`;
}
