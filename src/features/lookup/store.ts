import { type Expression, sql } from "kysely";
import type { AlbumId, UserId } from "../../core/ids.ts";
import { compiledOnce } from "../../store/sqlite/compiled.ts";
import type { Db } from "../../store/sqlite/database.ts";

function users(db: Db) {
  return db.selectFrom("account")
    .leftJoin("public_record", "public_record.user_id", "account.user_id")
    .select([
      "account.user_id",
      "account.display_name",
      "account.directory_version",
      "account.identity_key",
      "public_record.handle",
    ]);
}

/** The user of a normalised address. */
export const findByAddress = compiledOnce((db, address: string) =>
  users(db).where("account.address", "=", address)
);

/** The user who opted into anonymous lookup under a handle. */
export const findByHandle = compiledOnce((db, handle: string) =>
  users(db).where("public_record.handle", "=", handle)
);

/** Whether a user owns an album or is named on its roster. */
function isIn(albumId: Expression<string>) {
  return sql<boolean>`(
    exists (select 1 from album where album.album_id = ${albumId}
      and album.owner_id = account.user_id)
    or exists (select 1 from roster_member
      where roster_member.album_id = ${albumId}
        and roster_member.member = account.user_id))`;
}

/** The user of an id, for themselves and who is in an album with them. */
export function findAcquainted(db: Db, userId: UserId, by: UserId) {
  return users(db).where("account.user_id", "=", userId)
    .where(sql<boolean>`(account.user_id = ${by} or exists (
      select 1 from roster_member as own where own.member = ${by}
        and ${isIn(sql.ref("own.album_id"))})
      or exists (
        select 1 from roster_member as theirs
        join album on album.album_id = theirs.album_id
        where theirs.member = account.user_id and album.owner_id = ${by}))`)
    .executeTakeFirst();
}

/** The user of an id who is in an album. */
export function findInAlbum(db: Db, userId: UserId, albumId: AlbumId) {
  return users(db).where("account.user_id", "=", userId)
    .where(isIn(sql`${albumId}`))
    .executeTakeFirst();
}
