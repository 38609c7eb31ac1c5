/**
 * What a restored database may not go on with as if nothing had happened: the
 * server has lost what came after the backup, and its clients have not.
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import type { Platform } from "../../core/platform.ts";
import { type Db, transaction } from "../../store/sqlite/database.ts";
import {
  closeSessions,
  deleteUnheld,
  deleteUploads,
  endCeremonies,
  forgetBucket,
  type LiveLink,
  liveShares,
  liveUploadLinks,
  moveOn,
  revokeGrants,
  revokeLinks,
} from "./store.ts";

/**
 * Receipts go on at least so far above the newest of the backup: more than a
 * server issues between two backups, so that no number is given out twice.
 */
const RECEIPT_GAP = 1_000_000;
/**
 * And further by fewer than 2^40, at random: a backup that is restored twice
 * makes two servers, and neither gives out the other's numbers. Eight thousand
 * restores in a row stay exact.
 */
const RANDOM_BYTES = 5;

/** How far a restore moves the numbers of receipts on. */
export function receiptGap({ random }: Pick<Platform, "random">): number {
  const further = random(RANDOM_BYTES)
    .reduce((sum, byte) => sum * 256 + byte, 0);
  return RECEIPT_GAP + further;
}

export interface SettleOptions {
  /** Leaves sessions and capability grants as they are. */
  readonly keepSessions: boolean;
  /** Revokes every link, of both kinds. */
  readonly revokeShares: boolean;
}

export interface Settled {
  readonly receiptFloor: number;
  readonly sessionsClosed: number;
  readonly grantsRevoked: number;
  /** Open uploads, whose bytes no backup has. */
  readonly uploadsDropped: number;
  /** Links that live again, or were revoked just now. */
  readonly shares: readonly LiveLink[];
  readonly uploadLinks: readonly LiveLink[];
}

/**
 * Starts a new feed, so that every client reads it from the start. Moves the
 * numbers of receipts on. Closes every session and grant, because one that
 * ended after the backup would be live again. Ends uploads and other work under
 * way.
 */
export function settle(
  db: Db,
  platform: Pick<Platform, "now" | "random">,
  { keepSessions, revokeShares }: SettleOptions,
): Promise<Settled> {
  const now = platform.now();
  const feedEpoch = toHex(platform.random(16));
  return transaction(db, async (tx) => {
    const shares = await liveShares(tx, now);
    const uploadLinks = await liveUploadLinks(tx, now);
    if (revokeShares) await revokeLinks(tx, now);
    await forgetBucket(tx);
    await endCeremonies(tx);
    const settled = {
      receiptFloor: await moveOn(tx, {
        feedEpoch,
        receiptGap: receiptGap(platform),
      }),
      sessionsClosed: keepSessions ? 0 : await closeSessions(tx),
      grantsRevoked: keepSessions ? 0 : await revokeGrants(tx, now),
      uploadsDropped: await deleteUploads(tx),
      shares,
      uploadLinks,
    };
    await deleteUnheld(tx);
    return settled;
  });
}
