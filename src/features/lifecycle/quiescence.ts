/**
 * An album that is being upgraded takes nothing new
 * (protocol/albums.md#quiescence), but what was on its way may arrive.
 *
 * @module
 */
import type { AlbumId, AssetId, UserId } from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import type { Db } from "../../store/database.ts";
import type { AlbumView } from "../albums/access.ts";
import { wasUnderWay } from "./store.ts";

/**
 * Refuses a file that was neither in flight nor pending when the ceremony of
 * its album began.
 */
export async function assertTaken(
  db: Db,
  album: Pick<AlbumView, "quiescence">,
  file: {
    readonly userId: UserId;
    readonly albumId: AlbumId;
    readonly assetId: AssetId;
  },
  raise: Raise<"error.album.upgrade_in_flight">,
): Promise<void> {
  if (album.quiescence === undefined) return;
  if (await wasUnderWay(db, file)) return;
  throw raise("error.album.upgrade_in_flight");
}
