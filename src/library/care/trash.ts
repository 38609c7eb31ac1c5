/**
 * The trash, and what left the library otherwise. Every deletion is noted in
 * the account's own record before the server is asked; see `deletions.ts`.
 *
 * @module
 */
import type { Asset } from "../../wire/answers/assets.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import type { Deletions } from "../trust/deletions.ts";
import { lostRows } from "../rows/losses.ts";
import { isOvertaken, type Opener, putFresh } from "../rows/opening.ts";
import { newestFirst, type Row } from "../rows/rows.ts";

/** What deleting works with. */
interface TrashContext {
  readonly opener: Opener;
  readonly index: AssetIndex;
  readonly deletions: Deletions;
}

/** The trash of a library, and its losses. */
export interface LibraryTrash {
  /** The rows in the trash, newest first. */
  trashed(): readonly Row[];
  /** Notes deletions that follow, all in one request. */
  noteDeletions(assetIds: readonly string[]): Promise<void>;
  /** Moves an asset to the trash. */
  trash(assetId: string): Promise<void>;
  /** Restores an asset from the trash. */
  restore(assetId: string): Promise<void>;
  /** Deletes an asset in the trash for ever. */
  purge(assetId: string): Promise<void>;
  /** Deletes everything in the trash for ever, except what must be kept. */
  emptyTrash(): Promise<{ readonly assets: number; readonly bytes: number }>;
  /**
   * Own photos that the server no longer has although this account did not
   * delete them, or of which it shows an older version; newest first.
   */
  missing(): readonly Row[];
  /** Own photos that the owners of their albums deleted; newest first. */
  removed(): readonly Row[];
  /** Gives up assets of {@link missing} and {@link removed}. */
  giveUp(assetIds: readonly string[]): Promise<void>;
}

/** Makes the functions of the trash; `sync` follows the feed. */
export function openTrash(
  { opener, index, deletions }: TrashContext,
  sync: () => Promise<unknown>,
): LibraryTrash {
  const { account, userId } = opener.vault.session;
  const inState = (state: Row["state"]) =>
    newestFirst([...index.rows()].filter((row) => row.state === state));
  const rowsOf = (ids: readonly string[]) =>
    ids.flatMap((id) => index.get(id) ?? []);
  const moved = async (assetId: string, asset: Asset) => {
    const row = index.get(assetId);
    if (row === undefined || row.head !== asset.chain_head) {
      // Another device changed it: what it is now is read with its new state.
      await putFresh(opener, index, asset);
      return await index.commit();
    }
    if (isOvertaken(row, asset)) return;
    await index.append({ ...row, state: asset.state, seq: asset.sync_seq });
  };
  return {
    trashed: () => inState("deleted"),
    noteDeletions: (ids) => deletions.record(rowsOf(ids)),
    async trash(id) {
      await deletions.record(rowsOf([id]));
      await moved(id, await account.deleteAsset(id));
    },
    async restore(id) {
      await deletions.undo([id]);
      await moved(id, await account.restoreAsset(id));
    },
    async purge(id) {
      await deletions.record(rowsOf([id]));
      await account.purgeAsset(id);
      index.remove(id);
      await index.commit();
      await deletions.seenGone([id]);
    },
    async emptyTrash() {
      await deletions.record(
        inState("deleted").filter(({ owner }) => owner === userId),
      );
      const emptied = await account.emptyTrash();
      // Retained and held assets stay; the feed says which were deleted.
      await sync();
      return emptied;
    },
    missing: () => newestFirst(lostRows(index, userId)),
    removed: () => inState("removed"),
    async giveUp(ids) {
      const given = rowsOf(ids)
        .filter(({ state }) => state === "missing" || state === "removed");
      await deletions.record(given);
      for (const { id } of given) index.remove(id);
      await index.commit();
    },
  };
}
