import { OperatorFault } from "../../core/operator.ts";
import { readReceipt, ReceiptError } from "../../crypto/receipt.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { AttestationKey } from "../app.ts";
import { readNewest } from "../receipts/store.ts";

/**
 * Refuses attestation keys under which the newest receipt was not signed
 * ({@link OperatorFault}): they are another server's, or of an earlier time.
 * Signing on with them would disown every receipt that was given out.
 */
export async function requireOwnKeys(
  db: Db,
  keys: readonly AttestationKey[],
  directory: string,
): Promise<void> {
  const body = await readNewest(db);
  const signedBy = body && signerOf(body);
  if (signedBy === undefined) return;
  if (keys.some(({ signer }) => signer.keyId === signedBy)) return;
  throw new OperatorFault(
    `${directory}/attestation.json is not the key file of this ` +
      "database, whose newest receipt was signed with another key: " +
      "restore the one that belongs here",
  );
}

/** Undefined for a damaged receipt, which `strongroom check` names. */
function signerOf(body: Uint8Array): string | undefined {
  try {
    return readReceipt(body).server_key_id;
  } catch (error) {
    if (error instanceof ReceiptError) return undefined;
    throw error;
  }
}
