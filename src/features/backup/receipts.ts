/**
 * Receipts whose bytes are not those that were signed: one bit of an old one
 * is no reason to go without a backup, and none to keep silent about it.
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import { receiptHash } from "../../crypto/receipt.ts";
import type { Db } from "../../store/sqlite/database.ts";
import {
  countReceipts,
  newestReceiptBytes,
  pageOfReceiptBytes,
  type ReceiptBytes,
  theseReceiptBytes,
} from "./store.ts";
import { type BackupState, DAMAGED_MAX } from "./state.ts";

/** All of them have been read after so many backups. */
const BACKUPS = 30;
/** Even of a short chain so many are read each time. */
const LEAST = 10_000;

export type ReceiptsRead = Pick<
  BackupState,
  "damaged_receipts" | "receipts_after"
>;

/**
 * Reads some receipts, or all of them, and those that were damaged the last
 * time; their hashes alone, which any changed bit changes.
 */
export async function readReceipts(
  db: Db,
  before: ReceiptsRead,
  all: boolean,
): Promise<ReceiptsRead> {
  const known = await theseReceiptBytes(db, before.damaged_receipts);
  const damaged = new Set(known.filter(isDamaged).map(numberOf));
  const budget = all
    ? Infinity
    : Math.max(LEAST, await countReceipts(db) / BACKUPS);
  let after = all ? 0 : before.receipts_after;
  for (let count = 0; count < budget;) {
    const page = await pageOfReceiptBytes(db, after);
    const last = page.at(-1);
    if (last === undefined) {
      // Through: the next scrub begins with the first.
      after = 0;
      break;
    }
    for (const one of page) if (isDamaged(one)) damaged.add(one.receipt_seq);
    count += page.length;
    after = last.receipt_seq;
  }
  const numbers = [...damaged].toSorted((a, b) => a - b);
  return {
    damaged_receipts: numbers.slice(0, DAMAGED_MAX),
    receipts_after: after,
  };
}

/** The newest receipt whose bytes are what was signed, as far as one looks. */
export async function readNewestWhole(
  db: Db,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const newest = await newestReceiptBytes(db);
  return newest.find((one) => !isDamaged(one))?.body;
}

function isDamaged({ receipt_hash, body }: ReceiptBytes): boolean {
  return toHex(receiptHash(body)) !== receipt_hash;
}

function numberOf({ receipt_seq }: ReceiptBytes): number {
  return receipt_seq;
}
