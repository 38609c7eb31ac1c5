/**
 * The files of a collection. Each is removed inside the transaction that has
 * found it unreferenced.
 *
 * That is the one exception to "a transaction holds SQL alone". It excludes
 * every other writer in every process, and every placing of a blob is preceded
 * by a committed row that the check looks at. So nothing can come to rely on a
 * file between the check and its removal. The check would see the row of an
 * earlier placing, and a later placing has to bring the bytes.
 * Removing it after the commit would unlink what was placed in between.
 *
 * When the process dies after removing a file and before the commit, there is
 * a row that nothing references and that has no file; the next collection
 * finds it like any other.
 *
 * @module
 */
import { parseUuid, type UploadId } from "../../core/ids.ts";
import type { Amount } from "../../core/sizes.ts";
import { transaction, type Tx } from "../../store/sqlite/database.ts";
import { add, type Run, settleBlobs } from "./run.ts";
import {
  deleteBlob,
  endOfPiece,
  isReferenced,
  isWorking,
  listUnreferenced,
} from "./store.ts";

/** A transaction removes so many files and bytes, then others may write. */
export const BATCH_FILES = 64;
const BATCH_BYTES = 1024 ** 3;
/**
 * Or for so long (ms), if the disk is slow: all writers wait meanwhile, in the
 * server and in other processes.
 */
const BATCH_MS = 50;

/** Removes blobs that nothing references, rows and files. */
export async function removeBlobs(run: Run): Promise<void> {
  const { db, blobs, collected, dryRun } = run;
  let after: Parameters<typeof endOfPiece>[1] = "";
  for (;;) {
    const to = await endOfPiece(db, after);
    const found = await listUnreferenced(
      db,
      { after, to },
      dryRun ? run.horizon : undefined,
    );
    for (const batch of batches(found)) {
      const removed = await removeBatch(run, batch, {
        isGarbage: async (tx, { hash }) => !await isReferenced(tx, hash),
        remove: (tx, { hash }) => blobs.remove(tx, hash),
        deleteRow: (tx, { hash }) => deleteBlob(tx, hash),
      });
      collected.blobs = add(collected.blobs, removed);
      await run.pause();
    }
    if (to === undefined) return;
    after = to;
    await run.pause();
  }
}

/** Removes old files in `uploads/` that belong to no session. */
export async function removeStrayUploads(run: Run): Promise<void> {
  const { db, staging, collected, horizon } = run;
  let strays: { uploadId: UploadId; size: number }[] = [];
  const remove = async () => {
    const removed = await removeBatch(run, strays, {
      isGarbage: async (tx, { uploadId }) => !await isWorking(tx, uploadId),
      remove: (_tx, { uploadId }) => staging.discard(uploadId),
    });
    collected.strayUploads = add(collected.strayUploads, removed);
    strays = [];
    await run.pause();
  };
  for await (const { names } of staging.list()) {
    for (const name of names) {
      const uploadId = parseUuid<UploadId>(name);
      if (uploadId === undefined) continue;
      const facts = await staging.statUpload(uploadId);
      if (facts === undefined) continue;
      if ((facts.modifiedAt ?? 0) > horizon.strayUntil) continue;
      if (await isWorking(db, uploadId)) continue;
      strays.push({ uploadId, size: facts.size });
      if (strays.length === BATCH_FILES) await remove();
    }
  }
  if (strays.length > 0) await remove();
}

/** How files of a kind go. */
interface Removal<T> {
  readonly isGarbage: (tx: Tx, one: T) => Promise<boolean>;
  /** Removes the file, or notes that it goes with the commit. */
  readonly remove: (tx: Tx, one: T) => Promise<void>;
  /** Deletes the row, where there is one. */
  readonly deleteRow?: (tx: Tx, one: T) => Promise<void>;
}

/**
 * Removes what is still garbage of a batch, in as few transactions as may be.
 */
export async function removeBatch<T extends { readonly size: number }>(
  run: Run,
  batch: readonly T[],
  removal: Removal<T>,
): Promise<Amount> {
  if (run.dryRun) {
    return batch.reduce(
      (sum, { size }) => add(sum, { count: 1, bytes: size }),
      { count: 0, bytes: 0 },
    );
  }
  let sum: Amount = { count: 0, bytes: 0 };
  let left = batch;
  for (;;) {
    const { removed, done } = await removeSome(run, left, removal);
    await settleBlobs(run);
    sum = add(sum, removed);
    left = left.slice(done);
    if (left.length === 0) return sum;
    // Others who wait for the write lock get it before this asks again.
    await run.rest();
  }
}

/**
 * Removes what is still garbage of the first of them, in one transaction. What
 * cannot be removed stays with its row, and does not keep the rest from going.
 */
async function removeSome<T extends { readonly size: number }>(
  run: Run,
  batch: readonly T[],
  { isGarbage, remove, deleteRow }: Removal<T>,
): Promise<{ readonly removed: Amount; readonly done: number }> {
  let failed = 0;
  let done = 0;
  const removed = await transaction(run.db, async (tx) => {
    const began = run.monotonic();
    let sum: Amount = { count: 0, bytes: 0 };
    for (const one of batch) {
      if (done > 0 && run.monotonic() - began >= BATCH_MS) break;
      done += 1;
      if (!await isGarbage(tx, one)) continue;
      try {
        await remove(tx, one);
      } catch (cause) {
        failed += 1;
        run.log.warn("garbage not removed", { cause: String(cause) });
        continue;
      }
      await deleteRow?.(tx, one);
      sum = add(sum, { count: 1, bytes: one.size });
    }
    return sum;
  });
  run.collected.failed += failed;
  return { removed, done };
}

function* batches<T extends { readonly size: number }>(
  all: readonly T[],
): Generator<readonly T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const one of all) {
    if (
      batch.length === BATCH_FILES ||
      batch.length > 0 && bytes + one.size > BATCH_BYTES
    ) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(one);
    bytes += one.size;
  }
  if (batch.length > 0) yield batch;
}
