/**
 * Sizes as people write them.
 *
 * @module
 */

/** How many, and of how many bytes. */
export interface Amount {
  readonly count: number;
  readonly bytes: number;
}

/** The units, each 1,024 times the one before. */
export const SIZE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/**
 * Reads whole bytes, plain or in a unit: `5000`, `50GiB`. Undefined for
 * anything else, and for more than a number holds.
 */
export function readBytes(text: string): number | undefined {
  const match = /^(\d{1,16}) ?([KMGT]iB)?$/i.exec(text);
  if (match === null) return undefined;
  const unit = match[2]?.toLowerCase() ?? "b";
  const power = SIZE_UNITS.findIndex((one) => one.toLowerCase() === unit);
  const bytes = Number(match[1]) * 1024 ** power;
  // The largest number stands for no quota.
  return bytes < Number.MAX_SAFE_INTEGER ? bytes : undefined;
}
