/**
 * Invitations: each lets one person register, however registration is set
 * (protocol/authentication.md#registration).
 *
 * @module
 */
import { createHash } from "node:crypto";
import { toBase64Url } from "../../core/bytes.ts";
import {
  type InvitationId,
  parseUuid,
  type UserId,
  uuidV4,
} from "../../core/ids.ts";
import { OperatorFault } from "../../core/operator.ts";
import type { Platform } from "../../core/platform.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import { setQuotaBytes } from "../usage.ts";
import {
  deleteInvitation,
  insertInvitation,
  isLive,
  listLive,
  takeInvitation,
} from "./invitation_store.ts";

const CODE_BYTES = 16;
/** 16 bytes in base64url; whatever else is presented is no code. */
const CODE = /^[A-Za-z0-9_-]{22}$/;

/** An invitation that may be used, as the operator sees it; instants in ms. */
export interface Invitation {
  readonly id: InvitationId;
  readonly expiresAt: number;
  /** Null: the account that comes of it has the configured quota. */
  readonly quotaBytes: number | null;
}

/**
 * Makes an invitation. The code is told here and never again: the store keeps
 * its hash.
 */
export async function invite(
  db: Db,
  { now, random }: Pick<Platform, "now" | "random">,
  given: { readonly livesMs: number; readonly quotaBytes: number | null },
): Promise<Invitation & { readonly code: string }> {
  const code = toBase64Url(random(CODE_BYTES));
  const createdAt = now();
  const made = {
    id: uuidV4<InvitationId>(random),
    expiresAt: createdAt + given.livesMs,
    quotaBytes: given.quotaBytes,
  };
  await insertInvitation(db, {
    invitation_id: made.id,
    code_hash: hashOf(code),
    created_at: createdAt,
    expires_at: made.expiresAt,
    quota_bytes: made.quotaBytes,
  });
  return { ...made, code };
}

/** The unused invitations, the first to expire first. */
export async function listInvitations(
  db: Db,
  now: number,
): Promise<Invitation[]> {
  const rows = await listLive(db, now);
  return rows.map(({ invitation_id: id, expires_at, quota_bytes }) => ({
    id,
    expiresAt: expires_at,
    quotaBytes: quota_bytes,
  }));
}

/** Takes an invitation back. Throws an {@link OperatorFault} for no live one. */
export async function uninvite(
  db: Db,
  given: string,
  now: number,
): Promise<InvitationId> {
  const id = parseUuid<InvitationId>(given);
  if (id !== undefined && await deleteInvitation(db, id, now)) return id;
  throw new OperatorFault(
    `there is no invitation ${JSON.stringify(given)}, or it was used ` +
      "or has expired: strongroom account invitations lists them",
  );
}

/** Whether a text has the form of an invitation's code. */
export function isInvitationCode(text: string): boolean {
  return CODE.test(text);
}

/** Whether a code is that of a live invitation. */
export async function isInvited(
  db: Db,
  code: string,
  now: number,
): Promise<boolean> {
  return await isLive(db, hashOf(code), now);
}

/**
 * Uses an invitation up for an account that was just made, which gets its
 * quota; false if another registration was first, or it has expired meanwhile.
 */
export async function useInvitation(
  tx: Tx,
  userId: UserId,
  code: string,
  now: number,
): Promise<boolean> {
  const taken = await takeInvitation(tx, hashOf(code), now);
  if (taken === undefined) return false;
  if (taken.quota_bytes !== null) {
    await setQuotaBytes(tx, userId, taken.quota_bytes);
  }
  return true;
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
