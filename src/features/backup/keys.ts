/**
 * The keys of a server, as a backup knows it by them.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { readReceipt } from "../../crypto/receipt.ts";
import type { PublishedKey } from "../../crypto/receipt_chain.ts";
import { hybridSignerFromSeed } from "../../crypto/succession.ts";
import type { Files } from "../../store/files/files.ts";
import {
  KEY_PURPOSES,
  requireKeyRing,
  type StoredKey,
} from "../../store/keys.ts";

/** The names of the key files of a backup, in their directory. */
export const KEY_FILES = KEY_PURPOSES.map((one) => `${one}.json` as const);

/**
 * The attestation keys of a directory of key files as a generation of its
 * database means them, oldest first; the others are read as well, for one that
 * cannot be is refused. A file may hold more: the key of a rotation that was
 * interrupted, or that came after this database.
 */
export async function readPublishedKeys(
  files: Files,
  directory: string,
  generation: number,
): Promise<PublishedKey[]> {
  for (const purpose of KEY_PURPOSES) {
    requireKeyRing(files, directory, purpose, generation);
  }
  return await publishedKeysOf(
    requireKeyRing(files, directory, "attestation", generation),
  );
}

/** Attestation keys as receipts are checked against them. */
export function publishedKeysOf(
  ring: readonly StoredKey[],
): Promise<PublishedKey[]> {
  return Promise.all(ring.map(async ({ seed, activeFrom, activeTo }) => {
    const { keyId, publicKey } = await hybridSignerFromSeed(seed);
    return { keyId, publicKey, activeFrom, activeTo: activeTo ?? null };
  }));
}

/** The key by which a server is known all its life: its first. */
export function identityOf(keys: readonly PublishedKey[]): string {
  const first = keys[0]?.keyId;
  if (first === undefined) throw new Error("no attestation key");
  return first;
}

/**
 * Refuses keys under which the newest receipt was not signed: they are another
 * server's, or older than it ({@link OperatorFault}).
 */
export function requireSigner(
  keys: readonly PublishedKey[],
  newest: Uint8Array | undefined,
  directory: string,
): void {
  if (newest === undefined) return;
  const { server_key_id: signer } = readReceipt(newest);
  if (keys.some(({ keyId }) => keyId === signer)) return;
  throw new OperatorFault(
    `${directory}/attestation.json is not the key file of this ` +
      "database, whose newest receipt was signed with another key: " +
      "restore the one that belongs here",
  );
}
