/**
 * Following the feed: changes since the last pass are fetched, opened and put
 * into the index, and stored together with the new position. A restored server
 * begins a new feed; then everything is checked again, and assets that the
 * server lost are reported.
 *
 * @module
 */
import { DAY_MS } from "../../core/time.ts";
import type { FeedEntry } from "../../client/api/asset_calls.ts";
import type { AlbumEntry } from "../../wire/answers/albums.ts";
import { UnexpectedAnswer } from "../../client/api/api.ts";
import { persist } from "../../client/api/send.ts";
import type { Albums } from "../albums/albums.ts";
import {
  type Cursor,
  cursorChange,
  expectEnd,
  PAGE_ENTRIES,
  pageAfter,
  readCursor,
} from "./cursor.ts";
import type { AssetIndex } from "./asset_index.ts";
import type { Deletions } from "../trust/deletions.ts";
import { fetchInto, retryDue } from "./fetching.ts";
import { goneAtServer, type LossReport, noteDamage, purged } from "./losses.ts";
import type { EscrowNews } from "../vault/kept_escrow.ts";
import type { Opener } from "./opening.ts";
import type { Store } from "../base/store.ts";

/** After this time the feed is read from its beginning once more (ms). */
const WHOLE_AFTER_MS = DAY_MS;
/** No server is restored more often while one pass goes on. */
const MOST_RESTORES = 2;

/** The findings of a pass of the feed. */
export interface SyncReport {
  /** Assets that are new or changed. */
  readonly changed: readonly string[];
  /** Own assets that went now, and that this account did not delete. */
  readonly missing: readonly string[];
  /** Own assets that the owners of their albums deleted. */
  readonly removed: readonly string[];
  /** Whether the server was restored from a backup since the last pass. */
  readonly restored: boolean;
  /** Albums whose roster or existence changed. */
  readonly albums: readonly string[];
  /** Whether guests have sent something. */
  readonly contributions: boolean;
  /** State slots that changed. */
  readonly slots: readonly string[];
  /** Set where the server had an older escrow; see `kept_escrow.ts`. */
  readonly escrow?: EscrowNews;
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
  /**
   * Asks for every missing photo again, whenever it was asked for last: before
   * files are stored, and before anything is said of what is missing.
   */
  readonly asksForMissing?: true;
  readonly signal?: AbortSignal;
}

/** What a pass works on. */
export interface SyncContext {
  readonly opener: Opener;
  readonly index: AssetIndex;
  readonly store: Store;
  readonly albums: Albums;
  readonly deletions: Deletions;
  /** Reads slots that this program has not read yet; returns those. */
  readonly readSlots: () => Promise<ReadonlySet<string>>;
  /** Reads state slots that changed; whether albums depend on them. */
  readonly onSlots: (slots: ReadonlySet<string>) => Promise<boolean>;
}

/** Follows the feed to its end. Throws the errors of the calls. */
export async function syncIndex(
  context: SyncContext,
  options: SyncOptions = {},
): Promise<SyncReport> {
  const report = {
    changed: new Set<string>(),
    missing: new Set<string>(),
    removed: new Set<string>(),
    gone: new Set<string>(),
    restored: false,
    albums: new Set<string>(),
    contributions: false,
    slots: new Set<string>(),
  };
  let cursor = await readCursor(context.store);
  let wait = options.wait;
  const end = expectEnd();
  let restores = 0;
  const { now } = context.opener.vault.session.platform;
  const { account } = context.opener.vault.session;
  // A new device reads slots and albums after the first page, and once: what
  // that page tells of them is then known. No row is made before.
  let isFirst = cursor === undefined;
  if (!isFirst) {
    await context.readSlots();
    if (context.albums.isDoubtful()) await askAgain(context, report);
  }
  for (;;) {
    options.signal?.throwIfAborted();
    const page = await pageAfter(account, cursor, wait);
    wait = undefined;
    if (page === "restored") {
      restores += 1;
      if (restores > MOST_RESTORES) {
        throw new UnexpectedAnswer(410, "a feed that starts over endlessly");
      }
      report.restored = true;
      cursor = await beginAgain(context);
      continue;
    }
    const recheck = cursor?.recheck === true;
    const fromStart = cursor === undefined || cursor.whole === true;
    const whole = page.more && fromStart;
    end(page, cursor?.after ?? 0);
    const wholeAt = fromStart && !page.more ? now() : cursor?.whole_at;
    cursor = {
      epoch: page.feed_epoch,
      after: page.next_after,
      ...(whole ? { whole } : {}),
      ...(recheck ? { recheck } : {}),
      ...(wholeAt === undefined ? {} : { whole_at: wholeAt }),
    };
    for (const entry of page.entries) note(report, entry);
    const slots = new Set(
      page.entries.flatMap(({ slot }) => slot ? [slot] : []),
    );
    let albums: Promise<readonly AlbumEntry[]> | undefined;
    if (isFirst) {
      // Meanwhile, for one round trip instead of two.
      albums = account.albums();
      albums.catch(() => {});
      for (const slot of await context.readSlots()) slots.delete(slot);
      isFirst = false;
    }
    // The account may have accepted or left albums on another device.
    if (slots.size > 0 && await context.onSlots(slots)) removeGone(context);
    context.albums.heard(page.entries, fromStart);
    const { onProgress } = options;
    await applyPage(context, page.entries, report, {
      cursor,
      albums,
      onProgress,
    });
    onProgress?.(context.index.size);
    if (!page.more) break;
  }
  for (const albumId of context.albums.unread()) {
    options.signal?.throwIfAborted();
    await readAlbum(context, albumId, report);
  }
  await retryDue(context, report, options.asksForMissing);
  if (cursor.recheck === true) {
    const { epoch, after, whole_at } = cursor;
    cursor = { epoch, after, ...(whole_at === undefined ? {} : { whole_at }) };
    await markMissing(context, report, cursor);
    report.restored = true;
  }
  if (now() - (cursor.whole_at ?? 0) > WHOLE_AFTER_MS) {
    await readAgain(context, report, cursor, options.signal);
  }
  await context.deletions.seenGone([...report.gone]);
  await context.albums.dropLeavers();
  return {
    changed: [...report.changed],
    missing: [...report.missing],
    removed: [...report.removed],
    restored: report.restored,
    albums: [...report.albums],
    contributions: report.contributions,
    slots: [...report.slots],
  };
}

