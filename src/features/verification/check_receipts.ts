/**
 * The receipt chain, checked from its beginning
 * (upkeep/check.md#is-everything-still-there).
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import {
  readReceipt,
  receiptHash,
  type ReceiptPayload,
} from "../../crypto/receipt.ts";
import {
  type PublishedKey,
  verifyReceipt,
} from "../../crypto/receipt_chain.ts";
import { type Check, walk } from "./check_step.ts";
import type { FindingKind } from "./findings.ts";
import { countRows, lastReceiptSeq, pageOfReceipts } from "./check_store.ts";

type Row = Awaited<ReturnType<typeof pageOfReceipts>>[number];

/** What the next receipt may name as the one before. */
interface Link {
  /** As the table has it, and as the bytes give it: alike if all is well. */
  readonly hashes: readonly string[];
}

/**
 * Every receipt is signed by one of this server's own keys, says what its row
 * says, and names the hash of the one before. What is issued while the check
 * runs is left to the next one.
 */
export async function checkReceipts(check: Check): Promise<void> {
  const { db, findings, advance } = check;
  const last = await lastReceiptSeq(db);
  const keys = typeof check.keys === "function"
    ? await check.keys()
    : check.keys;
  const total = await countRows(db, "receipt");
  let prior: Link | undefined;
  const visit = async (rows: readonly Row[]) => {
    const faults = await Promise.all(rows.map((row) => faultOf(row, keys)));
    for (const [index, row] of rows.entries()) {
      const subject = `receipt ${row.receipt_seq}`;
      const fault = faults[index];
      if (fault !== undefined) findings.add(fault.kind, subject, fault.detail);
      if (!isLinked(row, prior)) {
        const what = "it does not contain the hash of the receipt before it";
        findings.add("receipt_out_of_chain", subject, what);
      }
      prior = { hashes: [row.receipt_hash, toHex(receiptHash(row.body))] };
    }
    advance(rows.length, total);
  };
  await walk(
    (after: Row | undefined) => pageOfReceipts(db, after, last),
    visit,
  );
}

/**
 * What is wrong with a receipt by itself. One whose date is not in the time of
 * its key is signed by it all the same: it is the window that is wrong.
 */
async function faultOf(
  row: Row,
  keys: readonly PublishedKey[],
): Promise<{ kind: FindingKind; detail: string } | undefined> {
  // The origin may have been another then; the keys are this server's own.
  const serverId = payloadOf(row)?.server_id ?? "";
  const verdict = await verifyReceipt(row.body, { serverId, keys });
  let misdated: string | undefined;
  let holds = verdict;
  if (!verdict.ok && verdict.fault === "key_outside_window") {
    misdated = `${verdict.fault}: ${verdict.detail}`;
    holds = await verifyReceipt(row.body, { serverId, keys: keys.map(always) });
  }
  if (!holds.ok) {
    const detail = `${holds.fault}: ${holds.detail}`;
    return { kind: "receipt_invalid", detail };
  }
  const { receipt } = holds;
  const differing = [
    ["receipt_seq", row.receipt_seq, receipt.receipt_seq],
    ["asset_id", row.asset_id, receipt.asset_id],
    ["upload_id", row.upload_id, receipt.upload_id],
    ["receipt_hash", row.receipt_hash, toHex(receiptHash(row.body))],
  ].find(([, ofRow, ofReceipt]) => ofRow !== ofReceipt);
  if (differing !== undefined) {
    const [name, ofRow, ofReceipt] = differing;
    const detail = `its row has ${name} ${ofRow}, it says ${ofReceipt}`;
    return { kind: "receipt_invalid", detail };
  }
  return misdated === undefined
    ? undefined
    : { kind: "receipt_misdated", detail: misdated };
}

/** A key as if it were valid for ever. */
function always(key: PublishedKey): PublishedKey {
  return { ...key, activeFrom: -Infinity, activeTo: null };
}

/** An unreadable receipt is a finding already, whatever it may have named. */
function isLinked(row: Row, prior: Link | undefined): boolean {
  const payload = payloadOf(row);
  if (payload === undefined) return true;
  const named = payload.prior_receipt_hash;
  if (named === null || prior === undefined) {
    return named === null && prior === undefined;
  }
  return prior.hashes.includes(toHex(named));
}

function payloadOf({ body }: Row): ReceiptPayload | undefined {
  try {
    return readReceipt(body);
  } catch {
    return undefined;
  }
}
