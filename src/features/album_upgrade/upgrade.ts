/**
 * The upgrade ceremony: an album falls quiet, drains, and is forked to a newer
 * protocol date (protocol/albums.md#upgrade-ceremony).
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { AlbumId, IntentId } from "../../core/ids.ts";
import { inWindow, windowAt } from "../../core/protocol.ts";
import { toRfc3339 } from "../../core/time.ts";
import { verifyEnvelope } from "../../crypto/envelope.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import {
  type AlbumView,
  assertLives,
  requireAlbum,
  requireOwnAlbum,
} from "../albums/access.ts";
import { findAlbum, insertAlbum, isGoneAlbum } from "../albums/store.ts";
import { readAnchor } from "../anchor.ts";
import type { App } from "../app.ts";
import type { Call, CallBy } from "../call.ts";
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

type BeginProblem =
  | "error.album.not_found"
  | "error.album.role_forbidden"
  | "error.album.tombstoned"
  | "error.album.intent_invalid"
  | "error.album.upgrade_in_flight"
  | "error.album.upgrade_intent_spent";

type EndProblem =
  | "error.album.not_found"
  | "error.album.role_forbidden"
  | "error.album.tombstoned"
  | "error.album.upgrade_in_flight"
  | "error.album.upgrade_not_in_flight"
  | "error.album.upgrade_intent_spent";

/** The phase that an album is in, for all who may read it. */
export async function readPhase(
  call: CallBy<"session", "error.album.not_found">,
  albumId: AlbumId,
) {
  const { app, caller: { userId } } = call;
  await requireAlbum(call, app.db, userId, albumId);
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
  call: CallBy<"session", BeginProblem>,
  albumId: AlbumId,
  body: Uint8Array,
) {
  const { app, now } = call;
  const intent = parse(call, body);
  const album = await requireOwnAlbum(call, app.db, albumId);
  assertLives(call, album);
  await assertValid(call, albumId, album, intent);
  // What was signed is the intent: a signature may differ from call to call.
  const bodyHash = createHash("sha256").update(intent.opened.payloadBytes)
    .digest("hex");
  return await transaction(app.db, async (tx) => {
    // Again: another ceremony may have been committed meanwhile.
    assertLives(call, await requireOwnAlbum(call, tx, albumId));
    await endExpired(tx, albumId, now);
    const held = await findIntent(tx, albumId, intent.intentId);
    const begun = held?.state === "live" && held.body_hash === bodyHash;
    if (!begun) {
      await assertFree(call, tx, albumId, intent, held);
      await begin(tx, intent, bodyHash, now);
    }
    return await phaseToWire(app, tx, albumId);
  });
}

function parse(
  { raise }: Call<"error.album.intent_invalid">,
  body: Uint8Array,
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
  call: CallBy<"session", "error.album.intent_invalid">,
  albumId: AlbumId,
  album: AlbumView,
  intent: UpgradeIntent,
): Promise<void> {
  const { app, caller: { userId }, now, raise } = call;
  const window = windowAt(app.server.announcements(), now);
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
  { now, raise }: Call<BeginProblem>,
  tx: Tx,
  albumId: AlbumId,
  intent: UpgradeIntent,
  held: UpgradeRow | undefined,
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
  call: CallBy<"session", EndProblem>,
  albumId: AlbumId,
  intentId: IntentId,
) {
  const { app, now } = call;
  const album = await requireOwnAlbum(call, app.db, albumId);
  assertLives(call, album);
  return await transaction(app.db, async (tx) => {
    if (!await endIntent(tx, albumId, intentId, now)) {
      throw await whyNotLive(call, tx, albumId, intentId);
    }
    return await phaseToWire(app, tx, albumId);
  });
}

/**
 * Tombstones a drained album for ever and provisions its successor, in one
 * transaction. The commit of a ceremony repeated gives the same answer.
 */
export async function commitUpgrade(
  call: CallBy<"session", EndProblem>,
  albumId: AlbumId,
  intentId: IntentId,
) {
  const { app, now, raise } = call;
  const committed = await transaction(app.db, async (tx) => {
    const album = await requireOwnAlbum(call, tx, albumId);
    const held = await findIntent(tx, albumId, intentId);
    if (held?.state === "committed") return held;
    assertLives(call, album);
    const live = await findLive(tx, albumId, now);
    if (live?.intent_id !== intentId) {
      throw await whyNotLive(call, tx, albumId, intentId);
    }
    if (await countInFlight(tx, albumId, now) > 0) {
      throw raise("error.album.upgrade_in_flight");
    }
    await fork(call, tx, live);
    return { ...live, committed_at: now };
  });
  app.signals.feedNotifier.notify();
  return {
    album_id: albumId,
    successor_album_id: committed.successor_id,
    protocol_version: committed.to_protocol_version,
    committed_at: toRfc3339(committed.committed_at ?? now),
  };
}

async function fork(
  { caller: { userId }, now, raise }: CallBy<"session", EndProblem>,
  tx: Tx,
  live: UpgradeRow,
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
  { now, raise }: Call<EndProblem>,
  tx: Tx,
  albumId: AlbumId,
  intentId: IntentId,
) {
  if (await findLive(tx, albumId, now) !== undefined) {
    return raise("error.album.upgrade_in_flight");
  }
  return await findIntent(tx, albumId, intentId) === undefined
    ? raise("error.album.upgrade_not_in_flight")
    : raise("error.album.upgrade_intent_spent");
}
