/**
 * An album that is being upgraded takes nothing new
 * (protocol/albums.md#quiescence), but what was on its way may arrive.
 *
 * @module
 */
import type { AlbumId, AssetId, UserId } from "../../core/ids.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { AlbumView } from "../albums/access.ts";
import type { Call } from "../call.ts";
import { wasUnderWay } from "./store.ts";

/**
 * Refuses a file that was neither in flight nor pending when the ceremony of
 * its album began.
 */
export async function refuseNewInUpgrade(
  { raise }: Call<"error.album.upgrade_in_flight">,
  db: Db,
  album: Pick<AlbumView, "quiescence">,
  file: {
    readonly userId: UserId;
    readonly albumId: AlbumId;
    readonly assetId: AssetId;
  },
): Promise<void> {
  if (album.quiescence === undefined) return;
  if (await wasUnderWay(db, file)) return;
  throw raise("error.album.upgrade_in_flight");
}
