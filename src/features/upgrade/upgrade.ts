/**
 * The upgrade ceremony: an album falls quiet, drains, and is forked to a newer
 * protocol date (protocol/albums.md#upgrade-ceremony).
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { AlbumId, IntentId, UserId } from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import { inWindow, windowAt } from "../../core/protocol.ts";
import { toRfc3339 } from "../../core/time.ts";
import { verifyEnvelope } from "../../crypto/envelope.ts";
import { type Db, transaction, type Tx } from "../../store/database.ts";
import {
  type AlbumView,
  assertLives,
  requireAlbum,
  requireOwnAlbum,
} from "../albums/access.ts";
import { findAlbum, insertAlbum, isGoneAlbum } from "../albums/store.ts";
import { readAnchor } from "../anchor.ts";
import type { App } from "../app.ts";
import { appendFeed } from "../feed.ts";
import { ROW_LIMITS } from "../row_limits.ts";
import {
  INTENT_TYPE,
  IntentFault,
  readIntent,
  type UpgradeIntent,
} from "./intent.ts";
import {
  countInFlight,
  countIntents,
  cutExpiry,
  endExpired,
  endIntent,
  findIntent,
  findLive,
  insertIntent,
  noteUnderWay,
  tombstone,
  type UpgradeRow,
} from "./store.ts";

type RaiseBegin = Raise<
  | "error.album.not_found"
  | "error.album.role_forbidden"
  | "error.album.tombstoned"
  | "error.album.intent_invalid"
  | "error.album.upgrade_in_flight"
  | "error.album.upgrade_intent_spent"
>;

type RaiseEnd = Raise<
  | "error.album.not_found"
  | "error.album.role_forbidden"
  | "error.album.tombstoned"
  | "error.album.upgrade_in_flight"
  | "error.album.upgrade_not_in_flight"
  | "error.album.upgrade_intent_spent"
>;

/** The phase that an album is in, for all who may read it. */
export async function readPhase(
  app: App,
  userId: UserId,
  albumId: AlbumId,
  raise: Raise<"error.album.not_found">,
) {
  await requireAlbum(app.db, userId, albumId, app.platform.now(), raise);
  return await phaseToWire(app, app.db, albumId);
}

async function phaseToWire(app: App, db: Db, albumId: AlbumId) {
  const now = app.platform.now();
  const live = await findLive(db, albumId, now);
  return {
    album_id: albumId,
    ...(live === undefined ? {} : {
      intent_id: live.intent_id,
      to_protocol_version: live.to_protocol_version,
      expires_at: toRfc3339(live.expires_at),
    }),
    in_flight: await countInFlight(db, albumId, now),
  };
}

/**
 * Begins a ceremony under a signed intent. The same intent again finds the
 * ceremony that it began; none ever begins a second one.
 */
export async function beginUpgrade(
  app: App,
  userId: UserId,
  albumId: AlbumId,
  body: Uint8Array,
  raise: RaiseBegin,
) {
  const intent = parse(body, raise);
  const now = app.platform.now();
  const album = await requireOwnAlbum(app.db, userId, albumId, now, raise);
  assertLives(album, raise);
  await assertValid(app, userId, albumId, album, intent, raise);
  // What was signed is the intent: a signature may differ from call to call.
  const bodyHash = createHash("sha256").update(intent.opened.payloadBytes)
    .digest("hex");
  return await transaction(app.db, async (tx) => {
    // Again: another ceremony may have been committed meanwhile.
    assertLives(await requireOwnAlbum(tx, userId, albumId, now, raise), raise);
    await endExpired(tx, albumId, now);
    const held = await findIntent(tx, albumId, intent.intentId);
    const begun = held?.state === "live" && held.body_hash === bodyHash;
    if (!begun) {
      await assertFree(tx, albumId, intent, held, now, raise);
      await begin(tx, intent, bodyHash, now);
    }
    return await phaseToWire(app, tx, albumId);
  });
}

function parse(
  body: Uint8Array,
  raise: Raise<"error.album.intent_invalid">,
): UpgradeIntent {
  try {
    return readIntent(body);
  } catch (cause) {
    if (!(cause instanceof IntentFault)) throw cause;
    throw raise("error.album.intent_invalid", { cause });
  }
}

/** For this album, to a later date that is spoken, and signed by its owner. */
async function assertValid(
  app: App,
  userId: UserId,
  albumId: AlbumId,
  album: AlbumView,
  intent: UpgradeIntent,
  raise: Raise<"error.album.intent_invalid">,
): Promise<void> {
  const window = windowAt(app.announcements(), app.platform.now());
  const anchor = await readAnchor(app.db, userId);
  const cause = intent.albumId !== albumId
    ? "of another album"
    : intent.successorId === albumId
    ? "its own successor"
    : intent.toProtocol <= album.protocolVersion ||
        !inWindow(intent.toProtocol, window)
    ? "not to a later date of the window"
    : anchor === null ||
        !await verifyEnvelope(intent.opened, anchor, INTENT_TYPE)
    ? "not signed by the owner"
    : undefined;
  if (cause !== undefined) throw raise("error.album.intent_invalid", { cause });
}

