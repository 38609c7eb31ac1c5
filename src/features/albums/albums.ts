/**
 * Albums: provisioning and listing (protocol/albums.md).
 *
 * @module
 */
import type { AlbumId, UserId } from "../../core/ids.ts";
import type { ProtocolDate } from "../../core/protocol.ts";
import { toRfc3339 } from "../../core/time.ts";
import { transaction } from "../../store/sqlite/database.ts";
import type { App } from "../app.ts";
import type { CallBy } from "../call.ts";
import { appendFeed } from "../feed.ts";
import { assertWithin } from "../row_limits.ts";
import type { AlbumRole } from "./access.ts";
import { countAlbums, findAlbum, insertAlbum, listAlbumsOf } from "./store.ts";

/** Binds an album id to the caller, pinned to the request's protocol date. */
export async function provisionAlbum(
  call: CallBy<
    "session",
    "error.album.not_owner" | "error.account.limit_reached"
  >,
  albumId: AlbumId,
  protocol: ProtocolDate,
) {
  const { app, caller: { userId }, now, raise } = call;
  const provisioned = await transaction(app.db, async (tx) => {
    const created = await insertAlbum(tx, {
      album_id: albumId,
      owner_id: userId,
      protocol_version: protocol,
      created_at: now,
    });
    const album = await findAlbum(tx, albumId);
    if (album?.owner_id !== userId) throw raise("error.album.not_owner");
    if (created) {
      assertWithin(call, "albums", await countAlbums(tx, userId));
      await appendFeed(tx, { userId, action: "album", albumId, at: now });
    }
    return {
      album_id: albumId,
      protocol_version: album.protocol_version,
      created,
    };
  });
  app.signals.feedNotifier.notify();
  return provisioned;
}

/** The caller's own albums and those shared with the caller, on the wire. */
export async function listAlbums(app: App, userId: UserId) {
  const albums = await listAlbumsOf(app.db, userId);
  return {
    albums: albums.map((album) => ({
      album_id: album.album_id,
      role: roleOf(album, userId),
      protocol_version: album.protocol_version,
      roster_version: album.roster_version,
      amk_epoch: album.amk_epoch,
      tombstoned: album.tombstoned_at !== null,
      ...(album.successor_id === null
        ? {}
        : { successor_album_id: album.successor_id }),
      created_at: toRfc3339(album.created_at),
    })),
  };
}

function roleOf(
  album: { readonly owner_id: UserId; readonly role: AlbumRole | null },
  userId: UserId,
): AlbumRole {
  if (album.owner_id === userId) return "owner";
  if (album.role === null) throw new Error("listed, but not named");
  return album.role;
}
