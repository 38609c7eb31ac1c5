/**
 * The wrapped master key: one per account, stored as received and returned byte
 * for byte (protocol/devices.md#escrow). The server never unwraps it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { UserId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { isMet, type Precondition } from "../../http/precondition.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import type { CallBy } from "../call.ts";
import { requireRecent } from "../sessions/recent.ts";

/** A wrapped master key as it lies in the store. */
interface Escrow {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
  readonly stored_at: number;
}

/**
 * Stores a wrapped master key. Storing over an existing one is the guided
 * re-wrap: the old bytes are gone in the same operation, and so it wants a
 * recent presentation.
 */
export async function storeEscrow(
  call: CallBy<
    "session",
    | "error.request.malformed"
    | "error.auth.reauthentication_required"
    | "error.escrow.version_conflict"
  >,
  body: Uint8Array<ArrayBuffer>,
  condition: Precondition,
) {
  const { app, caller: { userId }, now, raise } = call;
  if (body.length === 0) throw raise("error.request.malformed");
  const escrow: Escrow = {
    body,
    sha256: createHash("sha256").update(body).digest("hex"),
    stored_at: now,
  };
  const replaced = await transaction(app.db, async (tx) => {
    const held = await findTag(tx, userId);
    if (!isMet(condition, held && tagOf(held.sha256))) {
      throw raise("error.escrow.version_conflict");
    }
    if (await replaceEscrow(tx, userId, escrow)) {
      // Undone with the transaction where it is refused.
      await requireRecent(call, tx);
      return true;
    }
    await insertEscrow(tx, userId, escrow);
    return false;
  });
  return {
    size: body.length,
    sha256: escrow.sha256,
    stored_at: toRfc3339(escrow.stored_at),
    replaced,
  };
}

/** An account's wrapped master key, the exact bytes, with their entity tag. */
export async function fetchEscrow(
  call: CallBy<"session", "error.escrow.not_found">,
): Promise<{ readonly body: Uint8Array<ArrayBuffer>; readonly etag: string }> {
  const { app, caller: { userId }, raise } = call;
  const held = await findEscrow(app.db, userId);
  if (held === undefined) throw raise("error.escrow.not_found");
  return { body: held.body, etag: tagOf(held.sha256) };
}

/** The entity tag of a wrapped master key. */
export function tagOf(sha256: string): string {
  return `"${sha256}"`;
}

/** Replaces what an account holds; false when it holds nothing yet. */
async function replaceEscrow(
  tx: Tx,
  userId: UserId,
  escrow: Escrow,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("escrow")
    .set(escrow)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function insertEscrow(
  tx: Tx,
  userId: UserId,
  escrow: Escrow,
): Promise<void> {
  await tx.insertInto("escrow").values({ user_id: userId, ...escrow })
    .execute();
}

function findTag(tx: Tx, userId: UserId) {
  return tx.selectFrom("escrow")
    .select("sha256")
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

function findEscrow(db: Db, userId: UserId) {
  return db.selectFrom("escrow")
    .select(["body", "sha256"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}
