import { sql } from "kysely";
import type { AlbumId, UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { MemberRole } from "../../store/sqlite/schema.ts";

/** A roster with the version and epoch of its album, which are its own. */
export function findRoster(db: Db, albumId: AlbumId) {
  return db.selectFrom("roster")
    .innerJoin("album", "album.album_id", "roster.album_id")
    .select([
      "body",
      "body_hash",
      "member_count",
      "roster_version",
      "amk_epoch",
    ])
    .where("roster.album_id", "=", albumId)
    .executeTakeFirst();
}

/**
 * Moves an album on to a roster version: above the one held, at most `leap`
 * above it, with an epoch that does not fall, and while the album lives.
 */
export async function advanceRoster(
  tx: Tx,
  albumId: AlbumId,
  to: { readonly version: number; readonly amkEpoch: number },
  leap: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("album")
    .set({ roster_version: to.version, amk_epoch: to.amkEpoch })
    .where("album_id", "=", albumId)
    .where("tombstoned_at", "is", null)
    .where("roster_version", "<", to.version)
    .where("roster_version", ">=", to.version - leap)
    .where("amk_epoch", "<=", to.amkEpoch)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function putRoster(
  tx: Tx,
  roster: {
    readonly album_id: AlbumId;
    readonly body: Uint8Array<ArrayBuffer>;
    readonly body_hash: string;
    readonly member_count: number;
    readonly published_at: number;
  },
): Promise<void> {
  const { album_id: _same, ...values } = roster;
  await tx.insertInto("roster")
    .values(roster)
    .onConflict((conflict) => conflict.column("album_id").doUpdateSet(values))
    .execute();
}

/** Bytes of an album's roster; 0 while it has none. */
export async function readRosterSize(
  db: Db,
  albumId: AlbumId,
): Promise<number> {
  const row = await db.selectFrom("roster")
    .select(sql<number>`length(body)`.as("size"))
    .where("album_id", "=", albumId)
    .executeTakeFirst();
  return row?.size ?? 0;
}

/** Of these names those that an album's roster has not. */
export async function listComing(
  db: Db,
  albumId: AlbumId,
  names: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ readonly value: string }>`
    select value from json_each(${JSON.stringify(names)})
    where not exists (select 1 from roster_member
      where album_id = ${albumId} and member = value)`.execute(db);
  return rows.map(({ value }) => value);
}

/** The members of an album's roster that these are not among. */
export async function listLeaving(
  db: Db,
  albumId: AlbumId,
  staying: readonly string[],
): Promise<string[]> {
  const rows = await db.selectFrom("roster_member")
    .select("member")
    .where("album_id", "=", albumId)
    .where("member", "not in", listed(staying))
    .execute();
  return rows.map(({ member }) => member);
}

/**
 * Makes these the members of an album of an owner's, with one statement each
 * for those who leave, who stay and who come.
 */
export async function replaceMembers(
  tx: Tx,
  albumId: AlbumId,
  ownerId: UserId,
  members: readonly { readonly member: string; readonly role: MemberRole }[],
): Promise<void> {
  const names = members.map(({ member }) => member);
  await tx.deleteFrom("roster_member")
    .where("album_id", "=", albumId)
    .where("member", "not in", listed(names))
    .execute();
  // `where true`: what follows a select's `on` is a join's otherwise.
  await sql`
    insert into roster_member (album_id, member, role, owner_id)
    select ${albumId}, value ->> 'member', value ->> 'role', ${ownerId}
    from json_each(${JSON.stringify(members)}) where true
    on conflict (album_id, member) do update set role = excluded.role
      where role <> excluded.role
  `.execute(tx);
}

/** Which of these is named in more albums of an owner's than `most`. */
export async function findNamedTooOften(
  tx: Tx,
  ownerId: UserId,
  names: readonly string[],
  most: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly value: string }>`
    select value from json_each(${JSON.stringify(names)})
    where (select count(*) from roster_member
      where owner_id = ${ownerId} and member = value) > ${most}
    limit 1`.execute(tx);
  return rows[0]?.value;
}

/** What the rosters of all albums of an owner's come to. */
export async function sumRosters(
  tx: Tx,
  ownerId: UserId,
): Promise<{ readonly names: number; readonly bytes: number }> {
  const { rows } = await sql<{ names: number; bytes: number }>`
    select
      (select count(*) from roster_member where owner_id = ${ownerId})
        as names,
      (select coalesce(sum(length(roster.body)), 0)
        from album join roster on roster.album_id = album.album_id
        where album.owner_id = ${ownerId}) as bytes`.execute(tx);
  return rows[0] ?? { names: 0, bytes: 0 };
}

/** Appends an entry of an album for each of these that is an account here. */
export async function tellLeaving(
  tx: Tx,
  albumId: AlbumId,
  leaving: readonly string[],
  at: number,
): Promise<void> {
  await sql`insert into feed (user_id, action, album_id, personal, at)
    select user_id, 'roster', ${albumId}, 1, ${at}
    from account where user_id in ${listed(leaving)}`.execute(tx);
}

function listed(names: readonly string[]) {
  return sql<string>`(select value from json_each(${JSON.stringify(names)}))`;
}
