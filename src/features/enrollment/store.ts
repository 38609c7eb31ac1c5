import { type Insertable, sql } from "kysely";
import type { ChannelId, UserId } from "../../core/ids.ts";
import { CLOCK_SLACK_MS, MINUTE_MS } from "../../core/time.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { RelayDirection, Schema } from "../../store/sqlite/schema.ts";
import { KEPT } from "../row_limits.ts";

/** For how long a code lives (ms), and a channel. */
export const CODE_MS = 10 * MINUTE_MS;
export const CHANNEL_MS = 30 * MINUTE_MS;

/**
 * What lives for so long and was made by now has ended by then (ms): what ends
 * later was made by a clock that was ahead, and lives no more.
 */
function lastEnd(lengthMs: number, now: number): number {
  return now + lengthMs + CLOCK_SLACK_MS;
}

/**
 * Puts an account's code in place of any older one; false when that code is
 * held already, by whomever, and another has to be drawn.
 */
export async function putCode(
  tx: Tx,
  code: Insertable<Schema["enrollment_code"]>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into enrollment_code (user_id, code_hash, expires_at)
    select ${code.user_id}, ${code.code_hash}, ${code.expires_at}
    where not exists (
      select 1 from enrollment_code where code_hash = ${code.code_hash}
    )
    on conflict (user_id) do update
    set code_hash = excluded.code_hash, expires_at = excluded.expires_at
  `.execute(tx);
  return numAffectedRows === 1n;
}

export function findLiveCode(db: Db, userId: UserId, now: number) {
  return db.selectFrom("enrollment_code")
    .select("expires_at")
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .where("expires_at", "<=", lastEnd(CODE_MS, now))
    .executeTakeFirst();
}

/**
 * Takes a live code of an active account out of the store and answers
 * whose it was. One that is refused stays as it is.
 */
export async function burnCode(
  tx: Tx,
  codeHash: string,
  now: number,
): Promise<UserId | undefined> {
  const burned = await tx.deleteFrom("enrollment_code")
    .where("code_hash", "=", codeHash)
    .where("expires_at", ">", now)
    .where("expires_at", "<=", lastEnd(CODE_MS, now))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("account")
          .select("account.user_id")
          .whereRef("account.user_id", "=", "enrollment_code.user_id")
          .where("account.suspended_at", "is", null),
      )
    )
    .returning("user_id")
    .executeTakeFirst();
  return burned?.user_id;
}

export async function insertChannel(
  tx: Tx,
  channel: Insertable<Schema["enrollment_channel"]>,
): Promise<void> {
  await tx.insertInto("enrollment_channel").values(channel).execute();
  await sql`delete from enrollment_channel where channel_id in (
    select channel_id from enrollment_channel
    where user_id = ${channel.user_id} and channel_id <> ${channel.channel_id}
    order by opened_at desc, channel_id
    limit -1 offset ${sql.lit(KEPT.enrollmentChannels - 1)})`.execute(tx);
}

/** The live channel that an account's codes opened last. */
export function findNewestChannel(db: Db, userId: UserId, now: number) {
  return db.selectFrom("enrollment_channel")
    .select(["channel_id", "expires_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .where("expires_at", "<=", lastEnd(CHANNEL_MS, now))
    .orderBy("opened_at", "desc")
    .orderBy("channel_id")
    .limit(1)
    .executeTakeFirst();
}

export async function isLiveChannel(
  db: Db,
  channelId: ChannelId,
  now: number,
): Promise<boolean> {
  const channel = await db.selectFrom("enrollment_channel")
    .select("channel_id")
    .where("channel_id", "=", channelId)
    .where("expires_at", ">", now)
    .where("expires_at", "<=", lastEnd(CHANNEL_MS, now))
    .executeTakeFirst();
  return channel !== undefined;
}

/** Closes an initiator's live channel, both mailboxes with it. */
export async function deleteChannel(
  db: Db,
  userId: UserId,
  channelId: ChannelId,
  now: number,
): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("enrollment_channel")
    .where("channel_id", "=", channelId)
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .where("expires_at", "<=", lastEnd(CHANNEL_MS, now))
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Appends to a mailbox that holds fewer than `capacity`; false when full. */
export async function insertPayload(
  tx: Tx,
  payload: Insertable<Schema["relay_payload"]>,
  capacity: number,
): Promise<boolean> {
  const { channel_id, direction } = payload;
  const { numAffectedRows } = await sql`
    insert into relay_payload (channel_id, direction, payload)
    select ${channel_id}, ${direction}, ${payload.payload}
    where (
      select count(*) from relay_payload
      where channel_id = ${channel_id} and direction = ${direction}
    ) < ${capacity}
  `.execute(tx);
  return numAffectedRows === 1n;
}

/** What a mailbox holds, oldest first. */
export async function readMailbox(
  db: Db,
  channelId: ChannelId,
  direction: RelayDirection,
): Promise<Uint8Array[]> {
  const rows = await db.selectFrom("relay_payload")
    .select("payload")
    .where("channel_id", "=", channelId)
    .where("direction", "=", direction)
    .orderBy("relay_seq")
    .execute();
  return rows.map(({ payload }) => payload);
}

/** Takes all that a mailbox holds out of it, oldest first. */
export async function takeMailbox(
  tx: Tx,
  channelId: ChannelId,
  direction: RelayDirection,
): Promise<Uint8Array[]> {
  const rows = await tx.deleteFrom("relay_payload")
    .where("channel_id", "=", channelId)
    .where("direction", "=", direction)
    .returning(["relay_seq", "payload"])
    .execute();
  // A delete returns its rows in no particular order.
  return rows.toSorted((one, other) => one.relay_seq - other.relay_seq)
    .map(({ payload }) => payload);
}

/** Removes what has expired; returns how many rows. */
export async function purgeEnrollment(db: Db, now: number): Promise<number> {
  const codes = await db.deleteFrom("enrollment_code")
    .where("expires_at", "<=", now)
    .executeTakeFirst();
  const channels = await db.deleteFrom("enrollment_channel")
    .where("expires_at", "<=", now)
    .executeTakeFirst();
  return Number(codes.numDeletedRows + channels.numDeletedRows);
}
