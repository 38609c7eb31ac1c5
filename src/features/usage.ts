/**
 * What an account stores, as its row of `usage` counts it: the bytes in use, in
 * the trash and reserved for open uploads, how many of these are open, and how
 * many live assets and blobs there are. Triggers count what assets hold, each
 * blob once (`counting_once.ts`); what else is stored is moved along by the
 * transaction that changes it, and here alone. `strongroom check` counts again, and the two
 * agree; `check --recount` writes down what it counts.
 *
 * Where they do not, a counter may come to leave its range. It is not known
 * from then on, which the quota takes for full and nothing else is refused for,
 * until it is counted again: when room is asked for, or by the periodic task.
 *
 * @module
 */
import { type RawBuilder, sql } from "kysely";
import type { UserId } from "../core/ids.ts";
import {
  change,
  changeCompiled,
  type Db,
  transaction,
  type Tx,
} from "../store/sqlite/database.ts";
import {
  HELD_BLOBS,
  markHoldings,
  MISMARKED_HOLDINGS,
  TRASHED_HOLDINGS,
  USED_HOLDINGS,
} from "../store/sqlite/counting_once.ts";
import { compiledWrite } from "../store/sqlite/compiled.ts";
import { lapsedTrash, type TrashHorizon, type TrashPart } from "./trash.ts";

/** What is added to an account's counters; below 0 it is taken away. */
interface UsageChange {
  /** Bytes in use that no asset holds: what guests brought, state slots. */
  readonly used?: number;
  /** Bytes that open uploads, of guests too, are still to bring. */
  readonly reserved?: number;
  /** Open uploads of the account's own. */
  readonly openUploads?: number;
  /** Assets that are not in the trash. */
  readonly liveAssets?: number;
}

/** What more bytes have to leave room for. */
interface RoomLimits {
  /** The configured quota, for an account without its own; null for none. */
  readonly quotaBytes: number | null;
  readonly trash: TrashHorizon;
  /** How many uploads may be open; left out where none is opened. */
  readonly openUploads?: number;
  /** How many blobs no manifest may name; left out where none is brought. */
  readonly pendingBlobs?: number;
}

/** The value of a counter that has left its range, and what is above it. */
const UNKNOWN = Number.MAX_SAFE_INTEGER;

/** What the tables add up to for a row of `usage`, in SQL. */
export const TABLES_SAY = {
  used_bytes: sql<number>`(${
    sql.raw(USED_HOLDINGS)
  } + (select coalesce(sum(size), 0) from guest_upload
      where guest_upload.owner_id = usage.user_id and state = 'finalized')
    + (select coalesce(sum(size), 0) from state_slot
      where state_slot.user_id = usage.user_id))`,
  reserved_bytes: sql<number>`((select coalesce(sum(size), 0) from upload
      where upload.user_id = usage.user_id and state = 'open' and heals = 0)
    + (select coalesce(sum(size), 0) from guest_upload
      where guest_upload.owner_id = usage.user_id and state = 'open'))`,
  trash_bytes: sql<number>`${sql.raw(TRASHED_HOLDINGS)}`,
  // Guests' sessions do not count towards the limit of open ones.
  open_uploads: sql<number>`(select count(*) from upload
    where upload.user_id = usage.user_id and state = 'open')`,
  live_assets: sql<number>`(select count(*) from asset
    where asset.owner_id = usage.user_id and state = 'live')`,
  held_blobs: sql<number>`${sql.raw(HELD_BLOBS)}`,
  pending_blobs: sql<number>`(select count(*) from holding
    where holding.owner_id = usage.user_id and applied = 0)`,
} as const;

/** An account's holdings that are wrongly marked as in use, or not. */
export const MISMARKED = sql<number>`${sql.raw(MISMARKED_HOLDINGS)}`;

/** Whether a row of `usage` has a counter that is not known. */
const HAS_UNKNOWN = sql<0 | 1>`(max(used_bytes, reserved_bytes, trash_bytes,
  open_uploads) >= ${sql.lit(UNKNOWN)})`;

/** A counter of `usage` for JavaScript, which has no larger numbers. */
export function readable(counter: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`min(${counter}, ${sql.lit(UNKNOWN)})`;
}

/** Whether a counter, read with {@link readable}, is not known. */
export function isUnknown(counter: number): boolean {
  return counter >= UNKNOWN;
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
  await changeCompiled(tx, moveCompiled(tx, movesOf(userId, by)));
}

/**
 * Moves an account's counters where the quota, the number of uploads that
 * may be open, and that of blobs without a manifest leave room for it; false,
 * and nothing is moved, where not. What shrinks is never refused for the quota.
 * It comes before the change that it is for: it may have to count again.
 */
export async function takeQuota(
  tx: Tx,
  userId: UserId,
  by: UsageChange,
  limits: RoomLimits,
): Promise<boolean> {
  if (await hasTaken(tx, userId, by, limits)) return true;
  // Refused for a counter that is not known, it is for the tables to say.
  return await recount(tx, userId) && await hasTaken(tx, userId, by, limits);
}

