/**
 * Earlier manifests of a photo that the server lost. Only the server has their
 * bytes, and the photo does without them: they are reported for a week, in
 * which an operator may put the file back, and let go of after that
 * (upkeep/check.md#is-everything-still-there).
 *
 * @module
 */
import type { Platform } from "../../core/platform.ts";
import { DAY_MS } from "../../core/time.ts";
import { type BlobStore, isPresent } from "../../store/blobs/blob_store.ts";
import { type Db, transaction } from "../../store/sqlite/database.ts";
import type { Noted } from "../lost_blobs.ts";
import { historyOf, type Holder } from "../references.ts";
import { deleteHoldings, listHoldings } from "../lifecycle/store.ts";

/** So long (ms) an operator has to put the file back. */
const TOLD_MS = 7 * DAY_MS;

/**
 * Lets go of a lost blob that was noticed a week ago, if it is an earlier
 * manifest alone. Where anything else of the photo is not there, the file may
 * come back with it, as a disk does that was not mounted: nothing is let go of.
 */
export async function letGoOfHistory(
  db: Db,
  blobs: BlobStore,
  { hash, noticed_at }: Noted,
  { now, log }: Pick<Platform, "now" | "log">,
): Promise<boolean> {
  if (now() - noticed_at < TOLD_MS) return false;
  const holders = await historyOf(db, hash);
  for (const one of holders) {
    if (!await isWhole(db, blobs, one)) return false;
  }
  const gone = await transaction(db, async (tx) => {
    const still = await historyOf(tx, hash);
    for (const { owner_id, asset_id, size } of still) {
      await deleteHoldings(tx, owner_id, asset_id, [
        { role: "provenance", hash, size },
      ]);
    }
    return still;
  });
  for (const { asset_id } of gone) {
    log.warn(
      "an earlier manifest is lost for good, and is told of no more: the " +
        "photo itself is whole",
      { hash, asset_id },
    );
  }
  return gone.length > 0;
}

/** Whether everything is there that an asset needs today. */
async function isWhole(
  db: Db,
  blobs: BlobStore,
  { owner_id, asset_id, chain_head }: Holder,
): Promise<boolean> {
  for (const one of await listHoldings(db, owner_id, asset_id)) {
    const { role, hash, size, applied } = one;
    const isNeeded = applied === 1 &&
      (role !== "provenance" || hash === chain_head);
    if (!isNeeded) continue;
    const noted = await db.selectFrom("lost_blob").select("hash")
      .where("hash", "=", hash).executeTakeFirst();
    if (noted !== undefined || !await isPresent(blobs, hash, size)) {
      return false;
    }
  }
  return true;
}
