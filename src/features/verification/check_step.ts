/**
 * What the steps of a check share.
 *
 * @module
 */
import type { BlobHash } from "../../core/ids.ts";
import type { PublishedKey } from "../../crypto/receipt_chain.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Files } from "../../store/files/files.ts";
import type { ObjectStore } from "../../store/blobs/object_store.ts";
import type { StoredBlobs } from "../../store/blobs/small_blobs.ts";
import type { Staging } from "../../store/blobs/staging.ts";
import type { Loss } from "../lost_blobs.ts";
import type { Findings } from "./findings.ts";

/** What is checked, and the keys that its receipts were signed with. */
export interface CheckedStore {
  readonly db: Db;
  readonly staging: Staging;
  readonly blobs: StoredBlobs;
  /** Where the tiles of the public logs lie; a backup has none. */
  readonly tiles?: { readonly files: Files; readonly root: string } | undefined;
  /** A bucket that may contain blobs; undefined without one. */
  readonly objectStore?: ObjectStore | undefined;
  /**
   * Every attestation key that the server ever had. If a server runs, the keys
   * are read after the receipts to check: otherwise a rotation in between would
   * make a receipt look foreign.
   */
  readonly keys:
    | readonly PublishedKey[]
    | (() => Promise<readonly PublishedKey[]>);
}

/** What the steps work with. */
export interface Check extends CheckedStore {
  readonly findings: Findings;
  /** Is told of each blob whose file is missing or damaged. */
  readonly onLost: (hash: BlobHash, loss: Loss) => void;
  /** Notes that so many more of the running step are done. */
  readonly advance: (count: number, total?: number) => void;
}

/** Calls `page` for one page after the other until one is empty. */
export async function walk<R>(
  page: (after: R | undefined) => Promise<readonly R[]>,
  visit: (rows: readonly R[]) => void | Promise<void>,
): Promise<void> {
  let rows = await page(undefined);
  while (rows.length > 0) {
    await visit(rows);
    rows = await page(rows.at(-1));
  }
}
