/**
 * The sync feed (completions.md section 6): a client that stores `next_after`
 * misses nothing and sees an entry once. Positions are taken inside the one
 * writer's transactions, so that none appears below one that was read.
 *
 * @module
 */
import type { CapabilityCaller, SessionCaller } from "../../core/caller.ts";
import type { AlbumId, UserId } from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import { SECOND_MS, toRfc3339 } from "../../core/time.ts";
import { requireAlbum } from "../albums/access.ts";
import type { App } from "../app.ts";
import { assertStillCarried } from "../capabilities/capabilities.ts";
import { assertStillOpen } from "../sessions/sessions.ts";
import {
  listInOwnAlbums,
  listMemberAlbums,
  listOfAlbum,
  listOwn,
  readEpoch,
  readLastPosition,
  type Slice,
} from "./store.ts";

/** Those who wait look this often for what another process wrote (ms). */
const LOOK_EVERY_MS = 2 * SECOND_MS;

export interface FeedQuestion {
  readonly after: number;
  /** Entries at most. */
  readonly limit: number;
  /** How long to wait for a first entry (ms). */
  readonly waitMs: number;
  readonly albumId: AlbumId | undefined;
  /** The epoch that `after` is of; undefined when the client says none. */
  readonly epoch: string | undefined;
}

type RaiseSync = Raise<
  | "error.album.not_found"
  | "error.sync.epoch_changed"
  | "error.federation.capability_invalid"
  | "error.auth.token_invalid"
>;

type Entries = Awaited<ReturnType<typeof listOwn>>;

/** A page of the feed, at once or as soon as there is something in it. */
export async function readFeed(
  app: App,
  caller: SessionCaller | CapabilityCaller,
  question: FeedQuestion,
  raise: RaiseSync,
) {
  const epoch = await readEpoch(app.db);
  if (question.epoch !== undefined && question.epoch !== epoch) {
    throw raise("error.sync.epoch_changed");
  }
  const { monotonic } = app.platform;
  const deadline = monotonic() + question.waitMs;
  for (;;) {
    // Listening begins before looking: nothing falls in between.
    const bell = listen(app);
    try {
      const entries = await look(app, caller, question, raise);
      const left = deadline - monotonic();
      if (entries.length > 0 || left <= 0 || app.feedBell.silenced) {
        return toWire(epoch, question, entries);
      }
      await bell.rung(Math.min(left, LOOK_EVERY_MS));
      // Who waits is let go with their session, not with their patience.
      if (caller.kind === "session") await assertStillOpen(app, caller, raise);
    } finally {
      bell.stop();
    }
  }
}

function listen(app: App) {
  const ringing = new AbortController();
  const forget = app.feedBell.onRing(() => ringing.abort());
  return {
    rung: (ms: number) => app.platform.sleep(ms, ringing.signal),
    stop: forget,
  };
}

/** One entry more than is wanted, which tells whether there are more. */
async function look(
  app: App,
  caller: SessionCaller | CapabilityCaller,
  question: FeedQuestion,
  raise: RaiseSync,
): Promise<Entries> {
  // The parts are read one after the other: what is written meanwhile is for
  // the next page, or one part would be read past what another misses.
  const from = {
    after: question.after,
    upTo: await readLastPosition(app.db),
    limit: question.limit + 1,
  };
  const { albumId } = question;
  if (caller.kind === "capability") {
    if (albumId !== undefined && albumId !== caller.albumId) {
      throw raise("error.album.not_found");
    }
    await assertStillCarried(app, caller, raise);
    return await listOfAlbum(app.db, caller.albumId, from);
  }
  if (albumId === undefined) return await listAll(app, caller.userId, from);
  const now = app.platform.now();
  await requireAlbum(app.db, caller.userId, albumId, now, raise);
  return await listOfAlbum(app.db, albumId, from);
}

/** An account's own entries and those of the albums it is in, in order. */
async function listAll(
  app: App,
  userId: UserId,
  from: Slice,
): Promise<Entries> {
  const albums = await listMemberAlbums(app.db, userId);
  const parts = await Promise.all([
    listOwn(app.db, userId, from),
    listInOwnAlbums(app.db, userId, from),
    ...albums.map((albumId) => listOfAlbum(app.db, albumId, from)),
  ]);
  const bySeq = new Map(
    parts.flat().map((entry) => [entry.sync_seq, entry]),
  );
  return [...bySeq.values()]
    .toSorted((left, right) => left.sync_seq - right.sync_seq)
    .slice(0, from.limit);
}

function toWire(
  epoch: string,
  { after, limit }: FeedQuestion,
  entries: Entries,
) {
  const page = entries.slice(0, limit);
  return {
    feed_epoch: epoch,
    entries: page.map((entry) => ({
      sync_seq: entry.sync_seq,
      action: entry.action,
      ...(entry.album_id === null ? {} : { album_id: entry.album_id }),
      ...(entry.asset_id === null ? {} : { asset_id: entry.asset_id }),
      ...(entry.chain_head === null ? {} : { chain_head: entry.chain_head }),
      at: toRfc3339(entry.at),
    })),
    next_after: page.at(-1)?.sync_seq ?? after,
    more: entries.length > limit,
  };
}
