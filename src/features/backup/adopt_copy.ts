/**
 * A file copy of the data directory that was put back
 * (backup/file-copy.md): a restore in place. What the
 * server issued after the copy was made is lost, and its clients have it; the
 * server must not contradict itself.
 *
 * @module
 */
import { removeTree } from "../../store/files/copies.ts";
import { logPath } from "../../store/data_paths.ts";
import { transaction } from "../../store/sqlite/database.ts";
import type { Store } from "../../store/store.ts";
import type { Target } from "./restore.ts";
import type { Loss } from "./restored_blobs.ts";
import { findLosses, type SettledInPlace, settleInPlace } from "./roll_back.ts";
import { forgetUnused, revokeLinks } from "./store.ts";

export interface Adopted extends SettledInPlace {
  /** Blobs that the database knows and the copy does not have. */
  readonly losses: readonly Loss[];
  readonly lost: number;
}

/**
 * Makes a copy safe to serve: receipts are numbered above all that the copy
 * knows of, under a new key, the feed begins again, and sessions, grants and
 * open uploads end.
 */
export async function adoptCopy(
  { db, blobs, lease }: Pick<Store, "db" | "blobs" | "lease">,
  target: Target,
  { revokeShares }: { readonly revokeShares: boolean },
): Promise<Adopted> {
  const losses = await findLosses(db, blobs);
  await forgetUnused(db);
  const settled = await settleInPlace(target, db, lease.receiptSeq);
  if (revokeShares) {
    await transaction(db, (tx) => revokeLinks(tx, target.platform.now()));
  }
  // The next life of the logs may have the number of one that is lost.
  await removeTree(target.files, logPath(target.dataDir));
  lease.settled();
  return { ...settled, ...losses };
}
