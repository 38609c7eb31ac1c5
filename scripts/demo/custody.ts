/**
 * The receipts that the server gave, held against what was sent and verified
 * without the server.
 *
 * @module
 */
import { fromBase64, toHex } from "../../src/core/bytes.ts";
import type { Finalized } from "../../src/wire/answers/uploads.ts";
import type { UploadRequest } from "../../src/client/api/api.ts";
import { readReceipt } from "../../src/crypto/receipt.ts";
import {
  type PublishedKeys,
  verifyReceiptChain,
} from "../../src/crypto/receipt_chain.ts";

/** A receipt that does not say what it should; the message is for people. */
export class CustodyFault extends Error {
  override readonly name = "CustodyFault";
}

/** Receipts in the order in which the server gave them. */
export interface CustodyRecord {
  /**
   * Takes the receipt of a blob. Throws a {@link CustodyFault} unless it names
   * exactly what was sent. Returns its number.
   */
  readonly add: (
    assetId: string,
    sent: UploadRequest,
    finalized: Finalized,
  ) => number;
  /**
   * Verifies signatures and chain links from the first receipt to the last;
   * returns how many. Throws a {@link CustodyFault}. The server has no part.
   */
  readonly verify: (keys: PublishedKeys) => Promise<number>;
}

/** Begins a record with the first receipt that a server ever gives. */
export function openCustody(): CustodyRecord {
  const receipts: Uint8Array[] = [];
  return {
    add(assetId, sent, { receipt: given, upload_id: uploadId }) {
      const bytes = fromBase64(given.receipt_cbor) ?? new Uint8Array();
      const receipt = readReceipt(bytes);
      const envelopeHash = sent.role === "provenance" ? sent.hash : null;
      const facts: readonly [string, unknown, unknown][] = [
        ["receipt_seq", receipt.receipt_seq, given.receipt_seq],
        ["asset_id", receipt.asset_id, assetId],
        ["upload_id", receipt.upload_id, uploadId],
        ["blob_role", receipt.blob_role, sent.role],
        ["ciphertext_hash", toHex(receipt.ciphertext_hash), sent.hash],
        ["size", receipt.size, sent.size],
        ["envelope_hash", hexOrNull(receipt.envelope_hash), envelopeHash],
      ];
      for (const [name, said, wanted] of facts) {
        if (said === wanted) continue;
        throw new CustodyFault(
          `receipt ${receipt.receipt_seq} says ${name} ${said}, not ${wanted}`,
        );
      }
      receipts.push(bytes);
      return receipt.receipt_seq;
    },
    async verify(keys) {
      const verdict = await verifyReceiptChain(receipts, keys);
      if (verdict.ok) return verdict.count;
      throw new CustodyFault(
        `receipt ${verdict.receiptSeq ?? "?"}: ${verdict.detail}`,
      );
    },
  };
}

function hexOrNull(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : toHex(bytes);
}