async function hasTaken(
  tx: Tx,
  userId: UserId,
  by: UsageChange,
  limits: RoomLimits,
): Promise<boolean> {
  const { used = 0, reserved = 0 } = by;
  const bytes = used + reserved;
  const { openUploads = Number.MAX_SAFE_INTEGER, pendingBlobs } = limits;
  const within = moving(tx, movesOf(userId, by))
    .where("open_uploads", "<", openUploads);
  const move = pendingBlobs === undefined
    ? within
    : within.where("pending_blobs", "<", pendingBlobs);
  const { numUpdatedRows } =
    await (bytes > 0 ? move.where(hasRoomFor(bytes, limits)) : move)
      .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** What is added to every counter, and whose they are. */
type Moves = Required<UsageChange> & { readonly userId: UserId };

function movesOf(userId: UserId, by: UsageChange): Moves {
  const { used = 0, reserved = 0, openUploads = 0, liveAssets = 0 } = by;
  return { userId, used, reserved, openUploads, liveAssets };
}

const moveCompiled = compiledWrite(moving);

// One text for every change, so that it is prepared once.
function moving(
  tx: Db,
  { userId, used, reserved, openUploads, liveAssets }: Moves,
) {
  return tx.updateTable("usage")
    .set(() => ({
      used_bytes: moved("used_bytes", used),
      reserved_bytes: moved("reserved_bytes", reserved),
      open_uploads: moved("open_uploads", openUploads),
      // Nothing is decided by it: a count that is wrong, which a check finds,
      // is no reason to refuse that anything goes.
      live_assets: sql<number>`max(live_assets + ${liveAssets}, 0)`,
    }))
    .where("user_id", "=", userId);
}

// What is deleted must go whatever is counted: no constraint may refuse it.
function moved(counter: string, by: number): RawBuilder<number> {
  const before = sql.ref(counter);
  const unknown = sql.lit(UNKNOWN);
  return sql<number>`iif(${before} between 0 and ${unknown} - 1
    and ${before} + ${by} between 0 and ${unknown},
    ${before} + ${by}, ${unknown})`;
}

/**
 * Counts an account's storage again where a counter is not known; false, and
 * nothing is done, where all are.
 */
async function recount(tx: Tx, userId: UserId): Promise<boolean> {
  const row = await tx.selectFrom("usage")
    .select(HAS_UNKNOWN.as("unknown"))
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (row?.unknown !== 1) return false;
  await countAgain(tx, userId);
  return true;
}

/** Marks what an account holds as in use or not, and sets its counters. */
async function countAgain(tx: Tx, userId: UserId): Promise<void> {
  // It moves counters, which are set after it.
  await sql`${sql.raw(markHoldings("owner_id ="))} ${userId}`.execute(tx);
  await tx.updateTable("usage")
    .set(TABLES_SAY)
    .where("user_id", "=", userId)
    .execute();
}

/**
 * Counts again what every account stores of which a counter is not known;
 * returns how many there were.
 */
export async function recountUnknown(db: Db): Promise<number> {
  const accounts = await db.selectFrom("usage")
    .select("user_id")
    .where(sql<boolean>`${HAS_UNKNOWN}`)
    .execute();
  for (const { user_id } of accounts) {
    await transaction(db, (tx) => recount(tx, user_id));
  }
  return accounts.length;
}

/**
 * Counts again what every account stores, whatever its counters say; returns for
 * how many accounts one was wrong. A transaction each: no writer waits for all.
 */
export async function recountAll(db: Db): Promise<number> {
  const wrong = sql.join(
    [
      ...Object.entries(TABLES_SAY).map(([counter, counted]) =>
        sql`${sql.ref(counter)} <> ${counted}`
      ),
      sql`${MISMARKED} > 0`,
    ],
    sql` or `,
  );
  const accounts = await db.selectFrom("usage")
    .select("user_id")
    .where(sql<boolean>`(${wrong})`)
    .execute();
  for (const { user_id } of accounts) {
    await transaction(db, (tx) => countAgain(tx, user_id));
  }
  return accounts.length;
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
    or ${counted} - min(${lapsedTrash(trash)}, trash_bytes) <= ${quota})`;
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
export async function readUsage(db: Db, userId: UserId) {
  const read = (bytes: RawBuilder<number>) =>
    db.selectFrom("usage")
      .select(["quota_bytes", readable(bytes).as("bytes")])
      .where("user_id", "=", userId)
      .executeTakeFirst();
  const row = await read(sql`used_bytes + reserved_bytes + trash_bytes`);
  if (row === undefined || !isUnknown(row.bytes)) return row;
  const { used_bytes, reserved_bytes, trash_bytes } = TABLES_SAY;
  return await read(sql`${used_bytes} + ${reserved_bytes} + ${trash_bytes}`);
}

/**
 * The counters that an account's quota is held against, less what has left the
 * trash in a part of it.
 */
export async function readCounters(
  db: Db,
  userId: UserId,
  trash: TrashHorizon,
  part: TrashPart,
) {
  const read = (
    from: Pick<
      typeof TABLES_SAY,
      "used_bytes" | "reserved_bytes" | "trash_bytes"
    >,
  ) =>
    db.selectFrom("usage")
      .select(["quota_bytes", "live_assets", "held_blobs"])
      .select([
        readable(from.used_bytes).as("used_bytes"),
        readable(from.reserved_bytes).as("reserved_bytes"),
        readable(sql`max(${from.trash_bytes} - ${lapsedTrash(trash, part)}, 0)`)
          .as("trash_bytes"),
        HAS_UNKNOWN.as("unknown"),
      ])
      .where("user_id", "=", userId)
      .executeTakeFirst();
  const row = await read(COUNTERS);
  return row?.unknown === 1 ? await read(TABLES_SAY) : row;
}

const COUNTERS = {
  used_bytes: sql<number>`used_bytes`,
  reserved_bytes: sql<number>`reserved_bytes`,
  trash_bytes: sql<number>`trash_bytes`,
};

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
