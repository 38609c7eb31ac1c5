/**
 * The newest entry of each asset, album and state slot
 * (protocol/feed.md#newest-entries):
 * an entry is left out where the same reader finds a newer one of the same.
 *
 * @module
 */
import { type RawBuilder, sql } from "kysely";
import type { AlbumId, UserId } from "../../core/ids.ts";
import { compiledList } from "../../store/sqlite/compiled.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Entry } from "./store.ts";

/** Whose feed it is: an account's, or an album's for all who read it. */
export type Scope =
  | { readonly userId: UserId }
  | { readonly albumId: AlbumId };

/**
 * What an entry is about; undefined for one that none before it is about. That
 * a blob is damaged says nothing of the state of its asset.
 */
function subjectOf(entry: Entry): string | undefined {
  const { action, asset_id, album_id, slot } = entry;
  if (asset_id !== null) return `asset ${asset_id}`;
  if (slot !== null) return `slot ${slot}`;
  if (action === "contribution" || album_id === null) return undefined;
  return `album ${album_id}`;
}

/** Of a part of the feed those entries that none is newer than. */
export async function keepNewest(
  db: Db,
  scope: Scope,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  const seen = new Set<string>();
  const within = entries.toReversed().filter((entry) => {
    const subject = subjectOf(entry);
    if (subject === undefined) return true;
    if (seen.has(subject)) return false;
    if (entry.action !== "damaged") seen.add(subject);
    return true;
  }).toReversed();
  const positions = JSON.stringify(within.map(({ sync_seq }) => sync_seq));
  const rows = "userId" in scope
    ? await newestOfAccount(db, positions, ...three(scope.userId))
    : await newestOfAlbum(db, positions, scope.albumId);
  const newest = new Set(rows.map(({ sync_seq }) => sync_seq));
  return within.filter(({ sync_seq }) => newest.has(sync_seq));
}

function three<T>(value: T): [T, T, T] {
  return [value, value, value];
}

const newestOfAccount = compiledList(
  (db, positions: string, a: UserId, b: UserId, c: UserId) =>
    newest(
      db,
      positions,
      sql`(newer.user_id = reader.a or newer.album_owner_id = reader.b
        or (newer.personal = 0 and exists (
          select 1 from roster_member
          where roster_member.album_id = newer.album_id
            and roster_member.member = reader.c)))`,
      sql`select ${a} as a, ${b} as b, ${c} as c`,
    ),
);

const newestOfAlbum = compiledList((db, positions: string, albumId: AlbumId) =>
  newest(
    db,
    positions,
    sql`(newer.personal = 0 and newer.album_id = reader.album_id)`,
    sql`select ${albumId} as album_id`,
  )
);

/** The positions whose entry has no newer one that the reader sees. */
function newest(
  db: Db,
  positions: string,
  seen: RawBuilder<boolean>,
  reader: RawBuilder<unknown>,
) {
  const query = sql<Pick<Entry, "sync_seq">>`select feed.sync_seq
    from json_each(${positions}) as part
    cross join feed on feed.sync_seq = part.value
    cross join (${reader}) as reader
    where case
      when feed.asset_id is not null then not exists (
        select 1 from feed as newer
        where newer.asset_id = feed.asset_id and newer.action <> 'damaged'
          and newer.sync_seq > feed.sync_seq and ${seen})
      when feed.slot is not null then not exists (
        select 1 from feed as newer
        where newer.user_id = feed.user_id and newer.slot = feed.slot
          and newer.sync_seq > feed.sync_seq)
      when feed.action = 'contribution' or feed.album_id is null then true
      else not exists (
        select 1 from feed as newer
        where newer.album_id = feed.album_id and newer.asset_id is null
          and newer.action <> 'contribution'
          and newer.sync_seq > feed.sync_seq and ${seen})
      end`;
  return { compile: () => query.compile(db) };
}
