/**
 * Chains of receipts as older programs left them.
 *
 * @module
 */
import { fromHex, toHex } from "../../src/core/bytes.ts";
import type { BlobHash, UploadId, UserId } from "../../src/core/ids.ts";
import { toRfc3339 } from "../../src/core/time.ts";
import { receiptHash, signReceipt } from "../../src/crypto/receipt.ts";
import { insertReceipts, readHead } from "../../src/features/receipts/store.ts";
import { transaction } from "../../src/store/sqlite/database.ts";
import { ORIGIN, type TestApp } from "./app.ts";
import { hashOf, type Person } from "./people.ts";

/**
 * Puts receipts of these dates (ms) at the end of the chain, in this order,
 * under the active key: the date of one before did not matter once.
 */
export async function issueAt(
  { app }: TestApp,
  person: Person,
  dates: readonly number[],
): Promise<void> {
  const signer = app.secrets.attestationKeys.at(-1)?.signer;
  if (signer === undefined) throw new Error("no key");
  for (const at of dates) {
    const head = await readHead(app.db);
    const receiptSeq = (head?.receipt_seq ?? 0) + 1;
    const uploadId = app.newId<UploadId>();
    const body = await signReceipt(signer, {
      receipt_seq: receiptSeq,
      server_id: ORIGIN,
      prior_receipt_hash: fromHex(head?.receipt_hash ?? "-") ?? null,
      upload_id: uploadId,
      asset_id: null,
      blob_role: "original",
      ciphertext_hash: fromHex(hashOf("x")) ?? new Uint8Array(32),
      size: 1,
      envelope_hash: null,
      received_at: toRfc3339(at),
    });
    await transaction(app.db, (tx) =>
      insertReceipts(tx, [{
        receipt_seq: receiptSeq,
        owner_id: person.userId as UserId,
        asset_id: null,
        upload_id: uploadId,
        receipt_hash: toHex(receiptHash(body)) as BlobHash,
        body,
      }]));
  }
}
