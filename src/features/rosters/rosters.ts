/**
 * Album rosters: who is in, under which version and key epoch
 * (protocol/albums.md#roster).
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { AlbumId, UserId } from "../../core/ids.ts";
import { verifyEnvelope } from "../../crypto/envelope.ts";
import { transaction, type Tx } from "../../store/sqlite/database.ts";
import {
  type AlbumView,
  assertLives,
  requireAlbum,
  requireOwnAlbum,
} from "../albums/access.ts";
import { readAnchor } from "../anchor.ts";
import type { Call, CallBy } from "../call.ts";
import { requireDisk } from "../disk.ts";
import { appendFeed } from "../feed.ts";
import { appendEntry, rosterEntry } from "../log/entries.ts";
import { assertWithin, ROW_LIMITS } from "../row_limits.ts";
import {
  readRoster,
  ROSTER_TYPE,
  type RosterDocument,
  RosterFault,
} from "./document.ts";
import {
  advanceRoster,
  findNamedTooOften,
  findRoster,
  listComing,
  listLeaving,
  putRoster,
  readRosterSize,
  replaceMembers,
  sumRosters,
  tellLeaving,
} from "./store.ts";

/** A version may be this far above the one held. */
const VERSION_LEAP = 1_000;

type PublishProblem =
  | "error.album.not_found"
  | "error.album.role_forbidden"
  | "error.album.tombstoned"
  | "error.album.roster_stale"
  | "error.album.roster_version_leap"
  | "error.roster.invalid"
  | "error.account.limit_reached";

/**
 * Publishes the roster of the caller's album. The very bytes that are held
 * already are a success that writes nothing.
 */
export async function publishRoster(
  call: CallBy<"session", PublishProblem>,
  albumId: AlbumId,
  body: Uint8Array<ArrayBuffer>,
) {
  const { app, caller: { userId }, now, raise } = call;
  const album = await requireOwnAlbum(call, app.db, albumId);
  assertLives(call, album);
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const held = await findRoster(app.db, albumId);
  if (held?.body_hash === bodyHash) return toWire(albumId, held, true);
  const roster = read(call, albumId, body);
  assertAdvances(call, album, roster);
  const anchor = await readAnchor(app.db, userId);
  if (
    anchor === null ||
    !await verifyEnvelope(roster.opened, anchor, ROSTER_TYPE)
  ) {
    throw raise("error.roster.invalid", { cause: "not signed by the owner" });
  }
  await requireDisk(app, body.length);
  const replayed = await transaction(app.db, async (tx) => {
    if (await advanceRoster(tx, albumId, roster, VERSION_LEAP)) {
      const at = { body, bodyHash, now };
      await commit(call, tx, userId, albumId, roster, at);
      return false;
    }
    // Another publish came first: this very one, or the reason to refuse it.
    if ((await findRoster(tx, albumId))?.body_hash === bodyHash) return true;
    const newer = await requireOwnAlbum(call, tx, albumId);
    assertLives(call, newer);
    assertAdvances(call, newer, roster);
    throw new Error(`roster of ${albumId} neither advances nor conflicts`);
  });
  app.signals.feedNotifier.notify();
  return toWire(albumId, {
    roster_version: roster.version,
    amk_epoch: roster.amkEpoch,
    member_count: roster.members.length,
  }, replayed);
}

/** Reads a roster that is the caller's and this album's. */
function read(
  { app, caller: { userId }, raise }: CallBy<"session", "error.roster.invalid">,
  albumId: AlbumId,
  body: Uint8Array,
): RosterDocument {
  try {
    const roster = readRoster(body, app.server.serverId);
    if (roster.albumId !== albumId || roster.owner !== userId) {
      throw new RosterFault("of another album or owner");
    }
    return roster;
  } catch (cause) {
    if (!(cause instanceof RosterFault)) throw cause;
    throw raise("error.roster.invalid", { cause });
  }
}

