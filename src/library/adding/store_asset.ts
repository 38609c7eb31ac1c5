/**
 * Storing an asset at the server: its blobs, then the manifest that names them.
 * The receipt of each blob is verified.
 *
 * @module
 */
import { type Bytes } from "../../core/bytes.ts";
import { PROTOCOL_MAX } from "../../core/protocol.ts";
import { toRfc3339 } from "../../core/time.ts";
import type { BlobRole } from "../../crypto/blob_role.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { metadataKey } from "../../client/documents/file_key.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import {
  type ManifestEnvelope,
  manifestHash,
  signManifest,
} from "../../client/documents/manifest.ts";
import type { OpBlob, OpRequest } from "../../client/api/album_calls.ts";
import {
  encodeMetadata,
  type Metadata,
} from "../../client/documents/metadata.ts";
import { sourceOf } from "../../client/api/send.ts";
import { encryptBytes, saltOf } from "../../client/stream/stream.ts";
import {
  CRYPTO_SUITE_ID,
  DEFAULT_CHUNK_SIZE,
} from "../../client/documents/suite.ts";
import type { UploadRequest } from "../../client/api/api.ts";
import { uploadBlob } from "../../client/api/upload.ts";
import { type BlobSource, persist } from "../../client/api/send.ts";
import {
  type LateReceipts,
  type Storing,
  verifyGiven,
  verifyReceipts,
} from "../trust/asset_receipts.ts";
import { primitivesOf } from "../base/platform.ts";
import type { Row } from "../rows/rows.ts";
import type { Part } from "./sealed_part.ts";
import type { StoreChange } from "../base/store.ts";
import type { Vault } from "../vault/vault.ts";

/** A larger metadata blob is sent in an upload session of its own (bytes). */
const INLINE_MAX_BYTES = 1024 * 1024;
/** Blobs that one manifest takes along; others have upload sessions. */
const MOST_TAKEN = 16;

/** A blob to send, or one that the server already has. */
export interface ReadyPart extends Part {
  /** A guest's contribution, or an asset that has the same blob. */
  readonly origin?: {
    readonly adopts?: string;
    readonly copies?: string;
  };
  /** The server has it as a blob of this very asset: nothing is asked. */
  readonly isThere?: boolean;
  /** Frees its memory; it is called once the server has the blob. */
  readonly release?: () => void;
}

/** An asset that is sealed and ready to be stored. */
export interface ReadyAsset {
  readonly assetId: string;
  /** Absent for an asset without an album. */
  readonly albumId?: string;
  readonly epoch: number;
  /** The album's key of that epoch, or the library key. */
  readonly amk: Uint8Array;
  readonly fileKey: Bytes;
  /** Required if the file key is not derived from the album's. */
  readonly sealedKey?: Bytes;
  /** Default: the suite's. */
  readonly chunkSize?: number;
  readonly original: ReadyPart;
  readonly derivatives: readonly ReadyPart[];
  /** The row that this manifest replaces; its original stays. */
  readonly replaces?: Row;
  /** Derivatives of that row that the server lets go of with this manifest. */
  readonly releases?: readonly string[];
  /** The original is sent although a manifest is replaced: it was lost. */
  readonly sendsOriginal?: true;
  readonly metadata: Metadata;
  /**
   * Gets the number of bytes that the server holds of the original and its
   * derivatives.
   */
  readonly onSent?: (bytes: number) => void;
  /**
   * Called once the server has the original and its derivatives, and they are
   * no longer needed here: only what is small is left to be sent.
   */
  readonly onFreed?: (() => void) | undefined;
  readonly signal?: AbortSignal;
}

interface Blob {
  readonly role: BlobRole;
  readonly hash: string;
  readonly size: number;
}

/** A stored asset, and the changes to write for it on this device. */
interface StoredAsset {
  readonly row: Row;
  /** Changes that keep its verified receipts, to be written with the row. */
  readonly receipts: readonly StoreChange[];
}

/** A stored asset, some of whose receipts are not verified yet. */
export interface SentAsset extends StoredAsset {
  /** What is left to verify; undefined if nothing is. */
  readonly late?: LateReceipts;
}

/** Stores an asset and verifies its receipts; the call may be repeated. */
export async function storeAsset(
  storing: Storing,
  asset: ReadyAsset,
): Promise<StoredAsset> {
  const { row, receipts, late } = await sendAsset(storing, asset);
  if (late === undefined) return { row, receipts };
  const more = await verifyReceipts(storing, late.assetId, late.blobs);
  return { row, receipts: [...receipts, ...more] };
}

