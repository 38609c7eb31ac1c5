/**
 * The wrapped master key: one per account, stored as received and returned byte
 * for byte (protocol/devices.md#escrow). The server never unwraps it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { UserId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { type Db, transaction, type Tx } from "../../store/database.ts";
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
    "error.request.malformed" | "error.auth.reauthentication_required"
  >,
  body: Uint8Array<ArrayBuffer>,
) {
  const { app, caller: { userId }, now, raise } = call;
  if (body.length === 0) throw raise("error.request.malformed");
  const escrow: Escrow = {
    body,
    sha256: createHash("sha256").update(body).digest("hex"),
    stored_at: now,
  };
  const replaced = await transaction(app.db, async (tx) => {
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

/** An account's wrapped master key, the exact bytes. */
export async function fetchEscrow(
  call: CallBy<"session", "error.escrow.not_found">,
): Promise<Uint8Array<ArrayBuffer>> {
  const { app, caller: { userId }, raise } = call;
  const held = await findEscrow(app.db, userId);
  if (held === undefined) throw raise("error.escrow.not_found");
  return held.body;
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

function findEscrow(db: Db, userId: UserId) {
  return db.selectFrom("escrow")
    .select("body")
    .where("user_id", "=", userId)
    .executeTakeFirst();
}
