/**
 * The owner's side: an account with its identity, and files that leave this
 * process encrypted only (protocol/client-cryptography.md).
 *
 * @module
 */
import { basename } from "node:path";
import { toBase64Url } from "../../src/core/bytes.ts";
import { uuidV4 } from "../../src/core/ids.ts";
import { PROTOCOL_MAX } from "../../src/core/protocol.ts";
import { toRfc3339 } from "../../src/core/time.ts";
import type { Account, Client } from "../../src/client/api/api.ts";
import { signDirectory } from "../../src/client/documents/directory.ts";
import {
  derivedFileKey,
  metadataKey,
  wrapFileKey,
} from "../../src/client/documents/file_key.ts";
import {
  type Identity,
  openIdentity,
} from "../../src/client/documents/identity.ts";
import {
  type ManifestEnvelope,
  signManifest,
} from "../../src/client/documents/manifest.ts";
import {
  encodeMetadata,
  type Metadata,
  SHARE_INDEX_KIND,
} from "../../src/client/documents/metadata.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import {
  buildShareLink,
  encodeShareIndex,
  newShare,
  type ShareIndex,
  shareIndexHashes,
} from "../../src/client/documents/share.ts";
import { encryptBytes, SALT_BYTES } from "../../src/client/stream/stream.ts";
import {
  CRYPTO_SUITE_ID,
  DEFAULT_CHUNK_SIZE,
  KEY_BYTES,
} from "../../src/client/documents/suite.ts";
import { sourceOf, uploadBlob } from "../../src/client/api/upload.ts";
import type { BlobRole } from "../../src/crypto/receipt.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import type { CustodyRecord } from "./custody.ts";
import type { SourceFile, Thumbnail } from "./folder.ts";
import {
  randomBytes,
  type Staged,
  stageEncrypted,
  withStagingFile,
} from "./staging.ts";

/** A person with an account, an album and its key. */
export interface Owner {
  readonly account: Account;
  readonly identity: Identity;
  readonly deviceId: string;
  readonly albumId: string;
  /** The album's key; it never leaves this process. */
  readonly amk: Uint8Array;
}

/** A file that the server keeps. */
interface Kept {
  readonly item: ShareIndex["items"][number];
  /** Receipt numbers, in order. */
  readonly receiptSeqs: readonly number[];
}

/** Makes an account, publishes its directory and provisions an album. */
export async function becomeOwner(client: Client): Promise<Owner> {
  const identity = await openIdentity(randomBytes(32), nativePrimitives);
  const account = await client.register(
    `demo-${toBase64Url(randomBytes(6))}@example.org`,
    toBase64Url(randomBytes(24)),
  );
  const deviceId = uuidV4(randomBytes);
  const now = toRfc3339(Date.now());
  const directory = await signDirectory(identity.signer, {
    user_id: account.userId,
    server_id: (await client.serverInfo()).server_id,
    directory_version: 1,
    sealing_key: await identity.sealing.publicKey(),
    devices: [{
      device_id: deviceId,
      name: "demo",
      platform: platformOf(Deno.build.os),
      added_at: now,
    }],
    signed_at: now,
  });
  await account.publishDirectory(directory, identity.signer.publicKey);
  const albumId = identity.albumId(0);
  await account.provisionAlbum(albumId);
  return { account, identity, deviceId, albumId, amk: randomBytes(32) };
}

function platformOf(os: typeof Deno.build.os) {
  return os === "windows" ? "windows" : os === "darwin" ? "macos" : "linux";
}

/** What storing one asset reports to and leaves behind. */
interface Storing {
  /** Encrypted files wait here for their upload, one at a time. */
  readonly stagingDir: string;
  readonly custody: CustodyRecord;
  /** Told of each byte twice: encrypted, then held by the server. */
  readonly onProgress: (what: string, doneBytes: number) => void;
}

