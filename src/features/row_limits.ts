/**
 * What an account may make, apart from the bytes that its quota counts
 * (protocol/limits.md#rows; the operator reads it in limits.md). None of it is
 * a setting: an honest account stays far below, and the database stays of a
 * size that its disk was meant for.
 *
 * @module
 */

import type { Call } from "./call.ts";

const MIB = 1024 * 1024;

/** The limits of one account, by what they count. */
export const ROW_LIMITS = {
  /** Those it owns, tombstoned ones too. */
  albums: 10_000,
  /** Albums of one account whose rosters name the same other account. */
  albumsNamingOne: 200,
  /** Names on the rosters of all its albums together. */
  rosterNames: 250_000,
  /** Bytes of the rosters of all its albums together. */
  rosterBytes: 256 * MIB,
  /** Share links that were not revoked. */
  shares: 10_000,
  /** Hashes that those serve, all together. */
  servedHashes: 1_000_000,
  /** The same with revoked ones: their ids are kept for ever. */
  shareIds: 100_000,
  /** Upload links that were not revoked. */
  uploadLinks: 1_000,
  uploadLinkIds: 20_000,
  /** Guests' files that were not adopted, and their open sessions. */
  contributions: 10_000,
  /** Capability grants that the server keeps, over all its albums. */
  grants: 10_000,
  /** Intents of one album, spent ones too. */
  intents: 1_000,
  /** State slots that hold something. */
  stateSlots: 16,
  /** Finalized blobs that no manifest names yet. */
  pendingBlobs: 50_000,
  /** Bytes that lifecycle writes may bring above the quota. */
  inlineAboveQuota: 64 * MIB,
} as const;

/** Of these an account has so many; of more the oldest use ends. */
export const KEPT = {
  sessions: 1_000,
  cohorts: 1_000,
  revokeChallenges: 1_000,
  enrollmentChannels: 8,
} as const;

/** Refuses where an account would hold more of something than it may. */
export function assertWithin(
  { raise }: Call<"error.account.limit_reached">,
  what: keyof typeof ROW_LIMITS,
  held: number,
): void {
  const limit = ROW_LIMITS[what];
  if (held <= limit) return;
  throw raise("error.account.limit_reached", { extra: { limit }, cause: what });
}
