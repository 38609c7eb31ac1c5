/**
 * Finishing what another program, or this one before it was killed, left
 * between adopting a guest's file and its manifest.
 *
 * @module
 */
import { ApiProblem } from "../api.ts";
import { DocumentError } from "../fields.ts";
import { wrapFileKey } from "../file_key.ts";
import { SALT_BYTES } from "../stream.ts";
import { ConnectionError, UnexpectedAnswer } from "../transport.ts";
import type { Accepting, AcceptNote } from "./accepting.ts";
import {
  finished,
  isStaleRevival,
  movedRow,
  storedAsset,
} from "./asset_state.ts";
import { CustodyError } from "./faults.ts";
import type { Kept, UploadContext } from "./upload.ts";
import { primitivesOf } from "./platform.ts";
import { DamagedBlob } from "./pull.ts";
import type { Row } from "./rows.ts";
import { type ReadyAsset, sendAsset } from "./store_asset.ts";
import { type DuplicateContext, earlierDuplicate } from "./duplicates.ts";

/** What accepting works with. */
export interface AcceptContext extends UploadContext, DuplicateContext {
  readonly accepting: Accepting;
}

/** A guest's file that was given to an asset, and what the asset is to hold. */
export type Begun = Omit<AcceptNote, "device_id" | "at">;

/** The asset that a note describes, to be made in an album. */
export async function readyOf(
  { vault, keys }: AcceptContext,
  { asset_id: assetId, upload_id: adopts, ...note }: Begun,
  albumId: string,
): Promise<ReadyAsset> {
  const { platform } = vault.session;
  const primitives = primitivesOf(platform);
  const { epoch, amk } = await keys.newestOf(albumId);
  return {
    assetId,
    albumId,
    epoch,
    fileKey: new Uint8Array(note.key),
    sealedKey: wrapFileKey(
      amk,
      assetId,
      note.key,
      platform.random,
      primitives,
    ),
    original: {
      hash: note.hash,
      size: note.size,
      plaintextSize: note.metadata.size,
      origin: { adopts },
      read: () => Promise.reject(new DamagedBlob("the server wants it sent")),
    },
    derivatives: [],
    metadata: note.metadata,
    metadataSalt: new Uint8Array(platform.random(SALT_BYTES)),
  };
}

/**
 * Finishes files that were left between being adopted and their manifests;
 * returns the assets' ids. What cannot be finished now rests for a while.
 */
export async function finishAccepted(
  context: AcceptContext,
  notes: readonly AcceptNote[],
): Promise<readonly string[]> {
  const { accepting } = context;
  const done: string[] = [];
  for (const note of notes) {
    const { asset_id: assetId } = note;
    if (accepting.underWay.has(assetId)) continue;
    accepting.underWay.add(assetId);
    try {
      if (await finishOne(context, note) !== undefined) done.push(assetId);
    } catch (error) {
      if (!mayComeRight(error)) throw error;
      accepting.postpone(assetId);
    } finally {
      accepting.underWay.delete(assetId);
    }
  }
  return done;
}

/**
 * Finishes one; undefined if there is nothing to finish: the file still waits,
 * or it was answered otherwise.
 */
export async function finishOne(
  context: AcceptContext,
  note: Begun,
): Promise<Kept | undefined> {
  const { accepting, index } = context;
  const { asset_id: assetId } = note;
  let stored = await storedAsset(context, assetId);
  if (stored === undefined) {
    await complete(context, note);
    stored = await storedAsset(context, assetId);
  }
  if (stored?.state !== "live") {
    await accepting.remove(assetId);
    return undefined;
  }
  const held = index.get(assetId);
  const isProven = held?.head === stored.chain_head &&
    held.custody !== "unverified";
  if (isProven) return await settle(context, note, held);
  const { row, receipts } = await finished(context, stored);
  await index.append(row, receipts);
  return await settle(context, note, row);
}

/** A refusal after which the next way is tried. */
const NEXT: readonly string[] = [
  "error.upload.not_found",
  "error.album.not_found",
  "error.album.role_forbidden",
  "error.album.tombstoned",
  "error.manifest.mismatch",
  "error.manifest.blob_missing",
];

/**
 * Adopts the file, if nobody did, and stores its manifest: in its album, or in
 * the library if that album takes nothing any more.
 */
async function complete(context: AcceptContext, note: Begun): Promise<void> {
  const { libraryAlbumId } = context.vault;
  const ways = [
    { albumId: note.album_id, isThere: false },
    { albumId: note.album_id, isThere: true },
    { albumId: libraryAlbumId, isThere: true },
  ];
  let refused: unknown;
  for (const { albumId, isThere } of ways) {
    try {
      const ready = await readyOf(context, note, albumId);
      const { original } = ready;
      await sendAsset(context, {
        ...ready,
        original: { ...original, isThere },
      });
      return;
    } catch (error) {
      // Another device made it meanwhile, or it was deleted for ever.
      if (isStaleRevival(error)) return;
      const goesOn = error instanceof DocumentError ||
        (error instanceof ApiProblem && NEXT.includes(error.code));
      if (!goesOn) throw error;
      refused = error;
    }
  }
  const isNowhere = refused instanceof ApiProblem &&
    refused.code === "error.manifest.blob_missing";
  if (!isNowhere) throw refused;
}

/**
 * Ends the note of a file that is stored. Two devices may have taken the same
 * bytes at once; then the later asset goes to the trash.
 */
export async function settle(
  context: AcceptContext,
  note: Begun,
  row: Row,
): Promise<Kept> {
  const { vault, index, accepting } = context;
  try {
    const duplicate = await earlierDuplicate(context, note.metadata, row);
    if (duplicate !== undefined) {
      await context.deletions.record([row]);
      const moved = await vault.session.account.deleteAsset(row.id);
      await index.append(movedRow(index.get(row.id) ?? row, moved));
    }
    await accepting.remove(row.id);
    return duplicate === undefined
      ? { outcome: "kept", row }
      : { outcome: "known", row: duplicate };
  } catch (error) {
    // It is stored, and the note is looked at again by the next sync.
    if (!mayComeRight(error)) throw error;
    accepting.postpone(row.id);
    return { outcome: "kept", row };
  }
}

function mayComeRight(error: unknown): boolean {
  return error instanceof ApiProblem || error instanceof ConnectionError ||
    error instanceof UnexpectedAnswer || error instanceof CustodyError ||
    error instanceof DocumentError || error instanceof DamagedBlob;
}