/**
 * Stores a file as an asset: the original, its thumbnail, the metadata, and the
 * signed manifest that brings it to life.
 */
export async function keepFile(
  owner: Owner,
  file: SourceFile,
  storing: Storing,
): Promise<Kept> {
  const asset = newAsset(owner);
  const fileKey = derivedFileKey(owner.amk, asset.fileId, nativePrimitives);
  const original = await sendFile(asset, "original", file, fileKey, storing);
  const { thumbnail } = file;
  const thumbnailKey = randomBytes(KEY_BYTES);
  const derivative = thumbnail === undefined ? undefined : await sendFile(
    asset,
    "derivative",
    thumbnail,
    thumbnailKey,
    {
      ...storing,
      onProgress: (what, done) =>
        storing.onProgress(what, 2 * original.plaintextSize + done),
    },
    original,
  );
  await finish(asset, storing, original, {
    metadata: {
      name: file.name,
      mime: file.mime,
      size: original.plaintextSize,
      sha256: original.plaintextHash,
      ...file.extent,
      derivatives: thumbnail === undefined || derivative === undefined ? [] : [{
        ...describe(thumbnail, derivative),
        kind: "thumbnail",
        key: thumbnailKey,
      }],
    },
  });
  return {
    item: {
      name: file.name,
      mime: file.mime,
      size: original.plaintextSize,
      hash: original.hash,
      key: fileKey,
      chunk_size: DEFAULT_CHUNK_SIZE,
      ...(thumbnail === undefined || derivative === undefined ? {} : {
        thumbnail: { ...describe(thumbnail, derivative), key: thumbnailKey },
      }),
    },
    receiptSeqs: asset.receiptSeqs,
  };
}

/** The id and the secret of a link, and the box of one with a passphrase. */
interface GivenShare {
  readonly opaqueId: string;
  readonly secret: Uint8Array;
  readonly wrappedSecret?: Uint8Array;
}

/** The link to everything kept: its index is an asset of its own. */
export async function shareAll(
  owner: Owner,
  origin: string,
  index: ShareIndex,
  storing: Storing,
  plaintext = encodeShareIndex(index),
  given: GivenShare = newShare(randomBytes),
): Promise<{ link: string; receiptSeqs: readonly number[] }> {
  const { opaqueId, secret, wrappedSecret } = given;
  const asset: Asset = { ...newAsset(owner), isInAlbum: false };
  const blob = await sealed(secret, plaintext);
  const original = {
    hash: sha256Hex(blob),
    size: blob.length,
    plaintextSize: plaintext.length,
    plaintextHash: sha256Hex(plaintext),
  };
  await sendBytes(
    asset,
    "original",
    blob,
    storing,
    envelopeOf(asset, original),
  );
  await finish(asset, storing, original, {
    // The link's secret is the index's file key; under the library key it
    // stays within the owner's reach.
    sealedKey: wrapFileKey(
      owner.identity.libraryKey,
      asset.fileId,
      secret,
      randomBytes,
      nativePrimitives,
    ),
    metadata: {
      kind: SHARE_INDEX_KIND,
      name: "share-index.json",
      mime: "application/json",
      size: plaintext.length,
      sha256: original.plaintextHash,
      link: opaqueId,
      derivatives: [],
    },
  });
  await owner.account.issueShare({
    opaqueId,
    metadataHash: original.hash,
    serves: [...new Set([original.hash, ...shareIndexHashes(index)])],
    ...(wrappedSecret === undefined ? {} : { wrappedSecret }),
  });
  const link = buildShareLink({ origin, opaqueId, secret });
  return { link, receiptSeqs: asset.receiptSeqs };
}

/** An asset while it is being stored. */
interface Asset {
  readonly owner: Owner;
  readonly fileId: string;
  readonly isInAlbum: boolean;
  readonly receiptSeqs: number[];
}

function newAsset(owner: Owner): Asset {
  const fileId = uuidV4(randomBytes);
  return { owner, fileId, isInAlbum: true, receiptSeqs: [] };
}

