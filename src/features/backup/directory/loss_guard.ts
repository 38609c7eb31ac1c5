/**
 * What a backup would take away from the one that it replaces. A server whose
 * data was lost by mistake is backed up like any other, and the backup is what
 * would bring it back.
 *
 * @module
 */
import type { BlobHash } from "../../../core/ids.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { type Amount, blobsInWords } from "../../../core/sizes.ts";
import type { Db } from "../../../store/sqlite/database.ts";
import { SCHEMA } from "../../../store/sqlite/migrations.ts";
import { openSnapshot } from "../../../store/sqlite/snapshot.ts";
import { DATABASE, type SnapshotRecord } from "../manifest.ts";
import { everyHeld } from "../store.ts";
import { type Place, snapshotPath } from "./place.ts";

/** More than this share of the blobs, or of their bytes, is not dropped. */
const SHARE = 0.1;
/** So little is dropped of a small library without a question. */
const FEW: Amount = { count: 12, bytes: 1024 ** 3 };
/** Blobs whose names are kept; beyond that every directory is looked into. */
const NAMES_MAX = 100_000;

/** What of the backup before is not in the new one. */
export interface Dropped extends Amount {
  /** Undefined if unknown, or too many. */
  readonly hashes: readonly BlobHash[] | undefined;
}

/** Compares the backup before with a new copy of the database. */
export async function whatIsDropped(
  place: Place,
  before: SnapshotRecord | null,
  db: Db,
  held: Amount,
): Promise<Dropped> {
  if (before === null) return { count: 0, bytes: 0, hashes: undefined };
  // An older schema would have to be migrated first, in another copy.
  if (before.schema === SCHEMA) {
    try {
      const path = `${snapshotPath(place, before)}/${DATABASE}`;
      const old = await openSnapshot(path);
      try {
        return await difference(old.db, db);
      } finally {
        await old.close();
      }
    } catch {
      // It may have rotted: what the manifest says is known all the same.
    }
  }
  return {
    count: Math.max(0, before.blobs.count - held.count),
    bytes: Math.max(0, before.blobs.bytes - held.bytes),
    hashes: undefined,
  };
}

/** Blobs that the one database holds and the other does not. */
async function difference(old: Db, db: Db): Promise<Dropped> {
  const hashes: BlobHash[] = [];
  let [count, bytes] = [0, 0];
  const others = everyHeld(db);
  let other = await others.next();
  for await (const { hash, size } of everyHeld(old)) {
    while (other.done !== true && other.value.hash < hash) {
      other = await others.next();
    }
    if (other.done !== true && other.value.hash === hash) continue;
    count += 1;
    bytes += size;
    if (count <= NAMES_MAX) hashes.push(hash);
  }
  return { count, bytes, hashes: count > NAMES_MAX ? undefined : hashes };
}

/** Whether what was dropped is more than a tenth, and more than a little. */
export function isMuchLess(
  before: Amount,
  dropped: Amount,
  held: Amount,
): boolean {
  const isMuch = dropped.count > before.count * SHARE ||
    dropped.bytes > before.bytes * SHARE;
  const isFew = dropped.count <= FEW.count && dropped.bytes <= FEW.bytes;
  return dropped.count > 0 && isMuch && !(isFew && held.count > 0);
}

/** Refuses to drop more than a tenth ({@link OperatorFault}). */
export function refuseShrinking(
  { dir }: Place,
  { blobs: before }: SnapshotRecord,
  dropped: Amount,
  held: Amount,
): void {
  if (!isMuchLess(before, dropped, held)) return;
  throw new OperatorFault(
    `this would remove ${blobsInWords(dropped)} from the backup in ` +
      `${dir}, which has ${blobsInWords(before)}: check that the data ` +
      "directory is the right one and complete; if people have deleted " +
      "that much, run this again with --allow-shrink. The previous " +
      "backup stays as it is",
  );
}
