/**
 * Key rings as what signs and verifies.
 *
 * @module
 */
import { classicalKey, type OfficeKey } from "../../crypto/server_keys.ts";
import { hybridSignerFromSeeds } from "../../crypto/hybrid.ts";
import { StoreFault } from "../../store/database.ts";
import type { Files } from "../../store/files.ts";
import {
  type KeyPurpose,
  readKeyRing,
  type StoredKey,
} from "../../store/keys.ts";
import type { AttestationKey } from "../app.ts";

/** Where the key files are. */
export interface KeyPlace {
  readonly files: Files;
  /** Absolute path of the directory. */
  readonly directory: string;
}

/** A ring as of a generation; a {@link StoreFault} where there is no file. */
export function ringAt(
  { files, directory }: KeyPlace,
  purpose: KeyPurpose,
  generation: number,
): readonly StoredKey[] {
  const ring = readKeyRing(files, directory, purpose, generation);
  if (ring !== undefined) return ring;
  throw new StoreFault(
    `${directory}/${purpose}.json is not there: put it back from a backup`,
  );
}

/** The keys that sign access and capability tokens, oldest first. */
export function accessKeysAt(
  place: KeyPlace,
  generation: number,
): Promise<OfficeKey[]> {
  return Promise.all(
    ringAt(place, "access", generation).map(async (stored) => ({
      key: await classicalKey(stored.seed),
      activeFrom: stored.activeFrom,
      activeTo: stored.activeTo,
    })),
  );
}

/**
 * The hybrid keys that sign receipts, oldest first; behind 64 byte seeds:
 * Ed25519's half, then ML-DSA's.
 */
export function attestationKeysAt(
  place: KeyPlace,
  generation: number,
): Promise<AttestationKey[]> {
  const ring = ringAt(place, "attestation", generation);
  return Promise.all(ring.map(async ({ seed, activeFrom, activeTo }) => ({
    signer: await hybridSignerFromSeeds({
      ed25519: seed.subarray(0, 32),
      mlDsa65: seed.subarray(32),
    }),
    activeFrom,
    activeTo,
  })));
}
