/**
 * Making own albums, and giving back to a restored server what it lost of them.
 *
 * @module
 */
import { sha256Hex } from "../../crypto/sha256.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { isOfEverything } from "../base/faults.ts";
import type { HeldAlbums } from "./held_albums.ts";
import type { Leavers } from "./departed_members.ts";
import { entryOf } from "../base/merging.ts";
import type { Trust } from "../trust/trust.ts";
import { claimInForce } from "../trust/trust_rules.ts";
import type { Vault } from "../vault/vault.ts";

/** Album 1 is reserved for data that programs share. */
const FIRST_ALBUM = 2;
/** So many ids may be taken by albums that the server does not list. */
const MOST_TAKEN = 32;

/** Provisions the first id that no album has; returns it. */
export async function provisionNext(
  { session: { account }, identity }: Vault,
  known: Iterable<string>,
): Promise<string> {
  const listed = await account.albums();
  // One that was cut off before its first roster has no name, and no one in it.
  const used = new Set(known);
  const begun = listed.filter((
    { album_id, role, roster_version, tombstoned },
  ) =>
    role === "owner" && roster_version === 0 && !tombstoned &&
    !used.has(album_id)
  ).map(({ album_id }) => album_id);
  const taken = new Set([...used, ...listed.map(({ album_id }) => album_id)]);
  for (let index = FIRST_ALBUM, tries = 1; tries <= MOST_TAKEN; index++) {
    const albumId = identity.albumId(index);
    if (begun.includes(albumId)) return albumId;
    if (taken.has(albumId)) continue;
    try {
      if ((await account.provisionAlbum(albumId)).created) return albumId;
    } catch (error) {
      const isOthers = error instanceof ApiProblem &&
        error.code === "error.album.not_owner";
      if (!isOthers) throw error;
    }
    // It is another album already, whatever the list says.
    tries++;
  }
  throw new DocumentError("the server says that every album id is taken");
}

/**
 * Publishes the roster of an own, frozen album again, which a restored server
 * lost; true if the server shows it afterwards.
 */
export async function publishAgain(
  { session: { account } }: Vault,
  albums: HeldAlbums,
  { trust, leavers }: { readonly trust: Trust; readonly leavers: Leavers },
  albumId: string,
): Promise<boolean> {
  const album = albums.held.get(albumId);
  if (album?.fault === undefined || album.bytes === undefined) return false;
  const { entry, bytes, roster } = album;
  const claim = claimInForce(entryOf(trust.record.albums, albumId));
  // Another device of the account may have a newer one.
  const isNewest = roster !== undefined && !entry.tombstoned &&
    roster.roster_version === claim?.roster_version &&
    sha256Hex(bytes) === claim.roster;
  if (!isNewest) return false;
  try {
    await account.provisionAlbum(albumId);
    await leavers.publishes(
      albumId,
      () => account.publishRoster(albumId, bytes),
    );
  } catch (error) {
    if (isOfEverything(error)) throw error;
    return false;
  }
  // Asked again: the answer to a publication is only a claim, too.
  const listed = (await account.albums())
    .find(({ album_id }) => album_id === albumId);
  if (listed !== undefined) await albums.renew(listed);
  return albums.held.get(albumId)?.fault === undefined;
}
