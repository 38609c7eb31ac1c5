/**
 * The error for contradictions of which the server is caught.
 *
 * @module
 */

/** The kinds of contradictions. */
export type CustodyFault =
  /** The receipt does not name what was sent. */
  | "receipt_mismatch"
  /** It is not signed by a key that this device trusts. */
  | "receipt_forged"
  /** Two receipts have the same number. */
  | "number_used_twice"
  /** It does not follow the receipt before. */
  | "chain_forked"
  /** The server gave no receipt. */
  | "receipt_missing"
  /**
   * An album's roster is older than the one seen before, or differs from it.
   */
  | "roster_rolled_back"
  /**
   * The attestation keys have changed, and no pinned key vouches for the new
   * ones.
   */
  | "keys_replaced";

/** The server contradicted itself or this device; the message is for people. */
export class CustodyError extends Error {
  override readonly name = "CustodyError";
  constructor(readonly fault: CustodyFault, message: string) {
    super(message);
  }
}
