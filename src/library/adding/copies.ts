/**
 * Putting photos into an album: each becomes a new asset there, under the
 * album's key, without sending its bytes again.
 *
 * @module
 */
import { DocumentError } from "../../client/documents/fields.ts";
import { wrapFileKey } from "../../client/documents/file_key.ts";
import { withoutUnknown } from "../../client/documents/metadata.ts";
import type { Kept, UploadContext } from "./upload_types.ts";
import { newId, primitivesOf } from "../base/platform.ts";
import {
  DamagedBlob,
  fileKeyOf,
  readableOf,
  type Reading,
  readWhole,
} from "../rows/pull.ts";
import { blobOf, type Row } from "../rows/rows.ts";
import { reopened } from "./asset_state.ts";
import { type ReadyPart, storeAsset } from "./store_asset.ts";

/**
 * Puts an asset into an album; the outcome is `known` if the album has the same
 * bytes. Metadata for the owner only (folder, flags) is left out. Another
 * member's file is read whole first, which `signal` stops. Throws DocumentError
 * if the asset cannot be read here, is not what its metadata says, or the album
 * has no key here.
 */
export async function copyInto(
  context: UploadContext,
  row: Row,
  albumId: string,
  reading: Pick<Reading, "signal"> = {},
): Promise<Kept> {
  const { vault, keys, index } = context;
  const { platform } = vault.session;
  const primitives = primitivesOf(platform);
  const { metadata } = row;
  const original = blobOf(row, "original");
  if (metadata === undefined || original === undefined) {
    throw new DocumentError(`asset ${row.id} cannot be read here`);
  }
  const { size, sha256 } = metadata;
  const known = index.byPlaintext(sha256, albumId) ??
    await reopened(context, { size, sha256 }, albumId);
  if (known !== undefined) return { outcome: "known", row: known };
  if (row.owner !== vault.session.userId) {
    await assertHonest(context, row, reading);
  }
  const fileKey = await fileKeyOf(context, row);
  const { epoch, amk } = await keys.newestOf(albumId);
  const assetId = newId(platform);
  const copied = (
    blob: { readonly hash: string; readonly size: number },
    plaintextSize: number,
  ): ReadyPart => ({
    hash: blob.hash,
    size: blob.size,
    plaintextSize,
    origin: { copies: row.id },
    read: () => Promise.reject(new DocumentError("the server wants it sent")),
  });
  const held = new Map(row.blobs.map((blob) => [blob.hash, blob]));
  const kept = metadata.derivatives.filter(({ hash }) => held.has(hash));
  const { path: _path, ...shareable } = metadata;
  const {
    favourite: _favourite,
    hidden: _hidden,
    archived: _archived,
    ...rest
  } = shareable;
  // No one knows what a newer program keeps for its owner alone. This checks
  // the metadata's bounds, too, before anything is copied.
  const shared = withoutUnknown({ ...rest, derivatives: kept });
  const { row: made, receipts } = await storeAsset(context, {
    assetId,
    albumId,
    epoch,
    amk,
    fileKey,
    sealedKey: wrapFileKey(amk, assetId, fileKey, platform.random, primitives),
    chunkSize: row.chunk_size,
    original: copied(original, metadata.size),
    derivatives: kept.flatMap(({ hash, size = 0 }) => {
      const blob = held.get(hash);
      return blob === undefined ? [] : [copied(blob, size)];
    }),
    metadata: shared,
  });
  await index.append(made, receipts);
  return { outcome: "kept", row: made };
}

/**
 * Reads an original that another person added, and throws DocumentError if it
 * differs from its metadata. Until then its size and hash are only claims. In
 * an own row they would decide which files the account already has, and can
 * delete.
 */
async function assertHonest(
  context: UploadContext,
  row: Row,
  reading: Pick<Reading, "signal">,
): Promise<void> {
  const readable = await readableOf(context, row, "original");
  try {
    for await (const _ of readWhole(context, row.id, readable, reading));
  } catch (error) {
    if (!(error instanceof DamagedBlob)) throw error;
    throw new DocumentError(`asset ${row.id}: ${error.message}`);
  }
}