function describe({ mime, extent }: Thumbnail, { hash }: Staged) {
  return { hash, mime, ...extent };
}

/** Metadata, then the manifest that names everything. */
async function finish(
  asset: Asset,
  storing: Storing,
  original: Staged,
  given: {
    readonly sealedKey?: Uint8Array;
    readonly metadata: Metadata;
  },
): Promise<void> {
  const { sealedKey, metadata } = given;
  const { owner } = asset;
  const amk = asset.isInAlbum ? owner.amk : owner.identity.libraryKey;
  const metadataBlob = await sealed(
    metadataKey(amk, asset.fileId, nativePrimitives),
    encodeMetadata(metadata),
  );
  const envelope = envelopeOf(asset, original, {
    metadata_blob_hash: sha256Hex(metadataBlob),
    key_mode: sealedKey === undefined ? "derived" : "wrapped",
  });
  await sendBytes(asset, "metadata", metadataBlob, storing, envelope);
  const { signer } = asset.owner.identity;
  const manifest = await signManifest(signer, envelope, sealedKey);
  await sendBytes(asset, "provenance", manifest, storing, envelope);
}

function envelopeOf(
  { owner, fileId, isInAlbum }: Asset,
  original: Staged,
  more: Partial<ManifestEnvelope> = {},
): ManifestEnvelope {
  return {
    crypto_suite_id: CRYPTO_SUITE_ID,
    protocol_version: PROTOCOL_MAX,
    ...(isInAlbum ? { album_id: owner.albumId } : {}),
    file_id: fileId,
    amk_version: 0,
    ciphertext_hash: original.hash,
    original_blob_hash: original.hash,
    plaintext_size: original.plaintextSize,
    chunk_size: DEFAULT_CHUNK_SIZE,
    key_mode: "derived",
    created_by_user: owner.account.userId,
    created_by_device: owner.deviceId,
    client_version: "strongroom-demo/1",
    timestamp: toRfc3339(Date.now()),
    action: "create",
    ...more,
  };
}

async function sendFile(
  asset: Asset,
  role: BlobRole,
  file: SourceFile | Thumbnail,
  fileKey: Uint8Array,
  storing: Storing,
  committed?: Staged,
): Promise<Staged> {
  return await withStagingFile(storing.stagingDir, async (staging) => {
    const key = { fileKey, primitives: nativePrimitives };
    const tell = (verb: string) => (bytes: number) =>
      storing.onProgress(`${verb} ${basename(file.path)}`, bytes);
    const encrypting = tell("encrypting");
    const blob = await stageEncrypted(staging, key, file.path, encrypting);
    const uploading = tell("uploading");
    const envelope = envelopeOf(asset, committed ?? blob);
    const { hash, size } = blob;
    const request = { role, hash, size, envelope };
    const finalized = await uploadBlob(asset.owner.account, request, staging, {
      onProgress: (held) => uploading(blob.plaintextSize + held),
    });
    asset.receiptSeqs.push(
      storing.custody.add(asset.fileId, request, finalized),
    );
    return blob;
  });
}

async function sendBytes(
  asset: Asset,
  role: BlobRole,
  bytes: Uint8Array<ArrayBuffer>,
  storing: Storing,
  envelope: ManifestEnvelope,
): Promise<void> {
  const request = {
    role,
    hash: sha256Hex(bytes),
    size: bytes.length,
    envelope,
  };
  const finalized = await uploadBlob(
    asset.owner.account,
    request,
    sourceOf(bytes),
  );
  asset.receiptSeqs.push(storing.custody.add(asset.fileId, request, finalized));
}

async function sealed(
  fileKey: Uint8Array,
  plaintext: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = { fileKey, primitives: nativePrimitives };
  return await encryptBytes(key, randomBytes(SALT_BYTES), plaintext);
}
