/**
 * Following the feed: what changed since last time is fetched, opened and put
 * into the index, and the position is kept with it in one write. A server that
 * was restored begins a new feed; then everything is looked at again, and what
 * it lost is named.
 *
 * @module
 */
import * as z from "zod/mini";
import { fromUtf8, utf8 } from "../../core/bytes.ts";
import { ApiProblem } from "../api.ts";
import type { FeedEntry, FeedPage, FullAsset } from "../asset_answers.ts";
import { checked } from "../fields.ts";
import { persist } from "../send.ts";
import type { Albums } from "./albums.ts";
import type { AssetIndex } from "./asset_index.ts";
import { type Opener, openRow } from "./opening.ts";
import { inParallel } from "./parallel.ts";
import type { Store, StoreChange } from "./store.ts";

const CURSOR = "cursor";
const PAGE_ENTRIES = 1_000;
/**
 * Assets asked for in one request: as many as the server takes, because it is
 * requests that it counts, 120 a minute.
 */
const QUERY_ASSETS = 500;
/** Requests at a time. */
const AT_ONCE = 4;

const cursorSchema = z.object({
  epoch: z.string(),
  after: z.int().check(z.gte(0)),
  /** Set while the feed is read from its beginning. */
  whole: z.optional(z.boolean()),
  /** Set while everything is looked at again, because it is a new feed. */
  recheck: z.optional(z.boolean()),
});
type Cursor = z.infer<typeof cursorSchema>;

/** What a pass of the feed brought. */
export interface SyncReport {
  /** Assets that are new or changed. */
  readonly changed: readonly string[];
  /** Assets that were here and the server no longer knows. */
  readonly missing: readonly string[];
  /** The server was restored from a backup since the last time. */
  readonly restored: boolean;
  /** Albums whose roster or existence changed. */
  readonly albums: readonly string[];
  /** Guests have left something. */
  readonly contributions: boolean;
  /** State slots that changed. */
  readonly slots: readonly string[];
}

/** How a pass is run. */
export interface SyncOptions {
  /** Told how many rows there are whenever some came; they are kept a page at a time. */
  readonly onProgress?: (rows: number) => void;
  /** Seconds to wait for a change where there is none yet; up to 30. */
  readonly wait?: number;
  readonly signal?: AbortSignal;
}

/** What a pass works on. */
export interface SyncContext {
  readonly opener: Opener;
  readonly index: AssetIndex;
  readonly store: Store;
  readonly albums: Albums;
}

/** Follows the feed to its end. Throws what the calls throw. */
export async function syncIndex(
  context: SyncContext,
  options: SyncOptions = {},
): Promise<SyncReport> {
  const report = {
    changed: new Set<string>(),
    missing: new Set<string>(),
    restored: false,
    albums: new Set<string>(),
    contributions: false,
    slots: new Set<string>(),
  };
  let cursor = await readCursor(context.store);
  let wait = options.wait;
  if (cursor === undefined) await context.albums.refresh();
  for (;;) {
    options.signal?.throwIfAborted();
    const page = await pageAfter(context, cursor, wait);
    wait = undefined;
    if (page === "restored") {
      report.restored = true;
      cursor = await beginAgain(context);
      continue;
    }
    const recheck = cursor?.recheck === true;
    const whole = page.more && (cursor === undefined || cursor.whole === true);
    cursor = {
      epoch: page.feed_epoch,
      after: page.next_after,
      ...(whole ? { whole } : {}),
      ...(recheck ? { recheck } : {}),
    };
    for (const entry of page.entries) note(report, entry);
    const { onProgress } = options;
    await applyPage(context, page.entries, report, cursor, onProgress);
    onProgress?.(context.index.size);
    if (!page.more) break;
  }
  for (const albumId of context.albums.unread()) {
    options.signal?.throwIfAborted();
    await readAlbum(context, albumId, report);
  }
  if (cursor.recheck === true) {
    const { epoch, after } = cursor;
    await markMissing(context, report.missing, { epoch, after });
  }
  return {
    changed: [...report.changed],
    missing: [...report.missing],
    restored: report.restored || cursor.recheck === true,
    albums: [...report.albums],
    contributions: report.contributions,
    slots: [...report.slots],
  };
}

interface Noted {
  readonly changed: Set<string>;
  readonly albums: Set<string>;
  contributions: boolean;
  readonly slots: Set<string>;
}

function note(report: Noted, entry: FeedEntry): void {
  if (isOfAlbum(entry) && entry.album_id) report.albums.add(entry.album_id);
  if (entry.action === "contribution") report.contributions = true;
  if (entry.action === "state" && entry.slot) {
    report.slots.add(entry.slot);
  }
}

async function pageAfter(
  { opener }: SyncContext,
  cursor: Cursor | undefined,
  wait: number | undefined,
): Promise<FeedPage | "restored"> {
  const { account } = opener.vault.session;
  const epoch = cursor === undefined || cursor.epoch === ""
    ? {}
    : { epoch: cursor.epoch };
  const query = {
    after: cursor?.after ?? 0,
    limit: PAGE_ENTRIES,
    ...epoch,
    ...(wait === undefined ? {} : { wait }),
    // Whoever knows nothing yet has no use for what came in between.
    ...(cursor === undefined || cursor.whole === true ? { latest: true } : {}),
  };
  try {
    const page = await persist(account, () => account.feed(query), {});
    const changed = epoch.epoch !== undefined &&
      page.feed_epoch !== epoch.epoch;
    return changed ? "restored" : page;
  } catch (error) {
    const restored = error instanceof ApiProblem &&
      error.code === "error.sync.epoch_changed";
    if (!restored) throw error;
    return "restored";
  }
}

