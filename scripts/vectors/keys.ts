/**
 * Vectors of keys, signatures and blobs.
 *
 * @module
 */
import { toBase64, toHex, utf8 } from "../../src/core/bytes.ts";
import { signEnvelope } from "../../src/crypto/envelope.ts";
import { hybridSignerFromSeeds } from "../../src/crypto/hybrid.ts";
import { portableBackend } from "../../src/crypto/hybrid_portable.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import {
  albumSealKey,
  derivedFileKey,
  metadataKey,
  newWrappedFileKey,
} from "../../src/client/documents/file_key.ts";
import {
  deriveIdentitySeeds,
  openIdentity,
} from "../../src/client/documents/identity.ts";
import { encryptBytes } from "../../src/client/stream/stream.ts";
import {
  buildUploadLink,
  recipientFingerprint,
} from "../../src/client/documents/upload_link.ts";
import {
  AMK,
  FILE_ID,
  MASTER_KEY,
  OPAQUE_ID,
  patternOf,
  randomOf,
  secretOf,
  SERVER_ID,
} from "./seeds.ts";

/** Key, signature and envelope (protocol/signed-things.md). */
export async function hybridVectors() {
  const seeds = { ed25519: secretOf("ed25519"), mlDsa65: secretOf("ml-dsa") };
  const signer = await hybridSignerFromSeeds(seeds, portableBackend);
  const payload = utf8("the payload");
  const domain = "service-test/v1";
  return {
    ed25519_seed: toHex(seeds.ed25519),
    ml_dsa_65_seed: toHex(seeds.mlDsa65),
    public_key: toBase64(signer.publicKey),
    key_id: signer.keyId,
    domain,
    payload: toHex(payload),
    signature: toBase64(await signer.sign(domain, payload)),
    envelope: {
      payload: { type: domain, note: "grüße", n: 7 },
      cbor: toBase64(
        await signEnvelope(signer, { type: domain, note: "grüße", n: 7 }),
      ),
    },
  };
}

/** What a master key gives. */
export async function identityVectors() {
  const seeds = deriveIdentitySeeds(MASTER_KEY);
  const identity = await openIdentity(MASTER_KEY, undefined, portableBackend);
  return {
    master_key: toHex(MASTER_KEY),
    ed25519_seed: toHex(seeds.ed25519),
    ml_dsa_65_seed: toHex(seeds.mlDsa65),
    x_wing_seed: toHex(seeds.xWing),
    key_id: identity.signer.keyId,
    sealing_key: toBase64(await identity.sealing.publicKey()),
    library_key: toHex(identity.libraryKey),
    state_keys: ["library", "a-1"].map((slot) => ({
      slot,
      key: toHex(identity.stateKey(slot)),
    })),
    upload_link: {
      opaque_id: OPAQUE_ID,
      seed: toHex(identity.uploadLinkKeys(OPAQUE_ID).secretKey),
      recipient_key: toBase64(
        await identity.uploadLinkKeys(OPAQUE_ID).publicKey(),
      ),
      gate: toHex(identity.uploadLinkGate(OPAQUE_ID)),
      fingerprint: toHex(
        recipientFingerprint(
          await identity.uploadLinkKeys(OPAQUE_ID).publicKey(),
        ),
      ),
      link: buildUploadLink({
        origin: SERVER_ID,
        opaqueId: OPAQUE_ID,
        fingerprint: recipientFingerprint(
          await identity.uploadLinkKeys(OPAQUE_ID).publicKey(),
        ),
      }),
      both_ways: buildUploadLink({
        origin: SERVER_ID,
        opaqueId: OPAQUE_ID,
        fingerprint: recipientFingerprint(
          await identity.uploadLinkKeys(OPAQUE_ID).publicKey(),
        ),
        gate: identity.uploadLinkGate(OPAQUE_ID),
      }),
    },
    album_ids: [0, 1, 255].map((index) => ({
      index,
      album_id: identity.albumId(index),
    })),
  };
}

/** Blobs around every boundary of a chunk. */
export async function streamVectors() {
  const fileKey = secretOf("file key");
  const salt = randomOf("stream salt")(16);
  const shapes: [chunkSize: number, sizes: number[]][] = [
    [4_096, [0, 1, 4_095, 4_096, 4_097, 8_192, 10_000]],
    [65_536, [0, 1, 65_535, 65_536, 65_537, 200_000]],
    [1_048_576, [1_048_577]],
  ];
  const cases = [];
  for (const [chunkSize, sizes] of shapes) {
    for (const size of sizes) {
      const key = { fileKey, chunkSize };
      const blob = await encryptBytes(key, salt, patternOf(size));
      cases.push({
        chunk_size: chunkSize,
        plaintext_size: size,
        ciphertext_size: blob.length,
        ciphertext_sha256: sha256Hex(blob),
        ...(blob.length <= 256 ? { ciphertext: toHex(blob) } : {}),
      });
    }
  }
  return { file_key: toHex(fileKey), salt: toHex(salt), cases };
}

/** Keys that come from an album's key. */
export function fileKeyVectors() {
  const derived = derivedFileKey(AMK, FILE_ID);
  const wrapped = newWrappedFileKey(AMK, FILE_ID, randomOf("wrapped key"));
  return {
    amk: toHex(AMK),
    file_id: FILE_ID,
    derived: toHex(derived),
    wrapped: {
      file_key: toHex(wrapped.fileKey),
      sealed_key: toHex(wrapped.sealedKey),
    },
    metadata: toHex(metadataKey(AMK, FILE_ID)),
    seal: toHex(albumSealKey(AMK)),
  };
}
