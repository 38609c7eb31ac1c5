/**
 * Vectors of signed and sealed documents.
 *
 * @module
 */
import { toBase64, toHex } from "../../src/core/bytes.ts";
import { portableBackend } from "../../src/crypto/hybrid.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { signDirectory } from "../../src/client/directory.ts";
import { newWrappedFileKey } from "../../src/client/file_key.ts";
import { sealGuestFile } from "../../src/client/guest.ts";
import { openIdentity } from "../../src/client/identity.ts";
import {
  type ManifestEnvelope,
  signManifest,
} from "../../src/client/manifest.ts";
import { encodeMetadata, type Metadata } from "../../src/client/metadata.ts";
import { sealAmk, signRoster } from "../../src/client/roster.ts";
import {
  AMK,
  DEVICE_ID,
  FILE_ID,
  MASTER_KEY,
  OPAQUE_ID,
  patternOf,
  randomOf,
  secretOf,
  SIGNED_AT,
  USER_ID,
} from "./seeds.ts";

/** Manifest, metadata, roster, directory, sealed keys. */
export async function documentVectors() {
  const identity = await openIdentity(MASTER_KEY, undefined, portableBackend);
  const { signer, sealing } = identity;
  const albumId = identity.albumId(0);
  const hashOf = (name: string) => toHex(secretOf(name));

  const create: ManifestEnvelope = {
    crypto_suite_id: 1,
    protocol_version: "2026-10-01",
    album_id: albumId,
    file_id: FILE_ID,
    amk_version: 1,
    ciphertext_hash: hashOf("original"),
    plaintext_size: 200_000,
    chunk_size: 65_536,
    key_mode: "derived",
    metadata_blob_hash: hashOf("metadata"),
    original_blob_hash: hashOf("original"),
    created_by_user: USER_ID,
    created_by_device: DEVICE_ID,
    client_version: "strongroom-client/1",
    timestamp: SIGNED_AT,
    action: "create",
  };
  const { sealedKey } = newWrappedFileKey(
    AMK,
    FILE_ID,
    randomOf("wrapped key"),
  );
  const created = await signManifest(signer, create);
  const replace: ManifestEnvelope = {
    ...create,
    key_mode: "wrapped",
    action: "replace",
    prior_provenance_hash: sha256Hex(created),
    retention_until: "2027-01-01T00:00:00Z",
  };
  const metadata: Metadata = {
    name: "Größe 📷.jpg",
    mime: "image/jpeg",
    size: 200_000,
    sha256: sha256Hex(patternOf(200_000)),
    taken_at: "2026-09-30T18:03:11+02:00",
    width: 4_000,
    height: 3_000,
    derivatives: [{
      hash: hashOf("thumbnail"),
      kind: "thumbnail",
      mime: "image/webp",
      width: 320,
      height: 240,
      part: 0,
    }],
  };
  const context = { albumId, amkEpoch: 1, member: USER_ID };
  const wrappedAmk = sealAmk(
    AMK,
    sealing.publicKey,
    context,
    randomOf("amk coins"),
  );
  const roster = {
    album_id: albumId,
    owner: USER_ID,
    roster_version: 1,
    amk_epoch: 1,
    members: [{
      member: USER_ID,
      role: "contributor" as const,
      wrapped_amk: wrappedAmk,
    }],
    signed_at: SIGNED_AT,
  };
  const device = {
    device_id: DEVICE_ID,
    name: "Laptop",
    platform: "linux",
    added_at: SIGNED_AT,
  } as const;
  const directory = await signDirectory(signer, {
    directory_version: 1,
    sealing_key: sealing.publicKey,
    devices: [device],
    signed_at: SIGNED_AT,
  });
  const guest = {
    v: 1,
    name: "gift.png",
    mime: "image/png",
    key: secretOf("guest key"),
  } as const;
  const guestSealed = sealGuestFile(
    guest,
    sealing.publicKey,
    OPAQUE_ID,
    randomOf("guest coins"),
  );
  return {
    identity_key: toBase64(signer.publicKey),
    sealing_secret: toHex(sealing.secretKey),
    manifests: [
      { envelope: create, cbor: toBase64(created) },
      {
        envelope: replace,
        sealed_key: toHex(sealedKey),
        cbor: toBase64(await signManifest(signer, replace, sealedKey)),
      },
    ],
    metadata: { value: metadata, json: toBase64(encodeMetadata(metadata)) },
    wrapped_amk: {
      album_id: albumId,
      amk_epoch: 1,
      member: USER_ID,
      amk: toHex(AMK),
      sealed: toBase64(wrappedAmk),
    },
    roster: toBase64(await signRoster(signer, roster)),
    directory: { devices: [device], cbor: toBase64(directory) },
    guest: {
      opaque_id: OPAQUE_ID,
      name: guest.name,
      mime: guest.mime,
      key: toHex(guest.key),
      sealed: toBase64(guestSealed),
    },
  };
}