/**
 * Reads the newest entries from the beginning and compares them with the rows:
 * a server may have led this device past some of them.
 */
async function readAgain(
  context: SyncContext,
  report: Noted,
  { epoch, after }: Cursor,
  signal: AbortSignal | undefined,
): Promise<void> {
  await askAgain(context, report);
  const { mentioned, end } = await readFromStart(context, {}, report, signal);
  // A row's place is that of its newest entry, and none is beyond the end. One
  // that is later was a lie, and would hide what comes until the feed has got
  // there.
  const beyond = [...context.index.all()]
    .filter(({ id, seq }) => seq > (mentioned.get(id) ?? end));
  for (const row of beyond) context.index.put({ ...row, seq: 0 });
  const unmentioned = [...context.index.all()]
    .filter(({ id, state }) => state === "live" && !mentioned.has(id));
  const others = [...beyond, ...unmentioned];
  const wanted = new Map(others.map(({ id, album }) => [id, album]));
  await fetchInto(context, wanted, report);
  const whole_at = context.opener.vault.session.platform.now();
  const from = Math.min(after, end);
  await context.index.commit([
    cursorChange({ epoch, after: from, whole_at }),
  ]);
}

interface Noted extends LossReport {
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

/**
 * Reads the feed of an album that the account has joined lately: its entries
 * may be before this device's position in the feed.
 */
async function readAlbum(
  context: SyncContext,
  albumId: string,
  report: Noted,
): Promise<void> {
  await readFromStart(context, { albumId }, report);
  await context.albums.markRead(albumId);
}

/**
 * Applies the newest entries of a feed, from its beginning to its end; returns
 * the places of the assets that they mention, and where the feed ends.
 */
async function readFromStart(
  context: SyncContext,
  of: { readonly albumId?: string },
  report: Noted,
  signal?: AbortSignal,
): Promise<
  { readonly mentioned: ReadonlyMap<string, number>; readonly end: number }
> {
  const { account } = context.opener.vault.session;
  const isGoingOn = expectEnd();
  const mentioned = new Map<string, number>();
  let after = 0;
  for (let more = true; more;) {
    signal?.throwIfAborted();
    const query = { after, limit: PAGE_ENTRIES, latest: true, ...of };
    const page = await persist(account, () => account.feed(query), {});
    isGoingOn(page, after);
    for (const entry of page.entries) {
      note(report, entry);
      const { asset_id: assetId, sync_seq: seq } = entry;
      if (!assetId) continue;
      mentioned.set(assetId, Math.max(seq, mentioned.get(assetId) ?? 0));
    }
    await applyPage(context, page.entries, report);
    ({ next_after: after, more } = page);
  }
  return { mentioned, end: after };
}

/**
 * Applies entries to the index. The cursor is undefined if they are of one
 * album's feed. `albums` is an answer about the albums that is on its way.
 */
async function applyPage(
  context: SyncContext,
  entries: readonly FeedEntry[],
  report: Noted,
  { cursor, albums, onProgress }: {
    readonly cursor?: Cursor | undefined;
    readonly albums?: Promise<readonly AlbumEntry[]> | undefined;
    readonly onProgress?: SyncOptions["onProgress"] | undefined;
  } = {},
): Promise<void> {
  const { index } = context;
  const newest = new Map<string, FeedEntry>();
  const wanted = new Map<string, string | undefined>();
  const damaged = new Set<string>();
  /** Assets that went into the trash last. */
  const trashed = new Set<string>();
  const isToldOfAlbums = cursor !== undefined && entries.some(isOfAlbum);
  if (albums !== undefined || isToldOfAlbums) {
    await refreshAlbums(context, wanted, albums);
  }
  for (const entry of entries) {
    const { asset_id: assetId, album_id: albumId, action } = entry;
    // What is in an album comes once the person has accepted it.
    const isAsked = !albumId || !context.albums.isInvitation(albumId);
    if (!assetId || !isAsked) continue;
    if (action === "delete") trashed.add(assetId);
    if (action === "restore") trashed.delete(assetId);
    // It adds to the entry before it, and does not replace it.
    if (action === "damaged") damaged.add(assetId);
    else newest.set(assetId, entry);
  }
  for (const [id, entry] of newest) {
    const { action, sync_seq: seq, album_id: album, chain_head: head } = entry;
    const row = index.get(id);
    // This device may have deleted it again since it read of its own restore.
    const isNews = row === undefined || row.seq < seq;
    if (action === "restore" && isNews) {
      await context.deletions.saidRestored([id]);
    }
    // It may be gone before it can be fetched from there.
    if (trashed.has(id)) await context.deletions.backInTrash([id]);
    if (action === "purge") await purged(context, row, report);
    else if (action === "withheld") {
      if (row !== undefined) index.put({ ...row, state: "withheld", seq });
    } else if (action !== "contribution") {
      // Assets that this device itself stored are known already.
      const isKnown = row !== undefined && row.seq >= seq &&
        row.state === "live" && (head ?? row.head) === row.head &&
        cursor?.recheck !== true;
      if (!isKnown) wanted.set(id, album ?? undefined);
    }
    report.changed.add(id);
  }
  await fetchInto(context, wanted, report, onProgress);
  await noteDamage(context, damaged);
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
  context: SyncContext,
  wanted: Map<string, string | undefined>,
  answer?: Promise<readonly AlbumEntry[]>,
): Promise<void> {
  const { changed } = await context.albums.refresh(answer);
  removeGone(context);
  for (const row of [...context.index.all()]) {
    const { album } = row;
    if (album === undefined) continue;
    const isOpen = row.metadata !== undefined && row.fault === undefined;
    if (changed.includes(album) && !isOpen) {
      wanted.set(row.id, album);
    }
  }
}

/** Removes others' assets of albums that the account has left. */
function removeGone({ albums, index, opener }: SyncContext): void {
  const { libraryAlbumId, session: { userId } } = opener.vault;
  for (const { album, id, owner } of [...index.all()]) {
    const isGone = album !== undefined && album !== libraryAlbumId &&
      albums.get(album) === undefined;
    if (isGone && owner !== userId) index.remove(id);
  }
}

/** Asks again about frozen albums, and opens what their keys open now. */
async function askAgain(context: SyncContext, report: Noted): Promise<void> {
  const wanted = new Map<string, string | undefined>();
  await refreshAlbums(context, wanted);
  for (const id of wanted.keys()) report.changed.add(id);
  await fetchInto(context, wanted, report);
  await context.index.commit([]);
}

/**
 * Position 0 marks rows that the new feed has not mentioned yet, even if the
 * program is killed.
 */
async function beginAgain({ index }: SyncContext): Promise<Cursor> {
  for (const row of [...index.all()]) index.put({ ...row, seq: 0 });
  const cursor = { epoch: "", after: 0, whole: true, recheck: true };
  await index.commit([cursorChange(cursor)]);
  return cursor;
}

/**
 * Handles rows that a restored server no longer mentions: own ones are judged
 * like those that it says are gone, others are removed.
 */
async function markMissing(
  context: SyncContext,
  report: LossReport,
  cursor: Cursor,
): Promise<void> {
  const { index, opener } = context;
  const { userId } = opener.vault.session;
  for (const row of [...index.all()].filter(({ seq }) => seq === 0)) {
    if (row.owner !== userId) index.remove(row.id);
    else await goneAtServer(context, row, report);
  }
  await index.commit([cursorChange(cursor)]);
}
