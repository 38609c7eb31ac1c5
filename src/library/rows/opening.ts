/**
 * Making a row from the server's record of an asset. The metadata is decrypted
 * under a key that derives from the album's. An asset that does not open gets a
 * row with the reason.
 *
 * @module
 */
import { type Bytes, fromBase64 } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { ApiProblem } from "../../client/api/api.ts";
import type { FullAsset } from "../../wire/answers/assets.ts";
import {
  DocumentError,
  MADE_BY_NEWER,
  NewerDocumentError,
} from "../../client/documents/fields.ts";
import { metadataKey, unwrapFileKey } from "../../client/documents/file_key.ts";
import {
  type Manifest,
  openManifest,
  verifyManifest,
} from "../../client/documents/manifest.ts";
import {
  decodeMetadata,
  decodeOwnMetadata,
  type Metadata,
} from "../../client/documents/metadata.ts";
import { decryptBytes, StreamError } from "../../client/stream/stream.ts";
import { DEFAULT_CHUNK_SIZE } from "../../client/documents/suite.ts";
import type { AlbumKeys } from "./album_keys.ts";
import type { AssetIndex } from "./asset_index.ts";
import type { SmallBlob } from "./small_blob.ts";
import { isOfEverything } from "../base/faults.ts";
import { primitivesOf } from "../base/platform.ts";
import { blobOf, isUnopened, type Row, triedAgain } from "./rows.ts";
import type { Reader } from "./pull.ts";
import type { Vault } from "../vault/vault.ts";

/** What opening works with. */
export interface Opener extends RowOpener {
  readonly vault: Vault;
}

/** The same for any reader. */
export interface RowOpener {
  readonly vault: Reader;
  readonly keys: AlbumKeys;
  /** Fetches a small blob of an asset; see `small_blob.ts`. */
  readonly blob: (assetId: string, blob: SmallBlob) => Promise<Bytes>;
  /** The pinned identity key (1,984 bytes) of another account. */
  readonly anchorOf: (userId: string) => Promise<Uint8Array>;
  /** Whether someone may have put an asset of an epoch into an album. */
  readonly mayAdd: (
    albumId: string,
    userId: string,
    epoch: number,
  ) => boolean;
  /** Whether the server shows this reader no originals. */
  readonly isSmall?: () => boolean;
}

/**
 * Makes the row of an asset; `before` is its previous row. Whatever is wrong
 * with the asset becomes the row's fault; what it showed before stays shown.
 * Throws what is about more than this asset.
 */
export async function openRow(
  opener: RowOpener,
  asset: FullAsset,
  before: Row | undefined,
): Promise<Row> {
  const bare = bareRow(asset, before);
  // Of one that is gone the number of its last version is known.
  const known = before?.metadata === undefined && before?.revision === undefined
    ? undefined
    : before;
  const isOpen = known?.head === bare.head && known.fault === undefined &&
    isSameVersion(known, bare);
  if (isOpen) return { ...bare, ...shownBefore(known) };
  try {
    return { ...bare, ...await opened(opener, asset, bare, known) };
  } catch (error) {
    if (isOfEverything(error)) throw error;
    const fault = faultOf(error);
    const now = opener.vault.session.platform.now();
    // Of an answer that no manifest bears out nothing is believed, its place in
    // the feed least of all: it would outdo every answer that follows.
    if (known !== undefined) {
      const again = known.fault === undefined ? {} : known;
      const { state } = bare;
      return { ...known, state, fault, ...triedAgain(again, now) };
    }
    const again = before?.head === bare.head ? before : {};
    return { ...bare, fault, ...triedAgain(again, now) };
  }
}

/** Whether a row and an answer are of the same bytes in the same album. */
function isSameVersion(row: Row, bare: Row): boolean {
  return row.album === bare.album &&
    (["original", "metadata"] as const).every((role) =>
      blobOf(row, role)?.hash === blobOf(bare, role)?.hash
    );
}

function faultOf(error: unknown): string {
  if (error instanceof ApiProblem && error.status === 404) {
    return "the server does not have its metadata";
  }
  if (error instanceof ApiProblem && error.code === "error.internal") {
    return "the server cannot read its metadata";
  }
  return error instanceof Error ? error.message : String(error);
}