/** Version first, then the epoch, which never falls. */
function assertAdvances(
  { raise }: Call<PublishProblem>,
  held: Pick<AlbumView, "rosterVersion" | "amkEpoch">,
  roster: RosterDocument,
): void {
  const { rosterVersion: current, amkEpoch } = held;
  if (roster.version <= current) {
    throw raise("error.album.roster_stale", {
      extra: { current_version: current },
    });
  }
  if (roster.version > current + VERSION_LEAP) {
    throw raise("error.album.roster_version_leap", {
      extra: { current_version: current, max_version: current + VERSION_LEAP },
    });
  }
  if (roster.amkEpoch < amkEpoch) {
    throw raise("error.roster.invalid", { cause: "the epoch falls" });
  }
}

/** Everything that a publish makes true, inside its one transaction. */
async function commit(
  call: Call<"error.account.limit_reached">,
  tx: Tx,
  ownerId: UserId,
  albumId: AlbumId,
  roster: RosterDocument,
  { body, bodyHash, now }: {
    readonly body: Uint8Array<ArrayBuffer>;
    readonly bodyHash: string;
    readonly now: number;
  },
): Promise<void> {
  const names = roster.members.map(({ member }) => member);
  const leaving = await listLeaving(tx, albumId, names);
  const coming = await listComing(tx, albumId, names);
  const before = await readRosterSize(tx, albumId);
  await putRoster(tx, {
    album_id: albumId,
    body,
    body_hash: bodyHash,
    member_count: names.length,
    published_at: now,
  });
  await replaceMembers(tx, albumId, ownerId, roster.members);
  const grows = body.length > before;
  await assertWithinLimits(call, tx, ownerId, { coming, grows });
  await appendEntry(tx, rosterEntry(albumId, roster.version, bodyHash));
  const entry = { action: "roster", albumId, at: now } as const;
  await appendFeed(tx, { ...entry, userId: ownerId });
  // A removed member sees this one entry more, and no other of the album.
  await tellLeaving(tx, albumId, leaving, now);
}

/**
 * Refuses a roster, after the writes and before the commit, that would make a
 * member read too many albums of one owner, or the rosters too large together.
 * A roster without new names that does not grow always passes: removing a
 * member must.
 */
async function assertWithinLimits(
  call: Call<"error.account.limit_reached">,
  tx: Tx,
  ownerId: UserId,
  { coming, grows }: {
    /** Who was not named before. */
    readonly coming: readonly string[];
    /** Whether this roster is larger than the one that it replaces. */
    readonly grows: boolean;
  },
): Promise<void> {
  const { albumsNamingOne: most } = ROW_LIMITS;
  const often = await findNamedTooOften(tx, ownerId, coming, most);
  if (often !== undefined) assertWithin(call, "albumsNamingOne", most + 1);
  const held = await sumRosters(tx, ownerId);
  if (coming.length > 0) assertWithin(call, "rosterNames", held.names);
  if (grows) assertWithin(call, "rosterBytes", held.bytes);
}

function toWire(
  albumId: AlbumId,
  roster: {
    readonly roster_version: number;
    readonly amk_epoch: number;
    readonly member_count: number;
  },
  replayed: boolean,
) {
  return {
    album_id: albumId,
    roster_version: roster.roster_version,
    amk_epoch: roster.amk_epoch,
    member_count: roster.member_count,
    replayed,
  };
}

/** The exact bytes of a roster, for the owner and readers of the album. */
export async function fetchRoster(
  call: CallBy<"reader", "error.album.not_found" | "error.roster.not_found">,
  albumId: AlbumId,
): Promise<{
  readonly body: Uint8Array<ArrayBuffer>;
  readonly body_hash: string;
}> {
  const { app, caller, raise } = call;
  if (caller.kind === "capability") {
    if (caller.albumId !== albumId) throw raise("error.album.not_found");
  } else await requireAlbum(call, app.db, caller.userId, albumId);
  const held = await findRoster(app.db, albumId);
  if (held === undefined) throw raise("error.roster.not_found");
  return held;
}
