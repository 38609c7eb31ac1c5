/**
 * What the server has of an asset that is being taken in: all of it from an
 * earlier attempt, or less than it should.
 *
 * @module
 */
import type { AssetResponse } from "../answers.ts";
import { ApiProblem } from "../api.ts";
import type { AssetIndex } from "./asset_index.ts";
import { isBroken } from "./rows.ts";
import type { Vault } from "./vault.ts";

/**
 * Moves an asset whose blobs the server lost or damaged to the trash, once the
 * same file is stored again, with its receipts: nobody needs to see it twice.
 */
export async function replaceBroken(
  { vault, index }: { readonly vault: Vault; readonly index: AssetIndex },
  sha256: string,
  albumId: string,
): Promise<void> {
  const { account, userId } = vault.session;
  const broken = index.allByPlaintext(sha256).filter((row) =>
    row.state === "live" && row.album === albumId && row.owner === userId &&
    isBroken(row)
  );
  for (const row of broken) {
    const { state, sync_seq: seq } = await account.deleteAsset(row.id);
    index.put({ ...row, state, seq });
  }
  if (broken.length > 0) await index.commit();
}

/** The asset, if an earlier attempt got as far as its manifest. */
export async function storedAsset(
  { vault }: { readonly vault: Vault },
  assetId: string,
): Promise<AssetResponse | undefined> {
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