/** What a row shows of an asset. */
function shownBefore(
  { metadata, said, epoch, revision, key, chunk_size }: Row,
): Partial<Row> {
  return {
    metadata,
    epoch,
    revision,
    chunk_size,
    ...(said === undefined ? {} : { said }),
    ...(key === undefined ? {} : { key }),
  };
}

/**
 * Puts the row of an asset as the server has it. This device may be storing the
 * very asset: what it verified while the row was being opened stays, so nothing
 * else may run between the comparison and the put.
 */
export async function putFresh(
  opener: RowOpener,
  index: Pick<AssetIndex, "get" | "put" | "remove">,
  asset: FullAsset,
): Promise<void> {
  for (;;) {
    const before = index.get(asset.asset_id);
    if (isOvertaken(before, asset)) return;
    // An asset is its owner's for ever, whatever an answer says. Of one that
    // never opened the owner may be a lie, which the manifest of another ends.
    const isAnothers = before !== undefined && before.owner !== asset.owner;
    if (isAnothers && before.metadata !== undefined) return;
    if (isOthersTrash(opener, asset) && before?.state !== "deleted") {
      if (before?.owner === opener.vault.session.userId) return;
      return index.remove(asset.asset_id);
    }
    const row = before?.heads?.includes(asset.chain_head) === true
      ? rolledBack(before, asset)
      : await openRow(opener, asset, before);
    if (isAnothers && isUnopened(row)) return;
    if (index.get(asset.asset_id) === before) return index.put(row);
  }
}

/**
 * The row of an asset of which the server shows an older version than before:
 * it keeps what it had, and remembers what is shown.
 */
function rolledBack(before: Row, asset: FullAsset): Row {
  const { blobs, state, sync_seq: seq, chain_head: shown } = asset;
  return {
    ...before,
    blobs: blobs.map(({ hash, role, size }) => ({ hash, role, size })),
    state,
    seq,
    shown,
  };
}

/** The heads that a row remembers at most. */
export const MOST_HEADS = 32;

/** The chain heads that were seen before the present one. */
function headsBefore(before: Row | undefined, head: string) {
  if (before === undefined) return {};
  const { heads = [] } = before;
  if (before.head === head) return heads.length === 0 ? {} : { heads };
  return { heads: [...heads, before.head].slice(-MOST_HEADS) };
}

/**
 * Whether someone else's asset is in the trash: no one else reads it there. It
 * leaves one's list, unless this device deleted it and may bring it back.
 */
function isOthersTrash({ vault }: RowOpener, { owner, state }: FullAsset) {
  return state === "deleted" && owner !== vault.session.userId;
}

/**
 * Whether a row tells of something later than an answer, which may be late: it
 * was restored since it was asked for, or another device did something with it.
 * An answer with a version that was never seen is not late, whatever the place
 * in the feed that it names; and a row that never opened tells of nothing.
 */
export function isOvertaken(
  row: Row | undefined,
  { sync_seq: seq, chain_head: head }: Pick<
    FullAsset,
    "sync_seq" | "chain_head"
  >,
): boolean {
  return row?.metadata !== undefined && row.seq > seq &&
    row.shown === undefined &&
    (row.head === head || row.heads?.includes(head) === true);
}

