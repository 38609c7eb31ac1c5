/**
 * What an account may make, beside the bytes that its quota counts
 * (completions.md section 10; the operator reads it in `limits.md`). None of
 * it is a setting: an honest account stays far below, and the database stays of
 * a size that its disk was meant for.
 *
 * @module
 */

const MIB = 1024 * 1024;

/** The limits, by what they count. */
export const ROW_LIMITS = {
  /** Albums of one account whose rosters name the same other account. */
  albumsNamingOne: 200,
  /** Names on the rosters of all its albums together. */
  rosterNames: 250_000,
  /** Bytes of the rosters of all its albums together. */
  rosterBytes: 256 * MIB,
} as const;
