/** @module */
import { sql } from "kysely";
import type { AlbumId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/database.ts";
import type { MemberRole } from "../../store/schema.ts";

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

/** The members of an album's roster that these are not among. */
export async function listLeaving(
  db: Db,
  albumId: AlbumId,
  staying: readonly string[],
): Promise<string[]> {
  const rows = await db.selectFrom("roster_member")
    .select("member")
    .where("album_id", "=", albumId)
    .where(
      "member",
      "not in",
      sql<string>`(select value from json_each(${JSON.stringify(staying)}))`,
    )
    .execute();
  return rows.map(({ member }) => member);
}

/** Makes these the members of an album, with one statement for them all. */
export async function replaceMembers(
  tx: Tx,
  albumId: AlbumId,
  members: readonly { readonly member: string; readonly role: MemberRole }[],
): Promise<void> {
  await tx.deleteFrom("roster_member")
    .where("album_id", "=", albumId)
    .execute();
  await sql`
    insert into roster_member (album_id, member, role)
    select ${albumId}, value ->> 'member', value ->> 'role'
    from json_each(${JSON.stringify(members)})
  `.execute(tx);
}