/**
 * The same, without waiting for the receipts that the server issues with the
 * manifest.
 */
export async function sendAsset(
  storing: Storing,
  asset: ReadyAsset,
): Promise<SentAsset> {
  const { vault, custody } = storing;
  const { session } = vault;
  const { account, platform } = session;
  const envelope = envelopeOf(vault, asset);
  const blobs: Blob[] = [];
  const receipts: StoreChange[] = [];
  let late: LateReceipts | undefined;
  let lastSeq = 0;
  let sent = 0;
  const send = async (
    role: BlobRole,
    blob: { readonly hash: string; readonly size: number } & BlobSource,
    given: ManifestEnvelope,
    more: Pick<UploadRequest, "adopts" | "copies" | "releases"> = {},
  ) => {
    asset.signal?.throwIfAborted();
    const { hash, size } = blob;
    const before = sent;
    asset.onSent?.(before);
    const finalized = await uploadBlob(
      account,
      { role, hash, size, envelope: given, ...more },
      blob,
      {
        onProgress: (held) => {
          asset.signal?.throwIfAborted();
          asset.onSent?.(before + held);
        },
        signal: asset.signal,
      },
    );
    sent += size;
    const { upload_id: uploadId } = finalized;
    const sentBlob = { assetId: asset.assetId, role, hash, size, uploadId };
    const { receipt_cbor: cbor } = finalized.receipt;
    const { receipt, change } = await custody.verify(sentBlob, cbor);
    lastSeq = receipt.receipt_seq;
    receipts.push(change);
    blobs.push({ role, hash, size });
    return finalized;
  };

  const metadata = await sealMetadata(vault, asset);
  const { releases = [] } = asset;
  const released = releases.length === 0 ? {} : { releases };
  const isInline = metadata.length <= INLINE_MAX_BYTES;
  /** What the server takes from where it is, together with the manifest. */
  const taken: OpBlob[] = [];
  const takes = (role: OpBlob["role"], part: ReadyPart): boolean => {
    const { hash, size, origin, isThere } = part;
    const may = asset.albumId !== undefined && isInline && isThere !== true &&
      origin !== undefined && taken.length < MOST_TAKEN;
    if (!may) return false;
    taken.push({ role, hash, size, ...origin });
    return true;
  };
  const sendOriginal = async () => {
    if (takes("original", asset.original)) return;
    await send("original", asset.original, envelope, asset.original.origin);
    asset.original.release?.();
  };
  if (asset.replaces !== undefined) {
    blobs.push(...stayingBlobs(asset, asset.replaces));
    if (asset.sendsOriginal) await sendOriginal();
  } else if (asset.original.isThere) {
    const { hash, size } = asset.original;
    blobs.push({ role: "original", hash, size });
  } else await sendOriginal();
  for (const part of asset.derivatives) {
    if (takes("derivative", part)) continue;
    await send("derivative", part, envelope, part.origin);
    part.release?.();
  }
  asset.onFreed?.();
  const { whole, manifest } = await signWhole(vault, asset, envelope, metadata);
  const head = manifestHash(manifest);
  let seq: number;
  if (asset.albumId !== undefined && isInline) {
    const { albumId, assetId } = asset;
    asset.signal?.throwIfAborted();
    const op = {
      envelope: whole,
      manifest,
      metadata,
      ...(taken.length === 0 ? {} : { blobs: taken }),
      ...released,
    };
    const applied = await persist(
      account,
      () => account.applyOp(albumId, op),
      {},
    );
    seq = applied.sync_seq;
    const small: Blob[] = [
      { role: "metadata", hash: sha256Hex(metadata), size: metadata.length },
      { role: "provenance", hash: head, size: manifest.length },
    ];
    const told = [...taken, ...small];
    blobs.push(...told);
    const given = taken.length === 0 ? undefined : applied.receipts;
    if (given === undefined) {
      late = { assetId, blobs: told, after: lastSeq };
    } else receipts.push(...await verifyGiven(storing, assetId, told, given));
  } else {
    await send("metadata", blobOf(metadata), whole);
    const applied = await send(
      "provenance",
      blobOf(manifest),
      whole,
      released,
    );
    seq = applied.sync_seq ?? 0;
  }
  const row: Row = {
    id: asset.assetId,
    ...(asset.albumId === undefined ? {} : { album: asset.albumId }),
    owner: session.userId,
    head,
    seq,
    state: "live",
    at: asset.replaces?.at ?? toRfc3339(platform.now()),
    blobs,
    epoch: asset.epoch,
    revision: revisionOf(asset),
    ...(asset.sealedKey === undefined ? {} : { key: asset.fileKey }),
    chunk_size: asset.chunkSize ?? DEFAULT_CHUNK_SIZE,
    metadata: asset.metadata,
    custody: "receipted",
    custody_at: toRfc3339(platform.now()),
  };
  return { row, receipts, ...(late === undefined ? {} : { late }) };
}

