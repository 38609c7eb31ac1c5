import type { Insertable, Selectable } from "kysely";
import type { AlbumId, CapabilityId, UserId } from "../../core/ids.ts";
import { compiledOnce } from "../../store/sqlite/compiled.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";

export type GrantRow = Selectable<Schema["capability_grant"]>;
export type CapabilityRow = Selectable<Schema["capability"]>;

/**
 * The grant of an unexpired token that was issued under it, while it is not
 * revoked. A token is never good beyond the end of its grant.
 */
export const findLiveGrant = compiledOnce(
  (db, jti: CapabilityId, now: number) =>
    db.selectFrom("capability")
      .innerJoin(
        "capability_grant",
        "capability_grant.grant_id",
        "capability.grant_id",
      )
      .selectAll("capability_grant")
      .where("capability.jti", "=", jti)
      .where("capability.expires_at", ">", now)
      .where("capability_grant.revoked_at", "is", null),
);

/** The same, while its member is on the album's roster. */
export const findCarriedGrant = compiledOnce(
  (db, jti: CapabilityId, now: number) =>
    db.selectFrom("capability")
      .innerJoin(
        "capability_grant",
        "capability_grant.grant_id",
        "capability.grant_id",
      )
      .innerJoin("roster_member", (join) =>
        join.onRef("roster_member.album_id", "=", "capability_grant.album_id")
          .onRef("roster_member.member", "=", "capability_grant.member"))
      .selectAll("capability_grant")
      .where("capability.jti", "=", jti)
      .where("capability.expires_at", ">", now)
      .where("capability_grant.revoked_at", "is", null),
);

/** The grants for all albums of an owner's that are kept. */
export async function countGrants(tx: Tx, ownerId: UserId): Promise<number> {
  const { count } = await tx.selectFrom("album")
    .innerJoin(
      "capability_grant",
      "capability_grant.album_id",
      "album.album_id",
    )
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("album.owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function isOnRoster(
  db: Db,
  albumId: AlbumId,
  member: string,
): Promise<boolean> {
  const row = await db.selectFrom("roster_member")
    .select("member")
    .where("album_id", "=", albumId)
    .where("member", "=", member)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertGrant(
  tx: Tx,
  grant: Insertable<Schema["capability_grant"]>,
  first: Insertable<Schema["capability"]>,
): Promise<void> {
  await tx.insertInto("capability_grant").values(grant).execute();
  await tx.insertInto("capability").values(first).execute();
}

/** Notes a token's successor; false when it has one already. */
export async function insertSuccessor(
  tx: Tx,
  successor: Insertable<Schema["capability"]>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.insertInto("capability")
    .values(successor)
    .onConflict((conflict) => conflict.column("predecessor_jti").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export function findSuccessor(db: Db, predecessor: CapabilityId) {
  return db.selectFrom("capability")
    .selectAll()
    .where("predecessor_jti", "=", predecessor)
    .executeTakeFirstOrThrow();
}

/** Ends the grant that a token of this album belongs to, if there is one. */
export async function revokeGrant(
  db: Db,
  albumId: AlbumId,
  jti: CapabilityId,
  now: number,
): Promise<void> {
  await db.updateTable("capability_grant")
    .set({ revoked_at: now })
    .where("album_id", "=", albumId)
    .where("revoked_at", "is", null)
    .where(
      "grant_id",
      "=",
      db.selectFrom("capability").select("grant_id").where("jti", "=", jti),
    )
    .execute();
}

/**
 * Sets the hash of the secret that renews the grant of a token of this album;
 * false if no renewable live grant has the token.
 */
export async function setVerifier(
  db: Db,
  { albumId, jti, verifier, now }: {
    readonly albumId: AlbumId;
    readonly jti: CapabilityId;
    /** SHA-256 in hex. */
    readonly verifier: string;
    readonly now: number;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable("capability_grant")
    .set({ renewal: verifier })
    .where("album_id", "=", albumId)
    .where("revoked_at", "is", null)
    .where("renewable", "=", 1)
    .where("not_after", ">", now)
    .where(
      "grant_id",
      "=",
      db.selectFrom("capability").select("grant_id").where("jti", "=", jti),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** The live grant of a token, expired or not, that a verifier renews. */
export function findRenewable(
  db: Db,
  { jti, verifier, now }: {
    readonly jti: CapabilityId;
    readonly verifier: string;
    readonly now: number;
  },
) {
  return db.selectFrom("capability")
    .innerJoin(
      "capability_grant",
      "capability_grant.grant_id",
      "capability.grant_id",
    )
    .selectAll("capability_grant")
    .where("capability.jti", "=", jti)
    .where("capability_grant.renewal", "=", verifier)
    .where("capability_grant.revoked_at", "is", null)
    .where("capability_grant.not_after", ">", now)
    .executeTakeFirst();
}

/**
 * The newest token of a grant that goes on, of those without a successor. There
 * is one: the first token of such a grant is never purged.
 */
export function findNewest(db: Db, grantId: GrantRow["grant_id"]) {
  return db.selectFrom("capability")
    .selectAll()
    .where("grant_id", "=", grantId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(
        selectFrom("capability as next")
          .select("next.jti")
          .whereRef("next.predecessor_jti", "=", "capability.jti"),
      ))
    )
    .orderBy("expires_at", "desc")
    .orderBy("jti", "desc")
    .executeTakeFirstOrThrow();
}

/**
 * Every unexpired token of a revoked grant, or of a deleted account's album,
 * soonest expiry first.
 */
export function listRevoked(db: Db, now: number) {
  return db.selectFrom("capability")
    .innerJoin(
      "capability_grant",
      "capability_grant.grant_id",
      "capability.grant_id",
    )
    .select(["capability.jti", "capability.expires_at"])
    .where("capability_grant.revoked_at", "is not", null)
    .where("capability.expires_at", ">", now)
    .unionAll(
      db.selectFrom("gone_capability")
        .select(["jti", "expires_at"])
        .where("expires_at", ">", now),
    )
    .orderBy("expires_at")
    .orderBy("jti")
    .execute();
}

/**
 * Removes grants past their end or revoked with no token left to list, and with
 * them their tokens' records; returns how many grants. The record of an expired
 * token of a live grant goes as soon as no one can name the grant by it: its
 * owner revokes the grant by the token that was minted.
 */
export async function purgeGrants(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom("capability_grant")
    .where((where) =>
      where.or([
        where("not_after", "<=", now),
        where.and([
          where("revoked_at", "is not", null),
          where.not(where.exists(
            where.selectFrom("capability")
              .select("jti")
              .whereRef("capability.grant_id", "=", "capability_grant.grant_id")
              .where("capability.expires_at", ">", now),
          )),
        ]),
      ])
    )
    .executeTakeFirst();
  await db.deleteFrom("capability")
    .where("expires_at", "<=", now)
    .where("predecessor_jti", "is not", null)
    .execute();
  await db.deleteFrom("gone_capability")
    .where("expires_at", "<=", now)
    .execute();
  return Number(numDeletedRows);
}
