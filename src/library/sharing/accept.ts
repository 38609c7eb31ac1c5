/**
 * Accepting guests' files.
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import { readMediaType } from "../../media/exif/mod.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { wrapFileKey } from "../../client/documents/file_key.ts";
import {
  ApiProblem,
  ConnectionError,
  UnexpectedAnswer,
} from "../../client/api/transport.ts";
import { sealDerivatives } from "../adding/derivatives.ts";
import {
  type DuplicateContext,
  letGoOfDuplicates,
} from "../adding/duplicates.ts";
import { CustodyError, NoLongerWaits } from "../base/faults.ts";
import { freshNote } from "../adding/fresh_notes.ts";
import {
  type AcceptOptions,
  contributionOf,
  isGone,
  sourceOfWaiting,
  waitingOf,
} from "./inbox.ts";
import type { Kept, UploadContext } from "../adding/upload.ts";
import { journalKey } from "../adding/upload_journal.ts";
import { newId, primitivesOf } from "../base/platform.ts";
import { DamagedBlob, openBlob } from "../rows/pull.ts";
import type { Row } from "../rows/rows.ts";
import { storeAsset } from "../adding/store_asset.ts";

/** What accepting works with. */
export interface AcceptContext extends UploadContext, DuplicateContext {
  /** Follows the feed to its end. */
  readonly catchUp: () => Promise<unknown>;
}

/**
 * Takes a guest's file into the library or an album, after reading and opening
 * it, without sending it again. A file that is there already is not taken
 * twice, and the outcome is `known`. Throws {@link NoLongerWaits}, DamagedBlob
 * if it does not open, and DocumentError if its sealed metadata is unreadable.
 */
export async function acceptWaiting(
  context: AcceptContext,
  opaqueId: string,
  uploadId: string,
  options: AcceptOptions = {},
): Promise<Kept> {
  const { vault, underWay } = context;
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

/**
 * Stores the asset that a guest's file becomes. The server gives it the bytes
 * in the transaction that takes its manifest, so that the file waits or is a
 * photo at every moment.
 */
async function take(
  context: AcceptContext,
  { opaqueId, uploadId, albumId, sha256 }: Taking,
  { waiting, options }: {
    readonly waiting: Awaited<ReturnType<typeof waitingOf>>;
    readonly options: AcceptOptions;
  },
): Promise<Kept> {
  const { vault, index, keys } = context;
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
  const made = await sealDerivatives(context, given);
  const { name, taken_at, modified_at } = file;
  // Anybody who has the link may claim any type.
  const mime = options.about?.mime ??
    await readMediaType(sourceOfWaiting(context, opaqueId, waiting), name);
  const assetId = newId(platform);
  const { epoch, amk } = await keys.newestOf(albumId);
  try {
    const { row, receipts } = await storeAsset(context, {
      assetId,
      albumId,
      epoch,
      amk,
      fileKey: new Uint8Array(file.key),
      sealedKey: wrapFileKey(
        amk,
        assetId,
        file.key,
        platform.random,
        primitivesOf(platform),
      ),
      original: {
        hash: one.ciphertext_hash,
        size: one.size,
        plaintextSize: size,
        origin: { adopts: uploadId },
        read: () => Promise.reject(new DamagedBlob("the server wants it sent")),
      },
      derivatives: made.map(({ part }) => part),
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
    });
    await index.append(row, [...receipts, freshNote(row)]);
    return await withoutDuplicate(context, row);
  } catch (error) {
    if (!isGone(error) && !isTaken(error)) throw error;
    throw new NoLongerWaits("it waits no more", { cause: error });
  }
}

/** Whether what the manifest should have taken was not there to be taken. */
function isTaken(error: unknown): boolean {
  return error instanceof ApiProblem &&
    error.code === "error.manifest.blob_missing";
}

/**
 * Two devices may have taken the same bytes at once; then the later asset goes
 * to the trash. If this cannot be seen now, the next sync looks again.
 */
async function withoutDuplicate(
  context: AcceptContext,
  row: Row,
): Promise<Kept> {
  try {
    await context.catchUp();
    // Someone may have marked it at once.
    await context.state.read();
    const gone = await letGoOfDuplicates(context, [row]);
    const duplicate = gone.get(row.id);
    if (duplicate !== undefined) return { outcome: "known", row: duplicate };
  } catch (error) {
    if (!mayComeRight(error)) throw error;
  }
  return { outcome: "kept", row };
}

function mayComeRight(error: unknown): boolean {
  return error instanceof ApiProblem || error instanceof ConnectionError ||
    error instanceof UnexpectedAnswer || error instanceof CustodyError ||
    error instanceof DocumentError || error instanceof DamagedBlob;
}