/** The revision of the manifest that is made. */
function revisionOf({ replaces }: ReadyAsset): number {
  if (replaces === undefined) return 0;
  if (replaces.revision !== undefined) return replaces.revision + 1;
  throw new DocumentError("the manifest that it replaces is not known here");
}

function sealMetadata(
  { session: { platform } }: Vault,
  asset: ReadyAsset,
): Promise<Bytes> {
  const { assetId, amk, metadata, chunkSize } = asset;
  const primitives = primitivesOf(platform);
  const isUsual = asset.sealedKey === undefined &&
    (chunkSize ?? DEFAULT_CHUNK_SIZE) === DEFAULT_CHUNK_SIZE;
  const key = { fileKey: metadataKey(amk, assetId, primitives), primitives };
  const plaintext = encodeMetadata({
    ...metadata,
    derived: isUsual ? true : undefined,
    revision: revisionOf(asset),
  });
  return encryptBytes(key, saltOf(key, sha256Hex(plaintext)), plaintext);
}

async function signWhole(
  { identity }: Vault,
  asset: ReadyAsset,
  envelope: ManifestEnvelope,
  metadata: Bytes,
) {
  const whole = { ...envelope, metadata_blob_hash: sha256Hex(metadata) };
  const manifest = await signManifest(
    identity.signer,
    whole,
    asset.sealedKey,
    revisionOf(asset),
  );
  return { whole, manifest };
}

/**
 * What applies an asset's manifest, made before its blobs are sent, and the
 * mirror for their upload sessions. Undefined if the metadata is too large to go
 * with it.
 */
export async function opAhead(vault: Vault, asset: ReadyAsset): Promise<
  { readonly envelope: ManifestEnvelope; readonly op: OpRequest } | undefined
> {
  const envelope = envelopeOf(vault, asset);
  const metadata = await sealMetadata(vault, asset);
  if (metadata.length > INLINE_MAX_BYTES) return undefined;
  const { whole, manifest } = await signWhole(vault, asset, envelope, metadata);
  return { envelope, op: { envelope: whole, manifest, metadata } };
}

/** The fields of an asset's manifest that are known before its metadata. */
export function envelopeOf(
  vault: Vault,
  asset:
    & Pick<ReadyAsset, "assetId" | "albumId" | "epoch" | "sealedKey">
    & Pick<ReadyAsset, "chunkSize" | "replaces">
    & { readonly original: Pick<Part, "hash" | "plaintextSize"> },
): ManifestEnvelope {
  const { session } = vault;
  const { original } = asset;
  return {
    crypto_suite_id: CRYPTO_SUITE_ID,
    protocol_version: PROTOCOL_MAX,
    ...(asset.albumId === undefined ? {} : { album_id: asset.albumId }),
    file_id: asset.assetId,
    amk_version: asset.epoch,
    ciphertext_hash: original.hash,
    original_blob_hash: original.hash,
    plaintext_size: original.plaintextSize,
    chunk_size: asset.chunkSize ?? DEFAULT_CHUNK_SIZE,
    key_mode: asset.sealedKey === undefined ? "derived" : "wrapped",
    created_by_user: session.userId,
    created_by_device: session.device.device_id,
    client_version: session.platform.clientVersion,
    timestamp: toRfc3339(session.platform.now()),
    ...(asset.replaces === undefined
      ? { action: "create" }
      : { action: "replace", prior_provenance_hash: asset.replaces.head }),
  };
}

/** The blobs that a new manifest over the same original keeps. */
function stayingBlobs(
  { metadata, sendsOriginal }: ReadyAsset,
  { blobs }: Row,
): Blob[] {
  const named = new Set(metadata.derivatives.map(({ hash }) => hash));
  return blobs.filter(({ role, hash }) =>
    (role === "original" && !sendsOriginal) ||
    (role === "derivative" && named.has(hash))
  );
}

function blobOf(bytes: Bytes) {
  return { ...sourceOf(bytes), hash: sha256Hex(bytes), size: bytes.length };
}
