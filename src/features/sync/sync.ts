/**
 * The sync feed (protocol/feed.md): a client that stores `next_after` misses
 * nothing and sees an entry once. Positions are taken inside the one writer's
 * transactions, so that none appears below one that was read.
 *
 * @module
 */
import type { CapabilityCaller, SessionCaller } from "../../core/caller.ts";
import type { AlbumId, UserId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { FEED_MAX } from "../../wire/answers/assets.ts";
import { requireAlbum } from "../albums/access.ts";
import type { App } from "../app.ts";
import { asOfNow, type CallBy } from "../call.ts";
import { assertStillCarried } from "../capabilities/capabilities.ts";
import { assertStillOpen } from "../sessions/sessions.ts";
import { yieldToEventLoop } from "../yield_to_event_loop.ts";
import type { Subject } from "./feed_notifier.ts";
import { keepNewest, type Scope } from "./newest.ts";
import {
  type Entry,
  type FeedPages,
  feedPages,
  readEpoch,
  readLastPosition,
  type Slice,
} from "./store.ts";

/** Entries that a page has if nothing else is said. */
export const LIMIT_DEFAULT = 200;

/** One entry more than is wanted tells whether there are more. */
const SHORT = feedPages(LIMIT_DEFAULT + 1);
const LONG = feedPages(FEED_MAX + 1);

/** Positions that are looked at one by one, whosever they are. */
const NEAR = 2_000;
/** Parts of the feed that one page without older entries looks through. */
const PARTS_MAX = 20;
/** Each further part of the feed that is searched is this many times wider. */
const WIDENING = 4;

interface FeedQuestion {
  readonly after: number;
  /** Entries at most. */
  readonly limit: number;
  /** How long to wait for a first entry (ms). */
  readonly waitMs: number;
  readonly albumId: AlbumId | undefined;
  /** The epoch that `after` is of; undefined when the client says none. */
  readonly epoch: string | undefined;
  /** Whether only the newest entry of each asset and album is wanted. */
  readonly latest: boolean;
  /** Aborted when the client is gone; asked for where it has to wait. */
  readonly gone: () => AbortSignal;
}

type SyncProblem =
  | "error.album.not_found"
  | "error.sync.epoch_changed"
  | "error.federation.capability_invalid"
  | "error.auth.token_invalid"
  | "error.account.rate_limited";

/** A page of the feed, at once or as soon as there is something in it. */
export async function readFeed(
  call: CallBy<"reader", SyncProblem>,
  question: FeedQuestion,
) {
  const { app, raise } = call;
  const epoch = await readEpoch(app.db);
  if (question.epoch !== undefined && question.epoch !== epoch) {
    throw raise("error.sync.epoch_changed");
  }
  const page = question.waitMs > 0
    ? await wait(call, question)
    : await readPage(call, question);
  return toWire(epoch, page);
}

async function wait(
  begun: CallBy<"reader", SyncProblem>,
  question: FeedQuestion,
): Promise<Page> {
  const { app, caller, raise } = begun;
  const { platform, signals: { feedNotifier } } = app;
  const subject = subjectOf(caller, question);
  // Listening begins before looking: nothing falls in between.
  const waiter = await feedNotifier.enter(subject, question.waitMs);
  if (waiter === undefined) {
    const page = await readPage(begun, question);
    if (!isEmpty(page)) return page;
    throw raise("error.account.rate_limited", {
      retryAfterSeconds: feedNotifier.secondsLeft(subject.counted),
    });
  }
  let call = begun;
  try {
    for (;;) {
      const page = await readPage(call, question);
      const isOver = platform.monotonic() >= waiter.deadline ||
        feedNotifier.stopped || subject.gone.aborted;
      if (!isEmpty(page) || isOver) return page;
      await waiter.woken();
      call = asOfNow(call);
      // A wait ends with the session, and not only when its time is over.
      if (caller.kind === "session") {
        await assertStillOpen({ ...call, caller });
      }
    }
  } finally {
    feedNotifier.leave(waiter);
  }
}

function subjectOf(
  caller: SessionCaller | CapabilityCaller,
  { albumId, gone }: FeedQuestion,
): Subject {
  return caller.kind === "session"
    ? {
      counted: caller.userId,
      userId: caller.userId,
      albumId,
      sessionId: caller.sessionId,
      gone: gone(),
    }
    : {
      counted: caller.grantId,
      userId: undefined,
      albumId: caller.albumId,
      sessionId: undefined,
      gone: gone(),
    };
}

/** A part of the feed as it is answered. */
interface Page {
  readonly entries: readonly Entry[];
  /** Where the next one begins. */
  readonly nextAfter: number;
  readonly more: boolean;
}

/** Whether there is nothing in it, and nothing behind it. */
function isEmpty({ entries, more }: Page): boolean {
  return entries.length === 0 && !more;
}

/** The page that there is to read now. */
async function readPage(
  call: CallBy<"reader", SyncProblem>,
  question: FeedQuestion,
): Promise<Page> {
  if (question.latest) return await readNewest(call, question);
  const { after, limit } = question;
  const read = await look(call, question);
  const entries = read.slice(0, limit);
  return {
    entries,
    nextAfter: entries.at(-1)?.sync_seq ?? after,
    more: read.length > limit,
  };
}

/**
 * The same without what has a newer entry. Any number of entries may have one,
 * so a page has its end, full or not, after so many parts of the feed.
 */
async function readNewest(
  call: CallBy<"reader", SyncProblem>,
  question: FeedQuestion,
): Promise<Page> {
  const { app } = call;
  const { limit } = question;
  const scope = scopeOf(call.caller, question);
  const entries: Entry[] = [];
  let { after } = question;
  for (let part = 0; part < PARTS_MAX; part++) {
    if (part > 0) await yieldToEventLoop(app);
    const read = await look(call, { ...question, after });
    for (const entry of await keepNewest(app.db, scope, read)) {
      const last = entries.at(-1);
      if (last !== undefined && entries.length === limit) {
        return { entries, nextAfter: last.sync_seq, more: true };
      }
      entries.push(entry);
    }
    after = read.at(-1)?.sync_seq ?? after;
    if (read.length <= limit) return { entries, nextAfter: after, more: false };
  }
  return { entries, nextAfter: after, more: true };
}

/** Whose feed it is, where an entry may have a newer one. */
function scopeOf(
  caller: SessionCaller | CapabilityCaller,
  { albumId }: FeedQuestion,
): Scope {
  if (caller.kind === "capability") return { albumId: caller.albumId };
  return albumId === undefined ? { userId: caller.userId } : { albumId };
}

/** What there is to read now; at least one entry more than is wanted. */
async function look(
  call: CallBy<"reader", SyncProblem>,
  question: FeedQuestion,
): Promise<readonly Entry[]> {
  const { app, caller, raise } = call;
  // The parts are read one after the other: what is written meanwhile is for
  // the next page, or one part would be read past what another misses.
  const from = {
    after: question.after,
    upTo: await readLastPosition(app.db),
  };
  const pages = question.limit < SHORT.rows ? SHORT : LONG;
  const { albumId } = question;
  if (caller.kind === "capability") {
    if (albumId !== undefined && albumId !== caller.albumId) {
      throw raise("error.album.not_found");
    }
    await assertStillCarried({ ...call, caller });
    return await pages.ofAlbum(app.db, caller.albumId, from);
  }
  if (albumId === undefined) {
    return await listAll(app, caller.userId, from, pages);
  }
  await requireAlbum(call, app.db, caller.userId, albumId);
  return await pages.ofAlbum(app.db, albumId, from);
}

/**
 * An account's own entries and those of the albums it is in, in order. Who has
 * nearly everything looks at what is new, and asks no album; who begins goes on
 * in ever wider parts, so that a page of a long feed does not read all of it.
 */
async function listAll(
  app: App,
  userId: UserId,
  { after, upTo }: Slice,
  pages: FeedPages,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let list = pages.near;
  for (let width = NEAR, from = after; from < upTo; width *= WIDENING) {
    const to = Math.min(upTo, from + width);
    entries.push(...await list(app.db, userId, { after: from, upTo: to }));
    if (entries.length >= pages.rows) break;
    from = to;
    list = pages.far;
  }
  return entries;
}

function toWire(epoch: string, { entries, nextAfter, more }: Page) {
  return {
    feed_epoch: epoch,
    entries: entries.map((entry) => ({
      sync_seq: entry.sync_seq,
      action: entry.action,
      ...(entry.album_id === null ? {} : { album_id: entry.album_id }),
      ...(entry.asset_id === null ? {} : { asset_id: entry.asset_id }),
      ...(entry.chain_head === null ? {} : { chain_head: entry.chain_head }),
      ...(entry.slot === null ? {} : { slot: entry.slot }),
      at: toRfc3339(entry.at),
    })),
    next_after: nextAfter,
    more,
  };
}
