/**
 * Which logs the operator has witnessed (protocol/logs.md#the-witness).
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { isKeyName, readVerifierKey } from "../../crypto/logs/signed_note.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { endWitnessed, putWitnessed } from "./store.ts";

/**
 * Has this server witness a log, or takes up another key of one. Returns
 * whether anything is new. Throws an {@link OperatorFault} for what is no
 * origin, or no key of a log.
 */
export async function witnessLog(
  db: Db,
  origin: string,
  verifierKey: string,
  now: number,
): Promise<boolean> {
  if (!isKeyName(origin)) {
    throw new OperatorFault(
      `${JSON.stringify(origin)} is not an origin: use the first line of ` +
        "the log's checkpoint, such as photos.example/custody/…",
    );
  }
  const key = readVerifierKey(verifierKey);
  if (key?.type !== "ed25519") {
    throw new OperatorFault(
      "the second argument is not an Ed25519 verifier key: ask the log's " +
        "operator for the line that `strongroom log show` prints",
    );
  }
  if (key.name !== origin) {
    throw new OperatorFault(
      `this verifier key belongs to ${key.name}, not to ${origin}: give ` +
        "the origin that comes before its first plus sign",
    );
  }
  return await putWitnessed(db, origin, verifierKey, now);
}

/**
 * Stops witnessing a log; throws an {@link OperatorFault} where it is not
 * witnessed.
 */
export async function unwitnessLog(
  db: Db,
  origin: string,
  now: number,
): Promise<void> {
  if (await endWitnessed(db, origin, now)) return;
  throw new OperatorFault(
    `${origin} is not witnessed here: strongroom witness ls lists the ` +
      "logs that are",
  );
}
