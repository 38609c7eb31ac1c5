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
import { accessKeysAt, attestationKeysAt, type KeyPlace } from "./rings.ts";
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
  const known = await readKeyIds(db);
  if (isOther(known.attestation_key_id, first.attestation)) {
    throw foreign(
      place,
      "attestation",
      "no receipt that was given out would verify",
    );
  }
  if (isOther(known.access_key_id, first.access)) {
    throw foreign(
      place,
      "access",
      "whoever has that one could sign in here as anybody",
    );
  }
  return first;
}

function isOther(known: string | null, found: string): boolean {
  return known !== null && known !== found;
}

function foreign(
  { directory }: KeyPlace,
  purpose: string,
  why: string,
): OperatorFault {
  return new OperatorFault(
    `${directory}/${purpose}.json is another server's, and not the key file ` +
      `of this database (with it, ${why}): put back the one that belongs here, ` +
      "from the same backup as the database",
  );
}
