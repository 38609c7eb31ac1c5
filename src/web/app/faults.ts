/**
 * Error messages in the person's language.
 *
 * @module
 */
import { now } from "../browser.ts";
import { ThreadError } from "../../client/stream/threads/thread_messages.ts";
import { PartError } from "./fetched.ts";
import { firstMessages, textNamed } from "./first_messages.ts";

/** The message for an error. */
export function faultText(error: unknown): string {
  const { faults } = firstMessages.value;
  if (error instanceof PartError) return faults.part;
  if (!(error instanceof ThreadError)) {
    return error instanceof Error && error.name === "NewerDocumentError"
      ? faults.newVersion
      : faults.internal;
  }
  const { kind, code = "", status, retryAt, fault } = error.fault;
  const known = textNamed(faults.codes, code);
  if (known !== undefined) return known;
  if (status === 429) {
    const wait = retryAt === undefined ? 60_000 : retryAt - now();
    return faults.tooMany({ seconds: Math.max(1, Math.ceil(wait / 1_000)) });
  }
  switch (kind) {
    case "PhraseRefused":
      if (fault === "too_short") return faults.phraseShort;
      if (fault === "cancelled") return faults.cancelled;
      return faults.phraseIsPassword;
    case "EnrollmentError":
      if (fault === "not_the_other_device") return faults.proofLost;
      return fault === "words_differ" ? faults.differ : faults.pairing;
    case "VaultError":
      return fault === "another_identity"
        ? faults.otherAccount
        : faults.internal;
    case "AnotherAccount":
      return faults.anotherKept;
    case "NoWayBack":
      return faults.noWayBack;
    case "PinNeedsWords":
      return faults.pinNeedsWords;
    case "ConnectionError":
      return faults.offline;
    case "EscrowError":
      return faults.escrow;
    case "ClientTooOld":
    case "NewerDocumentError":
      return faults.newVersion;
    case "CustodyError":
      return faults.lying;
    case "UnconfirmedState":
      return faults.unconfirmedState;
    case "NoLongerWaits":
      return faults.answeredElsewhere;
    case "StreamError":
    case "DamagedBlob":
    case "DocumentError":
      return faults.damaged;
    case "NotShared":
      return faults.notShared;
    case "ApiProblem":
    case "UnexpectedAnswer":
      return kind === "UnexpectedAnswer" && status === 413
        ? faults.proxyLimit
        : faults.unexpected;
    default:
      return faults.internal;
  }
}
