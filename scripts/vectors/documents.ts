/**
 * Vectors of signed and sealed documents.
 *
 * @module
 */
import { toBase64, toBase64Url, toHex, utf8 } from "../../src/core/bytes.ts";
import { portableBackend } from "../../src/crypto/hybrid_portable.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { signDirectory } from "../../src/client/directory.ts";
import { newWrappedFileKey } from "../../src/client/file_key.ts";
import { type GuestFile, sealGuestFile } from "../../src/client/guest.ts";
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
  sharedSecretOf,
  SIGNED_AT,
  USER_ID,
} from "./seeds.ts";

/** Metadata with every field there is, and what was written before some were. */
function metadataOf(hashOf: (name: string) => string) {
  const value: Metadata = {
    v: 1,
    kind: "file",
    name: "Größe 📷.jpg",
    mime: "image/jpeg",
    size: 200_000,
    sha256: sha256Hex(patternOf(200_000)),
    taken_at: "2026-09-30T16:03:11.000Z",
    taken_offset: 120,
    taken_source: "exif",
    modified_at: "2026-10-01T07:00:00.000Z",
    path: "2026/Sommer/Größe 📷.jpg",
    width: 4_000,
    height: 3_000,
    duration_ms: 2_900,
    place: { latitude: 53.5503, longitude: 9.992, altitude: 6.5 },
    camera: { make: "Maker", model: "Model 5", lens: "35mm f/1.8" },
    caption: "Am Hafen",
    favourite: true,
    hidden: false,
    thumbhash: patternOf(25),
    edited_of: DEVICE_ID,
    derivatives: [
      {
        hash: hashOf("thumbnail"),
        kind: "thumbnail",
        mime: "image/jpeg",
        width: 512,
        height: 384,
        part: 0,
        size: 40_000,
      },
      {
        hash: hashOf("preview"),
        kind: "preview",
        mime: "image/jpeg",
        width: 2_048,
        height: 1_536,
        part: 1,
      },
      { hash: hashOf("film"), kind: "motion", mime: "video/mp4", part: 2 },
      { hash: hashOf("xmp"), kind: "sidecar", mime: "text/xml", part: 3 },
    ],
  };
  const json = encodeMetadata(value);
  // An instant with an offset, and nothing of what came later.
  const old = {
    name: value.name,
    mime: value.mime,
    size: value.size,
    sha256: value.sha256,
    taken_at: "2026-09-30T18:03:11+02:00",
    width: 4_000,
    height: 3_000,
    derivatives: value.derivatives.slice(0, 1),
  };
  return {
    json: toBase64(json),
    value: JSON.parse(new TextDecoder().decode(json)),
    old_json: toBase64(utf8(JSON.stringify(old))),
  };
}

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
  const metadata = metadataOf(hashOf);
  const context = { albumId, amkEpoch: 0, member: USER_ID };
  const wrappedAmk = await sealAmk(
    AMK,
    await sealing.publicKey(),
    context,
    randomOf("amk coins"),
  );
  const roster = {
    album_id: albumId,
    owner: USER_ID,
    roster_version: 1,
    amk_epoch: 0,
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
    sealing_key: await sealing.publicKey(),
    devices: [device],
    signed_at: SIGNED_AT,
  });
  const guest: GuestFile = {
    v: 1,
    name: "gift.png",
    mime: "image/png",
    key: secretOf("guest key"),
    size: 70_000,
    sha256: sha256Hex(patternOf(70_000)),
    taken_at: "2026-09-30T16:03:11.000Z",
    modified_at: "2026-10-01T07:00:00.000Z",
    thumbnail: patternOf(100),
  };
  const guestSealed = sealGuestFile(
    guest,
    await sealing.publicKey(),
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
    metadata,
    wrapped_amk: {
      album_id: albumId,
      amk_epoch: 0,
      member: USER_ID,
      amk: toHex(AMK),
      sealed: toBase64(wrappedAmk),
      shared_secret: sharedSecretOf(wrappedAmk, sealing.secretKey),
    },
    roster: toBase64(await signRoster(signer, roster)),
    directory: { devices: [device], cbor: toBase64(directory) },
    guest: {
      opaque_id: OPAQUE_ID,
      json: {
        ...guest,
        key: toBase64Url(guest.key),
        thumbnail: toBase64(patternOf(100)),
      },
      sealed: toBase64(guestSealed),
      shared_secret: sharedSecretOf(guestSealed, sealing.secretKey),
    },
  };
}
