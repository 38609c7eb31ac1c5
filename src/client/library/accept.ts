/**
 * Accepting guests' files.
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import { NoLongerWaits } from "./faults.ts";
import { isStaleRevival } from "./asset_state.ts";
import { sealDerivatives } from "./derivatives.ts";
import {
  type AcceptOptions,
  contributionOf,
  isGone,
  waitingOf,
} from "./inbox.ts";
import {
  type AcceptContext,
  type Begun,
  finishOne,
  readyOf,
  settle,
} from "./finish_accepted.ts";
import type { Kept } from "./upload.ts";
import { journalKey } from "./journal.ts";
import { newId, primitivesOf } from "./platform.ts";
import { openBlob } from "./pull.ts";
import { storeAsset } from "./store_asset.ts";

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