function bareRow(asset: FullAsset, before: Row | undefined): Row {
  const same = before?.head === asset.chain_head && before.state !== "missing";
  return {
    id: asset.asset_id,
    ...headsBefore(before, asset.chain_head),
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
  opener: RowOpener,
  asset: FullAsset,
  row: Row,
  known: Row | undefined,
): Promise<Partial<Row>> {
  const blob = blobOf(row, "metadata");
  if (blob === undefined) throw new DocumentError("it has no metadata");
  const sealed = given(asset.metadata) ??
    await opener.blob(asset.asset_id, blob);
  if (sha256Hex(sealed) !== blob.hash) {
    throw new DocumentError("the metadata is not the blob of that address");
  }
  const { vault } = opener;
  let keys = await opener.keys.keysOf(asset.album_id ?? undefined);
  const own = asset.owner === vault.session.userId;
  const alone = row.album === undefined || row.album === vault.libraryAlbumId;
  const isFirst = known === undefined;
  if (own && alone && isFirst) {
    // The library's key and what derives metadata from it are never handed out,
    // so metadata that opens with it was sealed by this account. Whether it is
    // the newest that this device saw, the manifest alone tells.
    for (const { epoch, amk } of keys) {
      const metadata = await readMetadata(opener, row.id, amk, sealed, own);
      const { derived, revision } = metadata ?? {};
      if (derived !== true || revision === undefined) continue;
      return { epoch, revision, metadata };
    }
  }
  const manifest = await readManifest(opener, asset, row);
  const { revision } = manifest;
  if (known?.revision !== undefined && known.head !== row.head) {
    if (revision <= known.revision) {
      throw new DocumentError("the manifest is no later one than was seen");
    }
  }
  const { amk_version: epoch, chunk_size, album_id } = manifest.envelope;
  const isOut = album_id !== row.album;
  if (isOut) keys = await opener.keys.keysOf(album_id);
  const amk = keys.find((key) => key.epoch === epoch)?.amk;
  if (amk === undefined) {
    if (isOut) {
      throw new DocumentError(
        "the album that it was in was deleted, and the album's key is not " +
          "known here: open the library once on a device that was in the album",
      );
    }
    // Later keys of the library are for later programs to know.
    if (own && alone) throw new NewerDocumentError(`its key ${MADE_BY_NEWER}`);
    throw new DocumentError("the album's key is missing");
  }
  const metadata = await readMetadata(opener, row.id, amk, sealed, own);
  if (metadata === undefined) {
    throw new DocumentError("the metadata does not open with the album's key");
  }
  const opened = {
    epoch,
    revision,
    chunk_size,
    metadata,
    ...(isOut ? { album: album_id } : {}),
  };
  if (manifest.sealedKey === undefined) return opened;
  const { sealedKey } = manifest;
  const key = unwrapFileKey(amk, row.id, sealedKey, primitives(opener));
  if (key !== undefined) return { ...opened, key };
  throw new DocumentError("its file key does not open with the album's key");
}

/**
 * Reads the newest manifest of an asset and verifies its author's signature.
 */
async function readManifest(
  opener: RowOpener,
  asset: FullAsset,
  row: Row,
): Promise<Manifest> {
  const blob = row.blobs.find(({ hash }) => hash === row.head);
  const bytes = given(asset.provenance) ??
    (blob === undefined ? undefined : await opener.blob(row.id, blob));
  if (bytes === undefined) throw new DocumentError("it has no manifest");
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
  const { album_id: album, amk_version: epoch } = envelope;
  const isShared = album !== undefined && album !== opener.vault.libraryAlbumId;
  if (isShared && !opener.mayAdd(album, author, epoch)) {
    throw new DocumentError(`${author} may not add to this album`);
  }
  // The server takes own photos out of an album whose owner deleted their
  // account. The manifest, which this account signed, says where it was.
  const isOut = author === session.userId && row.album === undefined;
  const original = blobOf(row, "original")?.hash;
  const isWithheld = original === undefined && opener.isSmall?.() === true;
  const names = envelope.file_id === row.id &&
    (envelope.album_id === row.album || isOut) &&
    envelope.metadata_blob_hash === blobOf(row, "metadata")?.hash &&
    (isWithheld || envelope.original_blob_hash === original);
  if (names) return manifest;
  throw new DocumentError("the manifest is of another asset than it is shown");
}

/** Opens the metadata; undefined if the key is another. */
async function readMetadata(
  opener: RowOpener,
  id: string,
  amk: Uint8Array,
  sealed: Uint8Array,
  own: boolean,
): Promise<Metadata | undefined> {
  const key = metadataKey(amk, id, primitives(opener));
  let plaintext: Bytes;
  try {
    const blobKey = { fileKey: key, primitives: primitives(opener) };
    plaintext = await decryptBytes(blobKey, sealed);
  } catch (error) {
    if (error instanceof StreamError) return undefined;
    throw error;
  }
  // Others may write anything into keys that no one reads.
  return own ? decodeOwnMetadata(plaintext) : decodeMetadata(plaintext);
}

function primitives({ vault }: RowOpener) {
  return primitivesOf(vault.session.platform);
}

function given(base64: string | null | undefined): Bytes | undefined {
  return base64 ? fromBase64(base64) : undefined;
}
