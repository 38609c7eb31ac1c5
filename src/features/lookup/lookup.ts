/**
 * Looking a user up by address, handle or id, as an account of this server or as
 * the bearer of a capability (protocol/discovery.md#people).
 *
 * @module
 */
import { type Expression, sql } from "kysely";
import type { z } from "zod";
import { toBase64 } from "../../core/bytes.ts";
import type { Callers } from "../../core/caller.ts";
import type { AlbumId, UserId } from "../../core/ids.ts";
import { compiledOnce } from "../../store/sqlite/compiled.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { LookupResponse } from "../../wire/answers/accounts.ts";
import type { Wanted } from "../../wire/bodies/accounts.ts";
import type { CallBy } from "../call.ts";
import { charge } from "../charge.ts";

/** Charges the looker's budget, then answers with who was asked for. */
export async function lookUp(
  call: CallBy<"reader", "error.user.not_found" | "error.user.rate_limited">,
  wanted: Wanted,
): Promise<z.input<typeof LookupResponse>> {
  const { raise } = call;
  const spent = charge(call, "lookup", [lookerOf(call.caller)]);
  if (spent !== undefined) throw raise("error.user.rate_limited", spent);
  const user = await find(call, wanted);
  if (user === undefined) throw raise("error.user.not_found");
  return {
    user_id: user.user_id,
    ...(user.display_name === null ? {} : { display_name: user.display_name }),
    ...(user.handle === null ? {} : { handle: user.handle }),
    ...(user.directory_version === null
      ? {}
      : { directory_version: user.directory_version }),
    ...(user.identity_key === null
      ? {}
      : { identity_key: toBase64(user.identity_key) }),
  };
}

/** An id finds the caller, and people who share an album with the caller. */
function find({ app, caller }: CallBy<"reader", never>, wanted: Wanted) {
  switch (wanted.by) {
    case "address":
      return findByAddress(app.db, wanted.address);
    case "handle":
      return findByHandle(app.db, wanted.handle);
    case "id":
      return caller.kind === "session"
        ? findAcquainted(app.db, wanted.userId, caller.userId)
        : findInAlbum(app.db, wanted.userId, caller.albumId);
  }
}

/** Whose budget it is: all capabilities of a peer share one. */
function lookerOf(caller: Callers["reader"]): string {
  return caller.kind === "session"
    ? `account ${caller.userId}`
    : `peer ${caller.peer}`;
}

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
const findByAddress = compiledOnce((db, address: string) =>
  users(db).where("account.address", "=", address)
);

/** The user who opted into anonymous lookup under a handle. */
const findByHandle = compiledOnce((db, handle: string) =>
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
function findAcquainted(db: Db, userId: UserId, by: UserId) {
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
function findInAlbum(db: Db, userId: UserId, albumId: AlbumId) {
  return users(db).where("account.user_id", "=", userId)
    .where(isIn(sql`${albumId}`))
    .executeTakeFirst();
}
