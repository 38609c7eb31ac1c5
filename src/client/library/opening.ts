/**
 * Making a row from the server's record of an asset. The metadata is decrypted
 * under the album's key, or under the wrapped key of the manifest. An asset
 * that does not open gets a row with the reason.
 *
 * @module
 */
import { type Bytes, fromBase64 } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { FullAsset } from "../asset_answers.ts";
import { DocumentError } from "../fields.ts";
import { derivedFileKey, partKey, unwrapFileKey } from "../file_key.ts";
import { type Manifest, openManifest, verifyManifest } from "../manifest.ts";
import { decodeMetadata, type Metadata } from "../metadata.ts";
import { ciphertextSize, decryptBytes, StreamError } from "../stream.ts";
import { DEFAULT_CHUNK_SIZE } from "../suite.ts";
import type { AlbumKeys } from "./album_keys.ts";
import type { AssetIndex } from "./asset_index.ts";
import { primitivesOf } from "./platform.ts";
import { blobOf, type Row } from "./rows.ts";
import type { Vault } from "./vault.ts";

/** What opening works with. */
export interface Opener {
  readonly vault: Vault;
  readonly keys: AlbumKeys;
  /** Fetches a small blob of an asset. */
  readonly blob: (assetId: string, hash: string) => Promise<Bytes>;
  /** The pinned identity key (1,984 bytes) of another account. */
  readonly anchorOf: (userId: string) => Promise<Uint8Array>;
}

/** Makes the row of an asset; `before` is its previous row. */
export async function openRow(
  opener: Opener,
  asset: FullAsset,
  before: Row | undefined,
): Promise<Row> {
  const bare = bareRow(asset, before);
  if (before?.head === bare.head && before.metadata !== undefined) {
    const { metadata, epoch, key, chunk_size } = before;
    return {
      ...bare,
      metadata,
      epoch,
      chunk_size,
      ...(key === undefined ? {} : { key }),
    };
  }
  try {
    return { ...bare, ...await opened(opener, asset, bare) };
  } catch (error) {
    if (error instanceof DocumentError || error instanceof StreamError) {
      return { ...bare, fault: error.message };
    }
    throw error;
  }
}

/**
 * Puts the row of an asset as the server has it. This device may be storing the
 * very asset: what it verified while the row was being opened stays, so nothing
 * else may run between the comparison and the put.
 */
export async function putFresh(
  opener: Opener,
  index: Pick<AssetIndex, "get" | "put">,
  asset: FullAsset,
): Promise<void> {
  for (;;) {
    const before = index.get(asset.asset_id);
    if (isOvertaken(before, asset)) return;
    const row = await openRow(opener, asset, before);
    if (index.get(asset.asset_id) === before) return index.put(row);
  }
}

/**
 * Whether a row tells of something later than an answer, which may be late: it
 * was restored since it was asked for, or another device did something with it.
 */
export function isOvertaken(
  row: Row | undefined,
  { sync_seq: seq }: Pick<FullAsset, "sync_seq">,
): boolean {
  return row !== undefined && row.seq > seq;
}

function bareRow(asset: FullAsset, before: Row | undefined): Row {
  const same = before?.head === asset.chain_head;
  return {
    id: asset.asset_id,
    ...(asset.album_id ? { album: asset.album_id } : {}),
    owner: asset.owner,
    head: asset.chain_head,
    seq: asset.sync_seq,
    state: asset.state,
    at: asset.created_at,
    blobs: asset.blobs.map(({ hash, role, size }) => ({ hash, role, size })),
    epoch: 0,
    chunk_size: DEFAULT_CHUNK_SIZE,
    custody: same ? before.custody : "unverified",
    ...(same && before.custody_at !== undefined
      ? { custody_at: before.custody_at }
      : {}),
  };
}

