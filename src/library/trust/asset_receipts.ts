/**
 * The receipts of single assets that this device stored, or another one.
 *
 * @module
 */
import type { BlobRole } from "../../crypto/blob_role.ts";
import type { AssetReceipt } from "../../wire/answers/receipts.ts";
import { persist } from "../../client/api/send.ts";
import type { Custody } from "./custody.ts";
import { CustodyError } from "../base/faults.ts";
import type { StoreChange } from "../base/store.ts";
import type { Vault } from "../vault/vault.ts";

/** What storing works with. */
export interface Storing {
  readonly vault: Vault;
  readonly custody: Custody;
}

/** Receipts that an asset waits for. */
export interface LateReceipts {
  readonly assetId: string;
  readonly blobs: readonly {
    readonly role: BlobRole;
    readonly hash: string;
    readonly size: number;
  }[];
  /** The number of a receipt before them. */
  readonly after: number;
}

/**
 * Fetches and verifies the receipts of an asset's blobs; returns the changes
 * that keep them. Throws CustodyError if one is missing.
 */
export async function verifyReceipts(
  storing: Storing,
  assetId: string,
  blobs: LateReceipts["blobs"],
): Promise<StoreChange[]> {
  const { account } = storing.vault.session;
  const receipts = await persist(account, () => account.receipts(assetId), {});
  return await verifyGiven(storing, assetId, blobs, receipts);
}

/** The same for receipts that the server has given already. */
export async function verifyGiven(
  { custody }: Storing,
  assetId: string,
  blobs: LateReceipts["blobs"],
  receipts: readonly Pick<
    AssetReceipt,
    "blob_role" | "ciphertext_hash" | "receipt_cbor"
  >[],
): Promise<StoreChange[]> {
  const all = blobs.map(({ role, hash, size }) => {
    const receipt = receipts.find((one) =>
      one.ciphertext_hash === hash && one.blob_role === role
    );
    if (receipt === undefined) {
      throw new CustodyError("receipt_missing", `no receipt for a ${role}`);
    }
    const sent = { assetId, role, hash, size };
    return { sent, receiptCbor: receipt.receipt_cbor };
  });
  return (await custody.verifyAll(all)).map(({ change }) => change);
}
