import type { InvitationId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";

interface InvitationRow {
  readonly invitation_id: InvitationId;
  readonly code_hash: string;
  readonly created_at: number;
  readonly expires_at: number;
  /** Of the account that comes of it; null: the configured quota. */
  readonly quota_bytes: number | null;
}

export async function insertInvitation(
  db: Db,
  invitation: InvitationRow,
): Promise<void> {
  await db.insertInto("invitation").values(invitation).execute();
}

/** Whether a code allows a registration at an instant. */
export async function isLive(
  db: Db,
  codeHash: string,
  now: number,
): Promise<boolean> {
  const row = await db.selectFrom("invitation")
    .select("invitation_id")
    .where("code_hash", "=", codeHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses a live invitation up; undefined if another registration was first. */
export async function takeInvitation(
  tx: Tx,
  codeHash: string,
  now: number,
): Promise<Pick<InvitationRow, "quota_bytes"> | undefined> {
  return await tx.deleteFrom("invitation")
    .where("code_hash", "=", codeHash)
    .where("expires_at", ">", now)
    .returning("quota_bytes")
    .executeTakeFirst();
}

/** Those that still allow a registration, the first to expire first. */
export function listLive(db: Db, now: number) {
  return db.selectFrom("invitation")
    .select(["invitation_id", "created_at", "expires_at", "quota_bytes"])
    .where("expires_at", ">", now)
    .orderBy("expires_at")
    .orderBy("invitation_id")
    .execute();
}

export async function deleteInvitation(
  db: Db,
  id: InvitationId,
  now: number,
): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("invitation")
    .where("invitation_id", "=", id)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Removes those that have expired; returns how many. */
export async function purgeInvitations(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom("invitation")
    .where("expires_at", "<=", now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
