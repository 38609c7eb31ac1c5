/**
 * Whose the key files are. The first key of a ring stays in its file for good,
 * so the database knows its own files by them.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { keyGeneration } from "../../store/generation.ts";
import { requireOwnKeys } from "./belonging.ts";
import {
  accessKeysAt,
  attestationKeysAt,
  type KeyPlace,
  logKeysAt,
  type RotatedPurpose,
} from "./rings.ts";
import { noteKeyIds, readKeyIds } from "./store.ts";

/**
 * Refuses the key files of another server ({@link OperatorFault}), and one of
 * an earlier time than the newest receipt; a file that is lost or no key file
 * is a `StoreFault`.
 */
export async function requireKeysOf(db: Db, place: KeyPlace): Promise<void> {
  await lookAtKeys(db, place);
}

/** The same, and writes down whose they are, for all who ask later. */
export async function adoptKeys(db: Db, place: KeyPlace): Promise<void> {
  await noteKeyIds(db, await lookAtKeys(db, place));
}

/** The ids of the rings' first keys. */
interface FirstKeys {
  readonly access: string;
  readonly attestation: string;
  readonly log: string;
}

async function lookAtKeys(
  db: Db,
  place: KeyPlace,
): Promise<FirstKeys> {
  const generation = await keyGeneration(db);
  const [access, attestation, log] = await Promise.all([
    accessKeysAt(place, generation),
    attestationKeysAt(place, generation),
    logKeysAt(place, generation),
  ]);
  await requireOwnKeys(db, attestation, place.directory);
  const first = {
    access: access[0]?.key.keyId ?? "",
    attestation: attestation[0]?.signer.keyId ?? "",
    log: log[0]?.keyId ?? "",
  };
  const [other] = await foreignPurposes(db, first);
  if (other !== undefined) throw foreign(place, other);
  return first;
}

/** The purposes whose first key, as it was found, is another server's. */
export async function foreignPurposes(
  db: Db,
  found: Readonly<Partial<Record<RotatedPurpose, string | undefined>>>,
): Promise<readonly RotatedPurpose[]> {
  const known = await readKeyIds(db);
  const own = {
    attestation: known.attestation_key_id,
    access: known.access_key_id,
    log: known.log_key_id,
  };
  return (["attestation", "access", "log"] as const).filter((purpose) =>
    own[purpose] !== null && found[purpose] !== undefined &&
    own[purpose] !== found[purpose]
  );
}

/** What another server's key would do here. */
const HARMS: Readonly<Record<RotatedPurpose, string>> = {
  attestation: "no issued receipt would verify",
  access: "anyone who has that key could sign in here as anyone",
  log: "no published checkpoint would verify",
};

function foreign(
  { directory }: KeyPlace,
  purpose: RotatedPurpose,
): OperatorFault {
  return new OperatorFault(
    `${directory}/${purpose}.json belongs to another server, not to ` +
      `this database (with it, ${HARMS[purpose]}): restore the one that ` +
      "belongs here, from the same backup as the database",
  );
}
