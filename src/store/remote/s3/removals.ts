/**
 * Removing doomed objects.
 *
 * @module
 */
import type { BlobHash } from "../../../core/ids.ts";
import type { Platform } from "../../../core/platform.ts";
import { reasonOf } from "../../../core/reason.ts";
import type { Db } from "../../sqlite/database.ts";
import { BlobsUnavailable } from "../../blobs/unavailable.ts";
import {
  claimRemovals,
  countDoomed,
  forgetDoomed,
  noteGone,
  pageOfDoomed,
} from "./ledger.ts";

/**
 * Number of parallel removals. The database notes them together: a commit for
 * each would take longer than the removal.
 */
const AT_ONCE = 16;

interface Removing {
  readonly db: Db;
  readonly platform: Pick<Platform, "now" | "log">;
  /** Throws if the bucket is not this server's, or if that is unknown. */
  readonly hold: () => Promise<void>;
  readonly removeObject: (hash: BlobHash) => Promise<void>;
}

/** Removes doomed objects; returns the number that could not be removed. */
export async function removeDoomed(removing: Removing): Promise<number> {
  const { db, platform } = removing;
  const now = platform.now();
  await forgetDoomed(db, now);
  let failed = 0;
  let after = "";
  for (;;) {
    const page = await pageOfDoomed(db, after, now);
    const last = page.at(-1);
    if (last === undefined) return failed;
    if (!await isHeld(removing)) return await countDoomed(db);
    for (let at = 0; at < page.length; at += AT_ONCE) {
      const some = page.slice(at, at + AT_ONCE);
      const stayed = await removeTogether(removing, some);
      failed += stayed;
      // The rest waits until the store answers again.
      if (stayed === some.length) return failed;
    }
    after = last;
  }
}

async function isHeld({ hold, platform }: Removing): Promise<boolean> {
  try {
    await hold();
    return true;
  } catch (cause) {
    if (!(cause instanceof BlobsUnavailable)) throw cause;
    platform.log.warn("no object is removed", { cause: reasonOf(cause) });
    return false;
  }
}

/** Removes some at once; returns the number that could not be removed. */
async function removeTogether(
  removing: Removing,
  hashes: readonly BlobHash[],
): Promise<number> {
  const { db, platform } = removing;
  const claimed = await claimRemovals(db, hashes, platform.now());
  const gone: BlobHash[] = [];
  await Promise.all(claimed.map(async (hash) => {
    if (await isRemoved(removing, hash)) gone.push(hash);
  }));
  if (gone.length > 0) await noteGone(db, gone);
  return claimed.length - gone.length;
}

async function isRemoved(
  { platform, removeObject }: Removing,
  hash: BlobHash,
): Promise<boolean> {
  try {
    await removeObject(hash);
    return true;
  } catch (cause) {
    if (!(cause instanceof BlobsUnavailable)) throw cause;
    platform.log.warn("an object not removed", { cause: reasonOf(cause) });
    return false;
  }
}
