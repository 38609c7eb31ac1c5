/**
 * Following the feed: changes since the last pass are fetched, opened and put
 * into the index, and stored together with the new position. A restored server
 * begins a new feed; then everything is checked again, and assets that the
 * server lost are reported.
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
import { type Opener, putFresh } from "./opening.ts";
import { inParallel } from "./parallel.ts";
import type { Store, StoreChange } from "./store.ts";

const CURSOR = "cursor";
const PAGE_ENTRIES = 1_000;
/**
 * Assets in one request: as many as the server takes, because it limits the
 * number of requests (120 a minute).
 */
const QUERY_ASSETS = 500;
/** Requests at a time. */
const AT_ONCE = 4;

const cursorSchema = z.object({
  epoch: z.string(),
  after: z.int().check(z.gte(0)),
  /** Set while the feed is read from its beginning. */
  whole: z.optional(z.boolean()),
  /** Set while everything is checked again because the feed is new. */
  recheck: z.optional(z.boolean()),
});
type Cursor = z.infer<typeof cursorSchema>;

/** The findings of a pass of the feed. */
export interface SyncReport {
  /** Assets that are new or changed. */
  readonly changed: readonly string[];
  /** Assets that the server no longer knows. */
  readonly missing: readonly string[];
  /** Whether the server was restored from a backup since the last pass. */
  readonly restored: boolean;
  /** Albums whose roster or existence changed. */
  readonly albums: readonly string[];
  /** Whether guests have sent something. */
  readonly contributions: boolean;
  /** State slots that changed. */
  readonly slots: readonly string[];
}

/** Options of a pass. */
export interface SyncOptions {
  /**
   * Gets the number of rows whenever it has grown; rows are stored after each
   * page of the feed.
   */
  readonly onProgress?: (rows: number) => void;
  /** Seconds to wait for a change if there is none yet; at most 30. */
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

/** Follows the feed to its end. Throws the errors of the calls. */
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
    const fromStart = cursor === undefined || cursor.whole === true;
    const whole = page.more && fromStart;
    cursor = {
      epoch: page.feed_epoch,
      after: page.next_after,
      ...(whole ? { whole } : {}),
      ...(recheck ? { recheck } : {}),
    };
    for (const entry of page.entries) note(report, entry);
    context.albums.heard(page.entries, fromStart);
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
  await context.albums.dropLeavers();
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
    // A device that knows nothing yet needs only the newest entries.
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
 * Reads the feed of an album that the account has joined lately: its entries
 * may be before this device's position in the feed.
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

/**
 * Applies entries to the index. The cursor is undefined if they are of one
 * album's feed.
 */
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
      // Assets that this device itself stored are known already.
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
      await putFresh(opener, index, asset);
    }
    onProgress?.(index.size);
  });
  // An asset that cannot be read is gone or no longer accessible.
  for (const id of wanted.keys()) if (!found.has(id)) index.remove(id);
  await index.commit(cursor === undefined ? [] : [cursorChange(cursor)]);
}

function isOfAlbum({ action }: FeedEntry): boolean {
  return action === "roster" || action === "album" || action === "tombstone";
}

/**
 * Refreshes the albums: removes others' assets of albums that the account has
 * left, and retries assets that new keys may open.
 */
async function refreshAlbums(
  { albums, index, opener }: SyncContext,
  wanted: Map<string, string | undefined>,
): Promise<void> {
  const { changed } = await albums.refresh();
  const { libraryAlbumId, session: { userId } } = opener.vault;
  for (const row of [...index.rows()]) {
    const { album } = row;
    if (album === undefined) continue;
    const isGone = album !== libraryAlbumId && albums.get(album) === undefined;
    if (isGone && row.owner !== userId) index.remove(row.id);
    if (changed.includes(album) && row.metadata === undefined) {
      wanted.set(row.id, album);
    }
  }
}

/**
 * Position 0 marks rows that the new feed has not mentioned yet, even if the
 * program is killed.
 */
async function beginAgain({ index }: SyncContext): Promise<Cursor> {
  for (const row of [...index.rows()]) index.put({ ...row, seq: 0 });
  const cursor = { epoch: "", after: 0, whole: true, recheck: true };
  await index.commit([cursorChange(cursor)]);
  return cursor;
}

/**
 * Handles rows that a restored server no longer mentions: own ones become
 * missing, others are removed.
 */
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
 * Fetches assets with their metadata and passes on each answer as it comes, so
 * that a new device shows the first ones before it asks for the last. Assets
 * that cannot be read are left out.
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
    // In albums where others write, the manifest says who the author is.
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
