/**
 * A collection under way.
 *
 * @module
 */
import type { Log } from "../../core/platform.ts";
import type { Amount } from "../../core/sizes.ts";
import type { BlobStore } from "../../store/blobs/blob_store.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Staging } from "../../store/blobs/staging.ts";
import type { Horizon } from "./references.ts";

/** What a collection removed, or in a dry run what it would remove. */
export interface Collected {
  /** Expired upload sessions. */
  sessions: number;
  /** Assets that left the trash; the bytes are those of their owners. */
  assets: Amount;
  /** Blobs that were uploaded and not applied; bytes of their owners. */
  unapplied: Amount;
  /** Blobs that nothing references: bytes of the disk, as in what follows. */
  blobs: Amount;
  /** Files in `uploads/` without a session. */
  strayUploads: Amount;
  /** Files in `blobs/` without a row: set aside in `lost/`. */
  strayFiles: Amount;
  /** Files that were quarantined long enough ago: removed. */
  lostFiles: Amount;
  /** Files that were quarantined and are a blob's again: put back. */
  putBack: Amount;
  /** Too many strays to be true: none was quarantined. */
  suspicious: number;
  /** Files that could not be removed. */
  failed: number;
}

const NONE: Amount = { count: 0, bytes: 0 };

export const NOTHING: Collected = {
  sessions: 0,
  assets: NONE,
  unapplied: NONE,
  blobs: NONE,
  strayUploads: NONE,
  strayFiles: NONE,
  lostFiles: NONE,
  putBack: NONE,
  suspicious: 0,
  failed: 0,
};

export interface Run {
  readonly db: Db;
  readonly staging: Staging;
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly horizon: Horizon;
  readonly dryRun: boolean;
  /** However many strays there are, they are quarantined. */
  readonly manyStrays: boolean;
  readonly collected: Collected;
  /** Blobs that could not be removed the last time that was tried. */
  unsettled: number;
  readonly monotonic: () => number;
  /** Lets others work. */
  readonly rest: () => Promise<void>;
  /** Tells how far it is, lets others work, and ends here if it is to. */
  readonly pause: () => Promise<void>;
}

/**
 * Removes the blobs that committed transactions gave up. What stays is tried
 * again with each transaction, and counted once.
 */
export async function settleBlobs(run: Run): Promise<void> {
  const unsettled = await run.blobs.settle();
  run.collected.failed += unsettled - run.unsettled;
  run.unsettled = unsettled;
}

/** A collection was told to end. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

export function add(to: Amount, more: Amount = NONE): Amount {
  return { count: to.count + more.count, bytes: to.bytes + more.bytes };
}
