/**
 * Whose the key files are. The first key of a ring stays in its file for good,
 * so the database knows its own files by them.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import type { Db } from "../../store/database.ts";
import { keyGeneration } from "../../store/generation.ts";
import { requireOwnKeys } from "./belonging.ts";
import {
  accessKeysAt,
  attestationKeysAt,
  type KeyPlace,
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

async function lookAtKeys(
  db: Db,
  place: KeyPlace,
): Promise<{ readonly access: string; readonly attestation: string }> {
  const generation = await keyGeneration(db);
  const [access, attestation] = await Promise.all([
    accessKeysAt(place, generation),
    attestationKeysAt(place, generation),
  ]);
  await requireOwnKeys(db, attestation, place.directory);
  const first = {
    access: access[0]?.key.keyId ?? "",
    attestation: attestation[0]?.signer.keyId ?? "",
  };
  const [other] = await foreignPurposes(db, first);
  if (other !== undefined) throw foreign(place, other);
  return first;
}

/** The purposes whose first key, as it was found, is another server's. */
export async function foreignPurposes(
  db: Db,
  found: Readonly<Partial<Record<RotatedPurpose, string>>>,
): Promise<readonly RotatedPurpose[]> {
  const known = await readKeyIds(db);
  const own = {
    attestation: known.attestation_key_id,
    access: known.access_key_id,
  };
  return (["attestation", "access"] as const).filter((purpose) =>
    own[purpose] !== null && found[purpose] !== undefined &&
    own[purpose] !== found[purpose]
  );
}

/** What another server's key would do here. */
const HARMS: Readonly<Record<RotatedPurpose, string>> = {
  attestation: "no receipt that was given out would verify",
  access: "whoever has that one could sign in here as anybody",
};

function foreign(
  { directory }: KeyPlace,
  purpose: RotatedPurpose,
): OperatorFault {
  return new OperatorFault(
    `${directory}/${purpose}.json is another server's, and not the key file ` +
      `of this database (with it, ${HARMS[purpose]}): put back the one that ` +
      "belongs here, from the same backup as the database",
  );
}
