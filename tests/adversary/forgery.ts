/**
 * What a server can sign and seal by itself: identities that it invented,
 * rosters of theirs with album keys of theirs, and manifests of a member who
 * works with it.
 *
 * @module
 */
import { toBase64, utf8 } from "../../src/core/bytes.ts";
import { sealHistory } from "../../src/client/documents/album_keys.ts";
import { signDirectory } from "../../src/client/documents/directory.ts";
import {
  derivedFileKey,
  metadataKey,
} from "../../src/client/documents/file_key.ts";
import {
  type Identity,
  openIdentity,
} from "../../src/client/documents/identity.ts";
import type { Vault } from "../../src/library/mod.ts";
import {
  manifestHash,
  signManifest,
} from "../../src/client/documents/manifest.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import {
  amkCommitment,
  sealMember,
  signRoster,
} from "../../src/client/documents/roster.ts";
import { encryptBytes } from "../../src/client/stream/stream.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { ORIGIN, PROTOCOL, seededRandom } from "../support/app.ts";
import { uuidOf } from "../support/people.ts";

const SIGNED_AT = "2026-11-21T12:00:00Z";

/** A person whom the server invented. */
export interface Invented {
  readonly userId: string;
  readonly identity: Identity;
  readonly directory: Uint8Array<ArrayBuffer>;
  /** `X-Service-Identity-Key` of the directory. */
  readonly key: string;
}

/** Makes up a person. */
export async function invent(name: string): Promise<Invented> {
  const random = seededRandom(`invented ${name}`);
  const identity = await openIdentity(new Uint8Array(random(32)));
  return {
    userId: uuidOf(`invented ${name}`),
    identity,
    key: toBase64(identity.signer.publicKey),
    directory: await signDirectory(identity.signer, {
      user_id: uuidOf(`invented ${name}`),
      server_id: ORIGIN,
      directory_version: 9,
      sealing_key: await identity.sealing.publicKey(),
      devices: [],
      signed_at: SIGNED_AT,
    }),
  };
}

/** A roster that an invented person signs, with a key that they know. */
export async function forgeRoster(
  by: Invented,
  of: {
    readonly albumId: string;
    readonly owner: string;
    readonly version: number;
    readonly epoch: number;
    readonly amk: Uint8Array;
    /** Who is to believe it, and the keys to seal to. */
    readonly members: ReadonlyMap<string, Uint8Array>;
  },
): Promise<Uint8Array<ArrayBuffer>> {
  const random = seededRandom(`roster ${of.albumId} ${of.version}`);
  const { albumId, epoch: amkEpoch, amk } = of;
  return await signRoster(by.identity.signer, {
    album_id: albumId,
    owner: of.owner,
    roster_version: of.version,
    amk_epoch: amkEpoch,
    amk_commitment: amkCommitment(amk, { albumId, amkEpoch }),
    members: await Promise.all(
      [...of.members].map(([member, key]) =>
        sealMember(
          amk,
          key,
          { albumId, amkEpoch, member, role: "contributor" },
          random,
        )
      ),
    ),
    ...(amkEpoch === 0 ? {} : {
      sealed_history: sealHistory(
        amk,
        { albumId, amkEpoch },
        new Map([[0, amk]]),
        random,
        nativePrimitives,
      ),
    }),
    signed_at: SIGNED_AT,
  });
}

/** A photo that a member made with an album's key, and never uploaded. */
export interface ForgedAsset {
  /** As `queryAssets` answers it. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly assetId: string;
  readonly blobs: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** Metadata that a member may write, and no reader must stumble over. */
export const MALICIOUS_ABOUT: readonly Readonly<Record<string, unknown>>[] = [
  { taken_at: "2016-12-31T23:59:60Z" },
  { taken_at: "9999-12-31T23:59:60Z", taken_offset: 1_440 },
  { modified_at: "0000-01-01T00:00:60Z" },
  { mime: "image/\uffff\u0000" },
  { name: "-rf \u202e\u009b31m" },
  { size: Number.MAX_SAFE_INTEGER, width: 1e9, height: 1e9 },
  { duration_ms: 1e300 },
  { path: "../".repeat(300) },
  { thumbhash: "AAAA" },
  { derivatives: [{ hash: "00", kind: "thumbnail", mime: "x/y", key: "" }] },
  { v: 99 },
  { place: { latitude: 1e9, longitude: "north" } },
];

/** Makes a photo that looks as if the server had taken it. */
export async function forgeAsset(
  by: Vault,
  of: {
    readonly albumId: string;
    readonly epoch: number;
    readonly amk: Uint8Array;
    readonly name: string;
    readonly seq: number;
    /** Further fields of its metadata, whatever they are. */
    readonly about?: Readonly<Record<string, unknown>>;
    /** What it says its metadata's size is, for bytes that are not shown. */
    readonly statedSize?: number;
  },
): Promise<ForgedAsset> {
  const { userId, device } = by.session;
  const random = seededRandom(`forged ${of.name}`);
  const assetId = uuidOf(`forged ${of.albumId} ${of.name}`);
  const fileKey = derivedFileKey(of.amk, assetId, nativePrimitives);
  const bytes = new Uint8Array(100);
  const original = await encryptBytes(
    { fileKey, primitives: nativePrimitives },
    random(16),
    bytes,
  );
  const metadata = await encryptBytes(
    {
      fileKey: metadataKey(of.amk, assetId, nativePrimitives),
      primitives: nativePrimitives,
    },
    random(16),
    utf8(JSON.stringify({
      name: of.name,
      mime: "image/jpeg",
      size: bytes.length,
      sha256: sha256Hex(bytes),
      derivatives: [],
      ...of.about,
    })),
  );
  const manifest = await signManifest(by.identity.signer, {
    crypto_suite_id: 1,
    protocol_version: PROTOCOL,
    album_id: of.albumId,
    file_id: assetId,
    amk_version: of.epoch,
    ciphertext_hash: sha256Hex(original),
    original_blob_hash: sha256Hex(original),
    metadata_blob_hash: sha256Hex(metadata),
    plaintext_size: bytes.length,
    chunk_size: 65_536,
    key_mode: "derived",
    created_by_user: userId,
    created_by_device: device.device_id,
    client_version: "test/1",
    timestamp: SIGNED_AT,
    action: "create",
  });
  const head = manifestHash(manifest);
  const blobs = [
    { role: "original", bytes: original },
    { role: "metadata", bytes: metadata },
    { role: "provenance", bytes: manifest },
  ];
  return {
    assetId,
    blobs: new Map(blobs.map(({ bytes }) => [sha256Hex(bytes), bytes])),
    json: {
      asset_id: assetId,
      album_id: of.albumId,
      owner: userId,
      state: "live",
      chain_head: head,
      sync_seq: of.seq,
      blobs: blobs.map(({ role, bytes }) => ({
        hash: sha256Hex(bytes),
        role,
        size: role === "metadata"
          ? of.statedSize ?? bytes.length
          : bytes.length,
      })),
      created_at: SIGNED_AT,
      updated_at: SIGNED_AT,
      ...(of.statedSize === undefined ? { metadata: toBase64(metadata) } : {}),
      provenance: toBase64(manifest),
    },
  };
}
