/**
 * The error for contradictions of which the server is caught, and which errors
 * are about one record alone.
 *
 * @module
 */
import { DocumentError } from "../../client/documents/fields.ts";
import { isFull, isTemporary } from "../../client/api/refusals.ts";
import {
  ApiProblem,
  ClientTooOld,
  ConnectionError,
  UnexpectedAnswer,
} from "../../client/api/transport.ts";
import { StoreError } from "./store.ts";

/** Refusals that are about the session or the program. */
const OF_EVERYTHING: readonly number[] = [401, 426];

/**
 * Whether an error that came while one record was being read is about more than
 * that record: the connection, the session, this program's store. Everything
 * else is a fault of the record, and others are not held up by it.
 */
export function isOfEverything(error: unknown): boolean {
  if (error instanceof ApiProblem) {
    return OF_EVERYTHING.includes(error.status) || isFull(error) ||
      isTemporary(error);
  }
  if (error instanceof UnexpectedAnswer) return error.status > 500;
  return error instanceof ConnectionError || error instanceof ClientTooOld ||
    error instanceof StoreError ||
    (error instanceof DOMException && error.name === "AbortError");
}

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
  /** The public log that the server signs does not have the receipt. */
  | "not_in_log"
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

/**
 * This device cannot tell yet which photos are hidden: the server may have
 * given it an older state of the account (`trust.library`).
 */
export class UnconfirmedState extends DocumentError {
  override readonly name = "UnconfirmedState";
  constructor() {
    super(
      "this device cannot tell yet which photos are hidden: another device " +
        "of yours has to confirm what the server shows it",
    );
  }
}

/**
 * It waits no more: another of the account's programs accepted or refused it,
 * or its time was over.
 */
export class NoLongerWaits extends DocumentError {
  override readonly name = "NoLongerWaits";
}
