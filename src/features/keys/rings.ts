/**
 * Key rings as what signs and verifies.
 *
 * @module
 */
import { classicalKey, type OfficeKey } from "../../crypto/server_keys.ts";
import { hybridSignerFromSeed } from "../../crypto/succession.ts";
import type { Files } from "../../store/files/files.ts";
import { logKeyId } from "../../crypto/logs/log_key.ts";
import { noteSigner } from "../../crypto/logs/signed_note.ts";
import { requireKeyRing } from "../../store/keys.ts";
import type { AttestationKey, LogKey } from "../app.ts";

/** The keys that are rotated, by what they sign for. */
export const ROTATED = ["access", "attestation", "log"] as const;
/** One of {@link ROTATED}. */
export type RotatedPurpose = typeof ROTATED[number];

/** Where the key files are. */
export interface KeyPlace {
  readonly files: Files;
  /** Absolute path of the directory. */
  readonly directory: string;
}

/**
 * The keys that sign access and capability tokens, oldest first, as of a
 * generation. A file that is lost or no key file is a `StoreFault`.
 */
export function accessKeysAt(
  { files, directory }: KeyPlace,
  generation: number,
): Promise<OfficeKey[]> {
  const ring = requireKeyRing(files, directory, "access", generation);
  return Promise.all(ring.map(async ({ seed, activeFrom, activeTo }) => ({
    key: await classicalKey(seed),
    activeFrom,
    activeTo,
  })));
}

/**
 * The hybrid keys that sign receipts, likewise; behind 64 byte seeds: Ed25519's
 * half, then ML-DSA's.
 */
export function attestationKeysAt(
  { files, directory }: KeyPlace,
  generation: number,
): Promise<AttestationKey[]> {
  const ring = requireKeyRing(files, directory, "attestation", generation);
  return Promise.all(ring.map(async ({ seed, ...key }) => ({
    signer: await hybridSignerFromSeed(seed),
    activeFrom: key.activeFrom,
    activeTo: key.activeTo,
    succession: key.succession,
  })));
}

/** The keys that sign the public logs, likewise. */
export function logKeysAt(
  { files, directory }: KeyPlace,
  generation: number,
): Promise<LogKey[]> {
  const ring = requireKeyRing(files, directory, "log", generation);
  return Promise.all(ring.map(async ({ seed, ...key }) => {
    const signer = await noteSigner(seed);
    return {
      signer,
      keyId: logKeyId(signer.publicKey),
      activeFrom: key.activeFrom,
      activeTo: key.activeTo,
      succession: key.succession,
    };
  }));
}