async function opened(
  opener: Opener,
  asset: FullAsset,
  row: Row,
): Promise<Partial<Row>> {
  const blob = blobOf(row, "metadata");
  if (blob === undefined) throw new DocumentError("it has no metadata");
  const sealed = given(asset.metadata) ??
    await opener.blob(asset.asset_id, blob.hash);
  if (sha256Hex(sealed) !== blob.hash) {
    throw new DocumentError("the metadata is not the blob of that address");
  }
  const { vault } = opener;
  const keys = await opener.keys.keysOf(asset.album_id ?? undefined);
  const own = asset.owner === vault.session.userId;
  const alone = row.album === undefined || row.album === vault.libraryAlbumId;
  if (own && alone) {
    // The server lacks the key, so metadata that opens with it was sealed by
    // this account.
    for (const { epoch, amk } of keys) {
      const fileKey = derivedFileKey(amk, row.id, primitives(opener));
      const metadata = await readMetadata(opener, fileKey, sealed);
      if (metadata === undefined || !usualChunks(row, metadata)) continue;
      return { epoch, metadata };
    }
  }
  const manifest = await readManifest(opener, asset, row);
  const { amk_version: epoch, chunk_size } = manifest.envelope;
  const amk = keys.find((key) => key.epoch === epoch)?.amk;
  if (amk === undefined) throw new DocumentError("the album's key is missing");
  const fileKey = manifest.sealedKey === undefined
    ? derivedFileKey(amk, row.id, primitives(opener))
    : unwrapFileKey(amk, row.id, manifest.sealedKey, primitives(opener));
  const metadata = fileKey === undefined
    ? undefined
    : await readMetadata(opener, fileKey, sealed);
  if (fileKey === undefined || metadata === undefined) {
    throw new DocumentError("the metadata does not open with the album's key");
  }
  return {
    epoch,
    chunk_size,
    metadata,
    ...(manifest.sealedKey === undefined ? {} : { key: fileKey }),
  };
}

/**
 * Reads the newest manifest of an asset and verifies its author's signature.
 */
async function readManifest(
  opener: Opener,
  asset: FullAsset,
  row: Row,
): Promise<Manifest> {
  const bytes = given(asset.provenance) ??
    await opener.blob(row.id, row.head);
  if (sha256Hex(bytes) !== row.head) {
    throw new DocumentError("the manifest is not the chain head");
  }
  const { session } = opener.vault;
  const author = openManifest(bytes).envelope.created_by_user;
  // Only its owner may replace an asset.
  if (author !== asset.owner) {
    throw new DocumentError(`the manifest is of ${author}, not of its owner`);
  }
  const anchor = await opener.anchorOf(author);
  const { hybrid } = session.platform;
  const manifest = await verifyManifest(bytes, anchor, hybrid);
  const { envelope } = manifest;
  const names = envelope.file_id === row.id &&
    envelope.album_id === row.album &&
    envelope.metadata_blob_hash === blobOf(row, "metadata")?.hash &&
    envelope.original_blob_hash === blobOf(row, "original")?.hash;
  if (names) return manifest;
  throw new DocumentError("the manifest is of another asset than it is shown");
}

/** Opens the metadata; undefined if the key is another. */
async function readMetadata(
  opener: Opener,
  fileKey: Uint8Array,
  sealed: Uint8Array,
): Promise<Metadata | undefined> {
  const key = partKey(fileKey, "metadata", 0, primitives(opener));
  let plaintext: Bytes;
  try {
    const blobKey = { fileKey: key, primitives: primitives(opener) };
    plaintext = await decryptBytes(blobKey, sealed);
  } catch (error) {
    if (error instanceof StreamError) return undefined;
    throw error;
  }
  return decodeMetadata(plaintext);
}

/** Whether the original's size fits the default chunk size. */
function usualChunks(row: Row, { size }: Metadata): boolean {
  return blobOf(row, "original")?.size === ciphertextSize(size);
}

function primitives({ vault }: Opener) {
  return primitivesOf(vault.session.platform);
}

function given(base64: string | null | undefined): Bytes | undefined {
  return base64 ? fromBase64(base64) : undefined;
}
