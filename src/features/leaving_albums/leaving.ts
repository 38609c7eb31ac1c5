/**
 * Leaving an album, and ending one (protocol/albums.md#leaving-and-ending).
 *
 * @module
 */
import type { AlbumId, UserId } from "../../core/ids.ts";
import { transaction, type Tx } from "../../store/sqlite/database.ts";
import { requireAlbum, requireOwnAlbum } from "../albums/access.ts";
import { trashHorizon } from "../trash.ts";
import type { App } from "../app.ts";
import type { CallBy } from "../call.ts";
import { appendFeed } from "../feed.ts";
import { endUploads } from "../uploads/store.ts";
import { discardAll } from "../uploads/session.ts";
import {
  deleteMember,
  isAnythingIn,
  isAnythingOnItsWay,
  listOpenUploads,
  OPEN_AT_ONCE,
  tombstoneEmpty,
} from "./store.ts";

/**
 * Takes the caller off an album's roster as it is read; the owner's signature
 * stands, and the next roster that names them lets them in again. What they
 * were uploading to it ends, what they brought stays theirs.
 */
export async function leaveAlbum(
  call: CallBy<
    "session",
    "error.album.not_found" | "error.album.role_forbidden"
  >,
  albumId: AlbumId,
): Promise<void> {
  const { app, caller: { userId }, now: at, raise } = call;
  await endOpenUploads(app, userId, albumId, async (tx) => {
    const album = await requireAlbum(call, tx, userId, albumId);
    if (album.role === "owner") throw raise("error.album.role_forbidden");
    if (!await deleteMember(tx, albumId, userId)) {
      throw raise("error.album.not_found");
    }
    const entry = { action: "roster", albumId, at } as const;
    await appendFeed(tx, { ...entry, userId: album.ownerId });
    await appendFeed(tx, { ...entry, userId, personal: true });
  });
  app.signals.feedNotifier.notify();
}

/**
 * Ends an account's open sessions to an album, with the first of them in the
 * transaction of `first`. Cut off, the rest expire and finalize nothing.
 */
async function endOpenUploads(
  app: App,
  userId: UserId,
  albumId: AlbumId,
  first: (tx: Tx) => Promise<void>,
): Promise<void> {
  let before: ((tx: Tx) => Promise<void>) | undefined = first;
  for (let ended = OPEN_AT_ONCE; ended === OPEN_AT_ONCE;) {
    const work = before;
    const uploads = await transaction(app.db, async (tx) => {
      await work?.(tx);
      const open = await listOpenUploads(tx, albumId, userId);
      await endUploads(tx, open);
      return open;
    });
    before = undefined;
    ended = uploads.length;
    for (const upload of uploads) {
      // Whoever is sending to one is told to stop.
      await app.uploads.exclusive(
        upload.upload_id,
        () => discardAll(app, [upload]),
      );
    }
  }
}

/**
 * Tombstones an album of the caller's for ever, where no asset is in it or on
 * its way there. One that is tombstoned already makes no difference.
 */
export async function endAlbum(
  call: CallBy<
    "session",
    | "error.album.not_found"
    | "error.album.role_forbidden"
    | "error.album.not_empty"
    | "error.album.upgrade_in_flight"
  >,
  albumId: AlbumId,
): Promise<void> {
  const { app, caller: { userId }, now, raise } = call;
  const trash = trashHorizon(now, app.limits.trashMs);
  const ended = await transaction(app.db, async (tx) => {
    const album = await requireOwnAlbum(call, tx, albumId);
    if (album.tombstoned) return false;
    if (album.quiescence !== undefined) {
      throw raise("error.album.upgrade_in_flight");
    }
    const isEmpty = !await isAnythingIn(tx, albumId, trash) &&
      !await isAnythingOnItsWay(tx, albumId, now);
    if (!isEmpty) throw raise("error.album.not_empty");
    await tombstoneEmpty(tx, albumId, now);
    await appendFeed(tx, { userId, action: "tombstone", albumId, at: now });
    return true;
  });
  if (ended) app.signals.feedNotifier.notify();
}
