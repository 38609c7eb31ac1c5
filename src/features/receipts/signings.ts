/**
 * Until when each attestation key has signed, by the receipts themselves: the
 * time of a key ends no earlier than what it signed, whatever the clock said
 * when it was retired.
 *
 * @module
 */
import { parseRfc3339 } from "../../core/time.ts";
import { readReceipt, ReceiptError } from "../../crypto/receipt.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { newestSeq, pageOfChain } from "./store.ts";

/** What the receipts up to a number tell. */
export interface Signings {
  /** The number of the last receipt that was read. */
  readonly upTo: number;
  /** By key id: when its latest receipt was issued (ms). */
  readonly latest: ReadonlyMap<string, number>;
}

/** Of a chain whose beginning is still to be read. */
export const NOTHING_READ: Signings = { upTo: 0, latest: new Map() };

/**
 * Reads the whole chain, or what has come since `before`. It was not always
 * issued in the order of its dates, so the newest receipt of a key need not be
 * its latest. A damaged receipt is left out: it verifies under no key.
 */
export async function readSignings(
  db: Db,
  before: Signings = NOTHING_READ,
): Promise<Signings> {
  const last = await newestSeq(db);
  const latest = new Map(before.latest);
  let upTo = before.upTo;
  for (;;) {
    const page = await pageOfChain(db, upTo, last);
    for (const { receipt_seq, body } of page) {
      upTo = receipt_seq;
      const signing = signingOf(body);
      if (signing === undefined) continue;
      const known = latest.get(signing.keyId) ?? signing.at;
      latest.set(signing.keyId, Math.max(known, signing.at));
    }
    if (page.length === 0) return { upTo, latest };
  }
}

function signingOf(body: Uint8Array) {
  try {
    const { server_key_id: keyId, received_at } = readReceipt(body);
    const at = parseRfc3339(received_at);
    return at === undefined ? undefined : { keyId, at };
  } catch (error) {
    if (error instanceof ReceiptError) return undefined;
    throw error;
  }
}
