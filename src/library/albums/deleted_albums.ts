/**
 * Own photos in albums whose owners deleted their accounts.
 *
 * @module
 */
import type { AlbumKeys } from "../rows/album_keys.ts";
import type { Albums } from "./albums.ts";
import { amendAsset } from "../adding/amend.ts";
import { isOfEverything } from "../base/faults.ts";
import { withKeys } from "./former_albums.ts";
import { inParallel } from "../base/parallel.ts";
import { fileKeyOf } from "../rows/pull.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { UploadContext } from "../adding/upload_types.ts";

const AT_ONCE = 4;

/**
 * Keeps keys of others' albums in the account's state: should an album go with
 * its owner's account, devices that were never in it open the photos that this
 * account had put there.
 */
export async function keepAlbumKeys(
  keys: AlbumKeys,
  state: SharedState,
  epochs: ReadonlyMap<string, ReadonlySet<number>>,
  now: () => number,
): Promise<void> {
  for (const [albumId, wanted] of epochs) {
    const found = (await keys.keysOf(albumId))
      .filter(({ epoch }) => wanted.has(epoch))
      .map(({ epoch, amk }) => [epoch, amk] as const);
    if (found.length === 0) continue;
    await state.change((held) => withKeys(held, albumId, found, now()));
  }
}

/**
 * Own photos of an album whose owner deleted their account: the server took the
 * album away from them, and new devices have no key for them. Each gets a
 * manifest without an album, as long as this device has its key. Returns how
 * many did. The server tells no one that it took the album away: photos of
 * albums that the account is no longer in are asked for once, noted in `asked`.
 */
export async function leaveDeletedAlbums(
  context: UploadContext,
  albums: Pick<Albums, "get">,
  asked: Set<string>,
): Promise<number> {
  const { index, vault: { libraryAlbumId, session } } = context;
  const { account, userId } = session;
  const lonely = [...index.rows()].filter((row) =>
    row.owner === userId && row.state === "live" && !asked.has(row.id) &&
    row.metadata !== undefined && row.album !== undefined &&
    row.album !== libraryAlbumId && albums.get(row.album) === undefined
  );
  let left = 0;
  await inParallel(lonely, AT_ONCE, async (row) => {
    asked.add(row.id);
    try {
      const { album_id, state, chain_head } = await account.asset(row.id);
      const isOut = !album_id && state === "live" && chain_head === row.head;
      if (!isOut) return;
      const key = await fileKeyOf(context, row);
      const { album: _album, fault: _fault, ...rest } = row;
      await amendAsset(context, { ...rest, key }, {});
      left += 1;
    } catch (error) {
      // It stays as it is, and the next pass tries it again.
      if (!(error instanceof Error) || isOfEverything(error)) throw error;
    }
  });
  return left;
}
