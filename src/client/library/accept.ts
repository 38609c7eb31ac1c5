/**
 * Accepting guests' files, and finishing what another program, or this one
 * before it was killed, left between adopting a file and its manifest.
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import { ApiProblem } from "../api.ts";
import { DocumentError } from "../fields.ts";
import { wrapFileKey } from "../file_key.ts";
import { SALT_BYTES } from "../stream.ts";
import { ConnectionError, UnexpectedAnswer } from "../transport.ts";
import type { Accepting, AcceptNote } from "./accepting.ts";
import { isStaleRevival, storedAsset } from "./asset_state.ts";
import { sealDerivatives } from "./derivatives.ts";
import { CustodyError } from "./faults.ts";
import {
  type AcceptOptions,
  contributionOf,
  isGone,
  NoLongerWaits,
  waitingOf,
} from "./inbox.ts";
import { finished, type IntakeContext, type Kept } from "./intake.ts";
import { journalKey } from "./journal.ts";
import { newId, primitivesOf } from "./platform.ts";
import { DamagedBlob, openBlob } from "./pull.ts";
import type { Row } from "./rows.ts";
import { type ReadyAsset, sendAsset, storeAsset } from "./store_asset.ts";
import { earlierTwin, type TwinContext } from "./twins.ts";

/** What accepting works with. */
export interface AcceptContext extends IntakeContext, TwinContext {
  readonly accepting: Accepting;
}

/**
 * Takes a guest's file into the library or an album, after reading and opening
 * it, without sending it again. A file that is there already is not taken
 * twice, and the outcome is `known`. Throws {@link NoLongerWaits}, DamagedBlob if
 * it does not open, and DocumentError if its sealed metadata is unreadable.
 */
export async function acceptWaiting(
  context: AcceptContext,
  opaqueId: string,
  uploadId: string,
  options: AcceptOptions = {},
): Promise<Kept> {
  const { vault, accepting, underWay } = context;
  // Adopted by an attempt that was cut off, it is in the inbox no more.
  const begun = accepting.ownOf(uploadId);
  if (begun !== undefined && !accepting.underWay.has(begun.asset_id)) {
    const made = await finishOne(context, begun);
    if (made !== undefined) return made;
  }
  const albumId = options.albumId ?? vault.libraryAlbumId;
  const waiting = await waitingOf(context, opaqueId, uploadId);
  const running = primitivesOf(vault.session.platform).sha256();
  const pieces = openBlob(
    context,
    contributionOf(context, waiting.one, opaqueId),
    waiting.readable,
  );
  for await (const piece of pieces) running.update(piece);
  const sha256 = toHex(running.digest());
  // Of two files with the same bytes, the second waits for the first.
  const key = journalKey(albumId, sha256);
  while (underWay.has(key)) await underWay.get(key)?.catch(() => {});
  const taking = take(context, { opaqueId, uploadId, albumId, sha256 }, {
    waiting,
    options,
  });
  underWay.set(key, taking);
  try {
    return await taking;
  } finally {
    underWay.delete(key);
  }
}

interface Taking {
  readonly opaqueId: string;
  readonly uploadId: string;
  readonly albumId: string;
  readonly sha256: string;
}

async function take(
  context: AcceptContext,
  { opaqueId, uploadId, albumId, sha256 }: Taking,
  { waiting, options }: {
    readonly waiting: Awaited<ReturnType<typeof waitingOf>>;
    readonly options: AcceptOptions;
  },
): Promise<Kept> {
  const { vault, index, accepting } = context;
  const { account, platform } = vault.session;
  const { one, file, size } = waiting;
  // Another device may have taken the same photo, or given it up.
  await context.catchUp();
  const known = index.byPlaintext(sha256, albumId);
  if (known !== undefined) {
    // The same photo is there already, so the guest's file is deleted.
    try {
      await account.deleteContribution(opaqueId, uploadId);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    return { outcome: "known", row: known };
  }
  const given = options.derivatives ?? [];
  const made = await sealDerivatives(context, file.key, given, 0);
  const { name, mime, taken_at, modified_at } = file;
  const begun: Begun = {
    upload_id: uploadId,
    asset_id: newId(platform),
    album_id: albumId,
    hash: one.ciphertext_hash,
    size: one.size,
    key: file.key,
    metadata: {
      taken_at,
      modified_at,
      ...options.about,
      name,
      mime,
      size,
      sha256,
      derivatives: made.map(({ named }) => named),
    },
  };
  const { asset_id: assetId } = begun;
  accepting.underWay.add(assetId);
  try {
    const { row, receipts } = await storeAsset(context, {
      ...await readyOf(context, begun, albumId),
      derivatives: made.map(({ part }) => part),
      onAdopt: () => accepting.add(begun),
    });
    await index.append(row, receipts);
    return await settle(context, begun, row);
  } catch (error) {
    // Another device finished it meanwhile.
    const late = isStaleRevival(error)
      ? await finishOne(context, begun)
      : undefined;
    if (late !== undefined) return late;
    if (!isGone(error)) throw error;
    await accepting.remove(assetId);
    throw new NoLongerWaits("it waits no more", { cause: error });
  } finally {
    accepting.underWay.delete(assetId);
  }
}

type Begun = Omit<AcceptNote, "device_id" | "at">;

/** The asset that a note describes, to be made in an album. */
async function readyOf(
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
async function finishOne(
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
async function settle(
  context: AcceptContext,
  note: Begun,
  row: Row,
): Promise<Kept> {
  const { vault, index, accepting } = context;
  try {
    const twin = await earlierTwin(context, note.metadata, row);
    if (twin !== undefined) {
      const { state, sync_seq: seq } = await vault.session.account
        .deleteAsset(row.id);
      await index.append({ ...index.get(row.id) ?? row, state, seq });
    }
    await accepting.remove(row.id);
    return twin === undefined
      ? { outcome: "kept", row }
      : { outcome: "known", row: twin };
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
