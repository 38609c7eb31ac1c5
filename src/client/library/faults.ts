/**
 * What the server is caught at when it says what is not so.
 *
 * @module
 */

/** What a server that lies is caught at. */
export type CustodyFault =
  /** The receipt does not name what was sent. */
  | "receipt_mismatch"
  /** It is not signed by a key that this device trusts. */
  | "receipt_forged"
  /** Two receipts of one number. */
  | "number_used_twice"
  /** It does not follow the receipt before. */
  | "chain_forked"
  /** None was given. */
  | "receipt_missing"
  /** An album's roster is older than, or another than, the one seen before. */
  | "roster_rolled_back"
  /** The attestation keys are others, and none that was pinned vouches. */
  | "keys_replaced";

/** The server said something that is not so; the message is for people. */
export class CustodyError extends Error {
  override readonly name = "CustodyError";
  constructor(readonly fault: CustodyFault, message: string) {
    super(message);
  }
}
