/**
 * What an account stores, as its row of `usage` counts it: the bytes in use, in
 * the trash and reserved for open uploads, how many of these are open, and how
 * many live assets and blobs there are. The transaction that changes what is
 * held moves the counters along, and does it here alone; triggers count the
 * blobs that no manifest names. `strongroom check` counts again, and the two
 * agree.
 *
 * @module
 */
import { type RawBuilder, sql } from "kysely";
import type { UserId } from "../core/ids.ts";
import { change, type Db, type Tx } from "../store/database.ts";
import { lapsedTrash, type TrashHorizon, type TrashPart } from "./trash.ts";

/** What is added to an account's counters; below 0 it is taken away. */
export interface UsageChange {
  /** Bytes in use: holdings, what guests brought, state slots. */
  readonly used?: number;
  /** Bytes of what assets in the trash hold. */
  readonly trash?: number;
  /** Bytes that open uploads, of guests too, are still to bring. */
  readonly reserved?: number;
  /** Open uploads of the account's own. */
  readonly openUploads?: number;
  /** Assets that are not in the trash. */
  readonly liveAssets?: number;
  /** Blobs that assets hold, each in its role. */
  readonly heldBlobs?: number;
}

/** What more bytes have to leave room for. */
export interface RoomLimits {
  /** The configured quota, for an account without its own; null for none. */
  readonly quotaBytes: number | null;
  readonly trash: TrashHorizon;
  /** How many uploads may be open; left out where none is opened. */
  readonly openUploads?: number;
  /** How many blobs no manifest may name; left out where none is brought. */
  readonly pendingBlobs?: number;
}

/** Begins to count for an account. */
export async function openUsage(tx: Tx, userId: UserId): Promise<void> {
  await change(tx, tx.insertInto("usage").values({ user_id: userId }));
}

/** Moves an account's counters, whatever its quota is. */
export async function moveUsage(
  tx: Tx,
  userId: UserId,
  by: UsageChange,
): Promise<void> {
  await change(tx, moving(tx, userId, by));
}

/** The same where the statement before changed a row, and else nothing. */
export async function moveUsageIfChanged(
  tx: Tx,
  userId: UserId,
  by: UsageChange,
): Promise<void> {
  const hasChanged = sql<boolean>`changes() > 0`;
  await change(tx, moving(tx, userId, by).where(hasChanged));
}

/**
 * Moves an account's counters where the quota, the number of uploads that
 * may be open, and that of blobs without a manifest leave room for it; false,
 * and nothing is moved, where not. What shrinks is never refused for the quota.
 */
export async function takeQuota(
  tx: Tx,
  userId: UserId,
  by: UsageChange,
  limits: RoomLimits,
): Promise<boolean> {
  const { used = 0, trash = 0, reserved = 0 } = by;
  const bytes = used + trash + reserved;
  const { openUploads = Number.MAX_SAFE_INTEGER, pendingBlobs } = limits;
  const within = moving(tx, userId, by).where("open_uploads", "<", openUploads);
  const move = pendingBlobs === undefined
    ? within
    : within.where("pending_blobs", "<", pendingBlobs);
  const { numUpdatedRows } =
    await (bytes > 0 ? move.where(hasRoomFor(bytes, limits)) : move)
      .executeTakeFirst();
  return numUpdatedRows === 1n;
}

// One text for every change, so that it is prepared once.
function moving(
  tx: Tx,
  userId: UserId,
  by: UsageChange,
) {
  const { used = 0, trash = 0, reserved = 0, openUploads = 0 } = by;
  const { liveAssets = 0, heldBlobs = 0 } = by;
  return tx.updateTable("usage")
    .set((column) => ({
      used_bytes: column("used_bytes", "+", used),
      trash_bytes: column("trash_bytes", "+", trash),
      reserved_bytes: column("reserved_bytes", "+", reserved),
      open_uploads: column("open_uploads", "+", openUploads),
      // Nothing is decided by these: a count that is wrong, which a check
      // finds, is no reason to refuse that anything goes.
      live_assets: sql<number>`max(live_assets + ${liveAssets}, 0)`,
      held_blobs: sql<number>`max(held_blobs + ${heldBlobs}, 0)`,
    }))
    .where("user_id", "=", userId);
}

/**
 * Whether there is room for so many bytes more. What has left the trash is
 * summed only where it decides: the one writer is not to look at all of a large
 * trash for every small file.
 */
function hasRoomFor(
  bytes: number,
  { quotaBytes, trash }: RoomLimits,
): RawBuilder<boolean> {
  const counted = sql`used_bytes + reserved_bytes + trash_bytes + ${bytes}`;
  const quota = sql`coalesce(quota_bytes, ${quotaBytes})`;
  return sql<boolean>`(${quota} is null or ${counted} <= ${quota}
    or ${counted} - ${lapsedTrash(trash)} <= ${quota})`;
}

/** Frees what was reserved for open uploads, which have all ended. */
export async function freeReservations(tx: Tx): Promise<void> {
  await tx.updateTable("usage")
    .set({ reserved_bytes: 0, open_uploads: 0 })
    .execute();
}

/** Sets an account's own quota; null: the configured one. */
export async function setQuotaBytes(
  tx: Tx,
  userId: UserId,
  bytes: number | null,
): Promise<void> {
  await tx.updateTable("usage")
    .set({ quota_bytes: bytes })
    .where("user_id", "=", userId)
    .execute();
}

/** How many uploads an account has open. */
export async function countOpenUploads(
  db: Db,
  userId: UserId,
): Promise<number> {
  const { open_uploads } = await db.selectFrom("usage")
    .select("open_uploads")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return open_uploads;
}

/** Finalized blobs of an account that no manifest names. */
export async function countPending(db: Db, userId: UserId): Promise<number> {
  const { pending_blobs } = await db.selectFrom("usage")
    .select("pending_blobs")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return pending_blobs;
}

/** What the quota counts of an account, and its own quota. */
export function readUsage(db: Db, userId: UserId) {
  return db.selectFrom("usage")
    .select([
      "quota_bytes",
      sql<number>`used_bytes + reserved_bytes + trash_bytes`.as("bytes"),
    ])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/**
 * The counters that an account's quota is held against, less what has left the
 * trash in a part of it.
 */
export function readCounters(
  db: Db,
  userId: UserId,
  trash: TrashHorizon,
  part: TrashPart,
) {
  return db.selectFrom("usage")
    .select([
      "used_bytes",
      "reserved_bytes",
      "quota_bytes",
      "live_assets",
      "held_blobs",
    ])
    .select(
      sql<number>`trash_bytes - ${lapsedTrash(trash, part)}`.as("trash_bytes"),
    )
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** Bytes that have left the trash in a part of it. */
export async function sumLapsed(
  db: Db,
  userId: UserId,
  trash: TrashHorizon,
  part: TrashPart,
): Promise<number> {
  const row = await db.selectFrom("usage")
    .select(lapsedTrash(trash, part).as("bytes"))
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.bytes ?? 0;
}
