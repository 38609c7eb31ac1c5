/**
 * What the server has of an asset that is being taken in: all of it from an
 * earlier attempt, or less than it should.
 *
 * @module
 */
import type { Asset } from "../../wire/answers/assets.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { type Storing, verifyReceipts } from "../trust/asset_receipts.ts";
import type { SentAsset } from "./store_asset.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import type { Deletions } from "../trust/deletions.ts";
import { ciphertextSize } from "../../client/stream/stream.ts";
import { type Opener, openRow, putFresh } from "../rows/opening.ts";
import { blobOf, isBroken, type Row } from "../rows/rows.ts";
import type { Vault } from "../vault/vault.ts";

/**
 * Moves an asset whose blobs the server lost or damaged to the trash, once the
 * same file is stored again, with its receipts: no one needs to see it twice.
 */
export async function replaceBroken(
  { vault, index, deletions }: {
    readonly vault: Vault;
    readonly index: AssetIndex;
    readonly deletions: Deletions;
  },
  sha256: string,
  albumId: string,
): Promise<void> {
  const { account, userId } = vault.session;
  const broken = index.allByPlaintext(sha256).filter((row) =>
    row.state === "live" && row.album === albumId && row.owner === userId &&
    isBroken(row)
  );
  if (broken.length === 0) return;
  // Their file is stored again: it was not thrown away.
  await deletions.record(broken.map(({ metadata: _, ...row }) => row));
  for (const row of broken) {
    index.put(movedRow(row, await account.deleteAsset(row.id)));
  }
  await index.commit();
}

/**
 * A row after its asset was moved to the trash or back. If the server shows
 * another chain head with it, another device changed the asset: the row keeps
 * its place in the feed, so that the next sync fetches it.
 */
export function movedRow(row: Row, moved: Asset): Row {
  const { state, chain_head: head, sync_seq: seq } = moved;
  return { ...row, state, ...(head === row.head ? { seq } : {}) };
}

/**
 * An asset with these bytes that did not open so far, or that the server did
 * not have when it was asked. It is asked for again before the file is stored a
 * second time: one wrong answer must not make two photos of one.
 */
export async function reopened(
  { vault, index, opener }: {
    readonly vault: Vault;
    readonly index: AssetIndex;
    readonly opener: Opener;
  },
  { size, sha256 }: { readonly size: number; readonly sha256: string },
  albumId: string,
): Promise<Row | undefined> {
  const { account, userId } = vault.session;
  const sealed = ciphertextSize(size);
  for (const row of index.closed()) {
    const may = row.owner === userId && row.state === "live" &&
      row.album === albumId && blobOf(row, "original")?.size === sealed;
    if (!may) continue;
    await putFresh(opener, index, await account.asset(row.id));
  }
  for (const row of index.allByPlaintext(sha256)) {
    const may = row.owner === userId && row.state === "missing" &&
      row.album === albumId;
    const asset = may ? await storedAsset({ vault }, row.id) : undefined;
    if (asset !== undefined) await putFresh(opener, index, asset);
  }
  return index.byPlaintext(sha256, albumId);
}

/** The asset, if an earlier attempt got as far as its manifest. */
export async function storedAsset(
  { vault }: { readonly vault: Vault },
  assetId: string,
): Promise<Asset | undefined> {
  try {
    return await vault.session.account.asset(assetId);
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  }
}

/** Whether the server already has the asset by another manifest. */
export function isStaleRevival(error: unknown): boolean {
  return error instanceof ApiProblem &&
    error.code === "error.asset.stale_revival";
}

/**
 * Finishes an asset that is stored already: only its receipts are left to
 * verify.
 */
export async function finished(
  context: Storing & { readonly opener: Opener },
  asset: Asset,
): Promise<SentAsset> {
  const { asset_id: assetId, blobs } = asset;
  const receipts = await verifyReceipts(context, assetId, blobs);
  const row = await openRow(context.opener, asset, undefined);
  return { row: { ...row, custody: "receipted" }, receipts };
}
