/**
 * The database's health and that of the keys that lie outside it.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import { bytesInWords } from "../../../core/sizes.ts";
import { RESTORE_BACKUP } from "../../../core/operator.ts";
import { toRfc3339 } from "../../../core/time.ts";
import type { DatabaseHealth } from "../../../store/health.ts";
import { type Finding, findingsOf } from "./finding.ts";

const ofDatabase = findingsOf("database");
const ofKeys = findingsOf("keys");

/** A write-ahead log is put back into the database long before this. */
const WAL_BYTES = 256 * 1024 * 1024;

/** Judges what was read of the database. */
export function judgeDatabase(
  { schema, isOurs, problems, bytes, walBytes }: DatabaseHealth,
  known: number,
): Finding[] {
  const { ok, warning, fault } = ofDatabase;
  if (!isOurs) {
    return [fault("was not made by strongroom", RESTORE_BACKUP)];
  }
  if (schema > known) {
    return [fault(
      say("schema {1}, and this program knows {2}", schema, known),
      "run the newer program that created it",
    )];
  }
  if (problems.length > 0) {
    return [fault(
      say("is damaged: {1}", problems.join("; ")),
      "stop the server, keep its data directory as it is, and " +
        RESTORE_BACKUP,
    )];
  }
  if (schema < known) {
    return [warning(
      say("schema {1}, and this program has {2}", schema, known),
      "start this program's server once: it copies the database, then " +
        "migrates it to the new schema",
    )];
  }
  if (walBytes > WAL_BYTES) {
    return [warning(
      say("its write-ahead log has {1}", bytesInWords(walBytes)),
      "some program has had the database open for a long time: end it, " +
        "then restart the server",
    )];
  }
  return [
    ok(say("schema {1}, {2}, whole", schema, bytesInWords(bytes + walBytes))),
  ];
}

/** What is known of a signing key; instants in ms. */
export interface RingKey {
  readonly keyId: string;
  readonly activeFrom: number;
  readonly activeTo: number | undefined;
}

/** The newest receipt, as far as keys are concerned. */
interface SignedReceipt {
  readonly receiptSeq: number;
  readonly keyId: string;
}

/**
 * Judges the attestation keys by the newest receipt: its key is there, and if
 * another one is active, that one came later.
 */
export function judgeAttestation(
  ring: readonly RingKey[],
  receipt: SignedReceipt | undefined,
): Finding | undefined {
  const { fault } = ofKeys;
  const active = ring.at(-1);
  if (active === undefined) return undefined;
  if (active.activeTo !== undefined) {
    return fault(
      say(
        "the last key of keys/attestation.json was retired on {1}",
        toRfc3339(active.activeTo),
      ),
      "strongroom keys rotate attestation",
    );
  }
  if (receipt === undefined) return undefined;
  const signed = ring.some(({ keyId }) => keyId === receipt.keyId);
  if (signed) return undefined;
  return fault(
    say(
      "receipt {1} was signed with a key that is not in " +
        "keys/attestation.json",
      receipt.receiptSeq,
    ),
    "stop the server and restore the key file that belongs to this " +
      "database, from the same backup; with another one, no receipt " +
      "verifies",
  );
}