/**
 * What lies in an album that one was let into lately: its entries may lie before
 * the position that this device has read to.
 */
async function readAlbum(
  context: SyncContext,
  albumId: string,
  report: Noted,
): Promise<void> {
  const { account } = context.opener.vault.session;
  for (let after = 0, more = true; more;) {
    const query = { after, limit: PAGE_ENTRIES, albumId, latest: true };
    const page = await persist(account, () => account.feed(query), {});
    await applyPage(context, page.entries, report, undefined);
    after = page.next_after;
    more = page.more;
  }
  await context.albums.markRead(albumId);
}

/** The cursor is absent where the entries are not of the whole feed. */
async function applyPage(
  context: SyncContext,
  entries: readonly FeedEntry[],
  report: Noted,
  cursor: Cursor | undefined,
  onProgress?: SyncOptions["onProgress"],
): Promise<void> {
  const { index, opener } = context;
  const newest = new Map<string, FeedEntry>();
  const wanted = new Map<string, string | undefined>();
  for (const entry of entries) {
    if (entry.asset_id) newest.set(entry.asset_id, entry);
  }
  if (cursor !== undefined && entries.some(isOfAlbum)) {
    await refreshAlbums(context, wanted);
  }
  for (const [id, { action, sync_seq: seq, album_id: album }] of newest) {
    const row = index.get(id);
    if (action === "purge") index.remove(id);
    else if (action === "withheld") {
      if (row !== undefined) index.put({ ...row, state: "withheld", seq });
    } else if (action !== "contribution") {
      // What this device itself stored is known already.
      const isKnown = row !== undefined && row.seq >= seq &&
        row.state === "live" && cursor?.recheck !== true;
      if (!isKnown) wanted.set(id, album ?? undefined);
    }
    report.changed.add(id);
  }
  const found = new Set<string>();
  await fetchAssets(opener, wanted, async (assets) => {
    for (const asset of assets) {
      found.add(asset.asset_id);
      index.put(await openRow(opener, asset, index.get(asset.asset_id)));
    }
    onProgress?.(index.size);
  });
  // In the feed, and not to be read: it is gone, or is not ours any more.
  for (const id of wanted.keys()) if (!found.has(id)) index.remove(id);
  await index.commit(cursor === undefined ? [] : [cursorChange(cursor)]);
}

function isOfAlbum({ action }: FeedEntry): boolean {
  return action === "roster" || action === "album" || action === "tombstone";
}

/** Albums that one is in, and is no longer in; keys that open more than before. */
async function refreshAlbums(
  { albums, index, opener }: SyncContext,
  wanted: Map<string, string | undefined>,
): Promise<void> {
  const { changed, gone } = await albums.refresh();
  const { userId } = opener.vault.session;
  for (const row of [...index.rows()]) {
    const { album } = row;
    if (album === undefined) continue;
    if (gone.includes(album) && row.owner !== userId) index.remove(row.id);
    if (changed.includes(album) && row.metadata === undefined) {
      wanted.set(row.id, album);
    }
  }
}

/** Position 0 marks what the new feed has not told of yet, also after a kill. */
async function beginAgain({ index }: SyncContext): Promise<Cursor> {
  for (const row of [...index.rows()]) index.put({ ...row, seq: 0 });
  const cursor = { epoch: "", after: 0, whole: true, recheck: true };
  await index.commit([cursorChange(cursor)]);
  return cursor;
}

/** Rows that a restored server no longer tells of: one's own are missing. */
async function markMissing(
  { index, opener }: SyncContext,
  missing: Set<string>,
  cursor: Cursor,
): Promise<void> {
  const { userId } = opener.vault.session;
  for (const row of [...index.rows()].filter(({ seq }) => seq === 0)) {
    if (row.owner !== userId || row.state === "deleted") {
      index.remove(row.id);
    } else {
      missing.add(row.id);
      index.put({ ...row, state: "missing", custody: "missing" });
    }
  }
  await index.commit([cursorChange(cursor)]);
}

/**
 * Assets with their metadata, handed over as each answer comes: the first of a
 * new device are shown before the last are asked for. Those that cannot be read
 * are left out.
 */
async function fetchAssets(
  { vault }: Opener,
  wanted: ReadonlyMap<string, string | undefined>,
  came: (assets: readonly FullAsset[]) => Promise<void>,
): Promise<void> {
  const { account } = vault.session;
  const groups: { ids: string[]; include: ("metadata" | "provenance")[] }[] =
    [];
  const isOthers = (album: string | undefined) =>
    album !== undefined && album !== vault.libraryAlbumId;
  for (const others of [false, true]) {
    const ids = [...wanted]
      .flatMap(([id, album]) => isOthers(album) === others ? [id] : []);
    // Where others write, it is the manifest that says who.
    const include: ("metadata" | "provenance")[] = others
      ? ["metadata", "provenance"]
      : ["metadata"];
    for (let at = 0; at < ids.length; at += QUERY_ASSETS) {
      groups.push({ ids: ids.slice(at, at + QUERY_ASSETS), include });
    }
  }
  await inParallel(groups, AT_ONCE, async ({ ids, include }) => {
    const ask = () => account.queryAssets(ids, include);
    await came(await persist(account, ask, {}));
  });
}

function cursorChange(cursor: Cursor): StoreChange {
  const value = utf8(JSON.stringify(cursor));
  return { space: "index", key: CURSOR, value };
}

async function readCursor(store: Store): Promise<Cursor | undefined> {
  const value = await store.get("index", CURSOR);
  if (value === undefined) return undefined;
  const json: unknown = JSON.parse(fromUtf8(value) ?? "null");
  return checked(cursorSchema, json, "sync cursor");
}
