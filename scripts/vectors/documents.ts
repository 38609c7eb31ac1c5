/**
 * Vectors of signed and sealed documents.
 *
 * @module
 */
import { toBase64, toBase64Url, toHex } from "../../src/core/bytes.ts";
import { portableBackend } from "../../src/crypto/hybrid_portable.ts";
import { sha256, sha256Hex } from "../../src/crypto/sha256.ts";
import { signAlbumRemark } from "../../src/client/documents/album_remark.ts";
import { signDirectory } from "../../src/client/documents/directory.ts";
import { newWrappedFileKey } from "../../src/client/documents/file_key.ts";
import {
  guestBinding,
  type GuestFile,
  remarkId,
  sealGuestFile,
} from "../../src/client/documents/guest.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import {
  type ManifestEnvelope,
  signManifest,
} from "../../src/client/documents/manifest.ts";
import {
  encodeMetadata,
  type Metadata,
  type RemarkGuest,
} from "../../src/client/documents/metadata.ts";
import {
  amkCommitment,
  sealAmk,
  signRoster,
} from "../../src/client/documents/roster.ts";
import { wrapGate } from "../../src/client/documents/upload_link.ts";
import {
  AMK,
  DEVICE_ID,
  FILE_ID,
  LINK_COST,
  MASTER_KEY,
  OPAQUE_ID,
  patternOf,
  randomOf,
  secretOf,
  SERVER_ID,
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
        key: secretOf("thumbnail key"),
        size: 40_000,
      },
      {
        hash: hashOf("preview"),
        kind: "preview",
        mime: "image/jpeg",
        width: 2_048,
        height: 1_536,
        key: secretOf("preview key"),
      },
      {
        hash: hashOf("film"),
        kind: "motion",
        mime: "video/mp4",
        name: "IMG_0001.MP4",
        taken_at: "2024-06-30T10:00:01Z",
        key: secretOf("film key"),
      },
      {
        hash: hashOf("xmp"),
        kind: "sidecar",
        mime: "text/xml",
        key: secretOf("xmp key"),
      },
    ],
  };
  const json = encodeMetadata(value);
  return {
    json: toBase64(json),
    value: JSON.parse(new TextDecoder().decode(json)),
  };
}

/** The metadata of a comment, a member's own or a guest's. */
function commentOf(guest?: RemarkGuest) {
  const remark = {
    on: DEVICE_ID,
    of: sha256Hex(patternOf(200_000)),
    at: "2026-10-02T08:15:00Z",
    text: "Wie schön! 📷",
    ...(guest === undefined ? {} : { guest }),
  };
  const original = new TextEncoder().encode(JSON.stringify(remark));
  const json = encodeMetadata({
    kind: "comment",
    name: "comment.json",
    mime: "application/json",
    size: original.length,
    sha256: sha256Hex(original),
    derived: true,
    revision: 0,
    remark,
    derivatives: [],
  });
  return {
    json: toBase64(json),
    value: JSON.parse(new TextDecoder().decode(json)),
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
    amk_commitment: amkCommitment(AMK, context),
    members: [{
      member: USER_ID,
      role: "contributor" as const,
      wrapped_amk: wrappedAmk,
      sealed_to: sha256(await sealing.publicKey()),
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
    user_id: USER_ID,
    server_id: SERVER_ID,
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
    guestBinding(OPAQUE_ID),
    randomOf("guest coins"),
  );
  const gate = identity.uploadLinkGate(OPAQUE_ID);
  const gatedSealed = sealGuestFile(
    guest,
    await sealing.publicKey(),
    guestBinding(OPAQUE_ID, gate),
    randomOf("gated guest coins"),
  );
  const token = toHex(secretOf("remark token").subarray(0, 16));
  const saying: GuestFile = {
    v: 1,
    name: "remark",
    mime: "application/octet-stream",
    key: secretOf("remark key"),
    from: "Grandma",
    remark: {
      id: remarkId(token),
      on: toHex(secretOf("original")),
      at: SIGNED_AT,
      text: "Schön!",
    },
  };
  const said = sealGuestFile(
    saying,
    await sealing.publicKey(),
    guestBinding(OPAQUE_ID, gate),
    randomOf("remark coins"),
  );
  const takingBack: GuestFile = {
    v: 1,
    name: "remark",
    mime: "application/octet-stream",
    key: secretOf("key of what takes back"),
    takes_back: token,
  };
  const takenBack = sealGuestFile(
    takingBack,
    await sealing.publicKey(),
    guestBinding(OPAQUE_ID, gate),
    randomOf("coins of what takes back"),
  );
  const albumRemark = {
    album_id: albumId,
    author: USER_ID,
    id: remarkId(token),
    on: FILE_ID,
    of: toHex(secretOf("original")),
    text: "Schön!",
    at: SIGNED_AT,
  };
  const gatePassphrase = "two warm stones";
  return {
    identity_key: toBase64(signer.publicKey),
    sealing_secret: toHex(sealing.secretKey),
    manifests: [
      { envelope: create, revision: 0, cbor: toBase64(created) },
      {
        envelope: replace,
        revision: 1,
        sealed_key: toHex(sealedKey),
        cbor: toBase64(await signManifest(signer, replace, sealedKey, 1)),
      },
    ],
    metadata,
    comment: commentOf(),
    guest_comment: commentOf({
      name: "Grandma",
      link: OPAQUE_ID,
      id: remarkId(token),
    }),
    album_remark: {
      value: albumRemark,
      cbor: toBase64(await signAlbumRemark(signer, albumRemark)),
    },
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
      said: {
        token,
        json: { ...saying, key: toBase64Url(saying.key) },
        sealed: toBase64(said),
      },
      taken_back: {
        json: { ...takingBack, key: toBase64Url(takingBack.key) },
        sealed: toBase64(takenBack),
      },
      gated: {
        passphrase: gatePassphrase,
        wrapped_secret: toBase64(
          await wrapGate(
            gatePassphrase,
            { opaqueId: OPAQUE_ID, gate },
            randomOf("gate box"),
            { cost: LINK_COST },
          ),
        ),
        gate: toHex(gate),
        sealed: toBase64(gatedSealed),
        shared_secret: sharedSecretOf(gatedSealed, sealing.secretKey),
      },
    },
  };
}
