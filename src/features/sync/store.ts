import { type RawBuilder, sql } from "kysely";
import type {
  AlbumId,
  AssetId,
  BlobHash,
  SessionId,
  StateSlot,
  UserId,
} from "../../core/ids.ts";
import { compiledList, compiledOnce } from "../../store/sqlite/compiled.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { FeedAction } from "../../store/sqlite/schema.ts";

/** A part of the feed: from above one position up to another. */
export interface Slice {
  readonly after: number;
  /** The last position that it may reach. */
  readonly upTo: number;
}

/** An entry as it is read. */
export interface Entry {
  readonly sync_seq: number;
  readonly action: FeedAction;
  readonly album_id: AlbumId | null;
  readonly asset_id: AssetId | null;
  readonly chain_head: BlobHash | null;
  readonly slot: StateSlot | null;
  readonly at: number;
}

const COLUMNS = sql`sync_seq, action, album_id, asset_id, chain_head, slot, at`;

const compilable = <R>(db: Db, query: RawBuilder<R>) => ({
  compile: () => query.compile(db),
});

/**
 * The queries of pages that have so many rows at most. The number is written
 * out: SQLite would prepare the statement again for a bound LIMIT.
 */
export function feedPages(rows: number) {
  const limit = sql`order by sync_seq limit ${sql.lit(rows)}`;
  const near = compiledList(
    (db, after: number, upTo: number, a: UserId, b: UserId, c: UserId) =>
      compilable(
        db,
        sql<Entry>`select ${COLUMNS} from feed
          where sync_seq > ${after} and sync_seq <= ${upTo}
            and (+user_id = ${a} or +album_owner_id = ${b}
              or (personal = 0 and exists (
                select 1 from roster_member
                where roster_member.album_id = feed.album_id
                  and roster_member.member = ${c})))
          ${limit}`,
      ),
  );
  const far = compiledList((
    db,
    a: UserId,
    afterA: number,
    upToA: number,
    b: UserId,
    afterB: number,
    upToB: number,
    c: UserId,
    afterC: number,
    upToC: number,
  ) =>
    compilable(
      db,
      sql<Entry>`select ${COLUMNS} from feed where sync_seq in (
          select sync_seq from (select sync_seq from feed
            where user_id = ${a}
              and sync_seq > ${afterA} and sync_seq <= ${upToA} ${limit})
          union
          select sync_seq from (select sync_seq from feed
            where album_owner_id = ${b}
              and sync_seq > ${afterB} and sync_seq <= ${upToB} ${limit})
          union
          select sync_seq from (select feed.sync_seq from roster_member
            cross join feed on feed.album_id = roster_member.album_id
            where roster_member.member = ${c}
              and feed.sync_seq > ${afterC} and feed.sync_seq <= ${upToC}
              and feed.personal = 0 ${limit}))
        ${limit}`,
    )
  );
  const ofAlbum = compiledList(
    (db, albumId: AlbumId, after: number, upTo: number) =>
      compilable(
        db,
        sql<Entry>`select ${COLUMNS} from feed
          where album_id = ${albumId}
            and sync_seq > ${after} and sync_seq <= ${upTo}
            and personal = 0 ${limit}`,
      ),
  );
  return {
    rows,
    /**
     * What an account sees of a few positions: each of them is looked at, which
     * costs the same however many albums the account is in.
     */
    near: (db: Db, userId: UserId, { after, upTo }: Slice) =>
      near(db, after, upTo, userId, userId, userId),
    /** The same of many positions: each of the account's albums is asked. */
    far: (db: Db, userId: UserId, { after, upTo }: Slice) =>
      far(db, userId, after, upTo, userId, after, upTo, userId, after, upTo),
    /** The entries of an album, for all who may read it. */
    ofAlbum: (db: Db, albumId: AlbumId, { after, upTo }: Slice) =>
      ofAlbum(db, albumId, after, upTo),
  };
}
export type FeedPages = ReturnType<typeof feedPages>;

const findLast = compiledOnce((db) =>
  db.selectFrom("feed")
    .select((select) => select.fn.max("sync_seq").as("last"))
);

/** The newest position that is taken; 0 while none is. */
export async function readLastPosition(db: Db): Promise<number> {
  return (await findLast(db))?.last ?? 0;
}

const findEpoch = compiledOnce((db) =>
  db.selectFrom("server").select("feed_epoch")
);

export async function readEpoch(db: Db): Promise<string> {
  const row = await findEpoch(db);
  if (row === undefined) throw new Error("a database without its server row");
  return row.feed_epoch;
}

/** Whom the entries of a part of the feed concern, members apart. */
export const listConcerned = compiledList(
  (db, after: number, upTo: number) =>
    db.selectFrom("feed")
      .select(["user_id", "album_owner_id", "album_id", "personal"])
      .distinct()
      .where("sync_seq", ">", after)
      .where("sync_seq", "<=", upTo),
);

/** Of these accounts those that a roster of these albums names. */
export async function listMembersAmong(
  db: Db,
  albums: readonly AlbumId[],
  accounts: readonly UserId[],
): Promise<string[]> {
  const rows = await membersAmong(
    db,
    JSON.stringify(albums),
    JSON.stringify(accounts),
  );
  return rows.map(({ member }) => member);
}

const membersAmong = compiledList((db, albums: string, accounts: string) =>
  db.selectFrom("roster_member")
    .select("member")
    .distinct()
    .where(
      "album_id",
      "in",
      sql<AlbumId>`(select value from json_each(${albums}))`,
    )
    .where(
      "member",
      "in",
      sql<string>`(select value from json_each(${accounts}))`,
    )
);

/** Of these sessions those that have not ended. */
export async function listOpenAmong(
  db: Db,
  sessions: readonly SessionId[],
  now: number,
): Promise<SessionId[]> {
  const rows = await openAmong(db, JSON.stringify(sessions), now);
  return rows.map(({ session_id }) => session_id);
}

const openAmong = compiledList((db, sessions: string, now: number) =>
  db.selectFrom("session")
    .select("session_id")
    .where(
      "session_id",
      "in",
      sql<SessionId>`(select value from json_each(${sessions}))`,
    )
    .where("expires_at", ">", now)
);