/** No ceremony is live, the intent is unused and its successor id is free. */
async function assertFree(
  tx: Tx,
  albumId: AlbumId,
  intent: UpgradeIntent,
  held: UpgradeRow | undefined,
  now: number,
  raise: RaiseBegin,
): Promise<void> {
  if (await findLive(tx, albumId, now) !== undefined) {
    throw raise("error.album.upgrade_in_flight");
  }
  if (held === undefined) {
    const intents = await countIntents(tx, albumId);
    if (intents >= ROW_LIMITS.intents) {
      throw raise("error.album.intent_invalid", { cause: "too many intents" });
    }
  }
  const isTaken = await findAlbum(tx, intent.successorId) !== undefined ||
    await isGoneAlbum(tx, intent.successorId);
  if (held !== undefined || isTaken) {
    throw raise("error.album.upgrade_intent_spent");
  }
}

async function begin(
  tx: Tx,
  intent: UpgradeIntent,
  bodyHash: string,
  now: number,
): Promise<void> {
  const windowEnd = now + intent.windowMs;
  await insertIntent(tx, {
    album_id: intent.albumId,
    intent_id: intent.intentId,
    body_hash: bodyHash,
    to_protocol_version: intent.toProtocol,
    successor_id: intent.successorId,
    state: "live",
    begun_at: now,
    expires_at: windowEnd,
  });
  await noteUnderWay(tx, intent.albumId, now);
  await cutExpiry(tx, intent.albumId, windowEnd);
}

/** Returns an album to normal operation. */
export async function abortUpgrade(
  app: App,
  userId: UserId,
  albumId: AlbumId,
  intentId: IntentId,
  raise: RaiseEnd,
) {
  const now = app.platform.now();
  const album = await requireOwnAlbum(app.db, userId, albumId, now, raise);
  assertLives(album, raise);
  return await transaction(app.db, async (tx) => {
    if (!await endIntent(tx, albumId, intentId, now)) {
      throw await whyNotLive(tx, albumId, intentId, now, raise);
    }
    return await phaseToWire(app, tx, albumId);
  });
}

/**
 * Tombstones a drained album for ever and provisions its successor, in one
 * transaction. The commit of a ceremony repeated gives the same answer.
 */
export async function commitUpgrade(
  app: App,
  userId: UserId,
  albumId: AlbumId,
  intentId: IntentId,
  raise: RaiseEnd,
) {
  const now = app.platform.now();
  const committed = await transaction(app.db, async (tx) => {
    const album = await requireOwnAlbum(tx, userId, albumId, now, raise);
    const held = await findIntent(tx, albumId, intentId);
    if (held?.state === "committed") return held;
    assertLives(album, raise);
    const live = await findLive(tx, albumId, now);
    if (live?.intent_id !== intentId) {
      throw await whyNotLive(tx, albumId, intentId, now, raise);
    }
    if (await countInFlight(tx, albumId, now) > 0) {
      throw raise("error.album.upgrade_in_flight");
    }
    await fork(tx, userId, live, now, raise);
    return { ...live, committed_at: now };
  });
  app.feedBell.ring();
  return {
    album_id: albumId,
    successor_album_id: committed.successor_id,
    protocol_version: committed.to_protocol_version,
    committed_at: toRfc3339(committed.committed_at ?? now),
  };
}

async function fork(
  tx: Tx,
  userId: UserId,
  live: UpgradeRow,
  now: number,
  raise: RaiseEnd,
): Promise<void> {
  const { album_id: albumId, successor_id: successorId } = live;
  const provisioned = await insertAlbum(tx, {
    album_id: successorId,
    owner_id: userId,
    protocol_version: live.to_protocol_version,
    created_at: now,
  });
  if (!provisioned) throw raise("error.album.upgrade_intent_spent");
  await tombstone(tx, live, now);
  const entry = { userId, at: now } as const;
  await appendFeed(tx, { ...entry, action: "tombstone", albumId });
  await appendFeed(tx, { ...entry, action: "album", albumId: successorId });
}

/** Why there is no live ceremony of this intent to end. */
async function whyNotLive(
  tx: Tx,
  albumId: AlbumId,
  intentId: IntentId,
  now: number,
  raise: RaiseEnd,
) {
  if (await findLive(tx, albumId, now) !== undefined) {
    return raise("error.album.upgrade_in_flight");
  }
  return await findIntent(tx, albumId, intentId) === undefined
    ? raise("error.album.upgrade_not_in_flight")
    : raise("error.album.upgrade_intent_spent");
}
