/**
 * State slots (protocol/state.md): what an account's programs keep for
 * themselves, opaque to the server. A client cannot overwrite what it has not
 * seen.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { StateSlot, UserId } from "../../core/ids.ts";
import { isMet, type Precondition } from "../../http/precondition.ts";
import { transaction, type Tx } from "../../store/sqlite/database.ts";
import { trashHorizon } from "../trash.ts";
import type { App } from "../app.ts";
import type { CallBy } from "../call.ts";
import { requireDisk } from "../disk.ts";
import { appendFeed } from "../feed.ts";
import { assertWithin } from "../row_limits.ts";
import { moveUsage, takeQuota } from "../usage.ts";
import {
  countSlots,
  deleteSlot,
  findSlot,
  findTag,
  insertSlot,
  replaceSlot,
} from "./store.ts";

/** What a slot holds, the exact bytes, with their entity tag. */
export async function fetchSlot(
  call: CallBy<"session", "error.state.not_found">,
  slot: StateSlot,
): Promise<{ readonly body: Uint8Array<ArrayBuffer>; readonly etag: string }> {
  const { app, caller: { userId }, raise } = call;
  const held = await findSlot(app.db, userId, slot);
  if (held === undefined) throw raise("error.state.not_found");
  return { body: held.body, etag: tagOf(held.body_hash) };
}

/** Puts bytes into a slot; returns their entity tag. */
export async function putSlot(
  call: CallBy<
    "session",
    | "error.state.precondition_required"
    | "error.state.version_conflict"
    | "error.account.limit_reached"
    | "error.storage.quota_exceeded"
  >,
  slot: StateSlot,
  body: Uint8Array<ArrayBuffer>,
  condition: Precondition,
): Promise<string> {
  const { app, caller: { userId }, raise } = call;
  if (condition.wanted === undefined && !condition.onlyEmpty) {
    throw raise("error.state.precondition_required");
  }
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const row = { body, body_hash: bodyHash, size: body.length };
  const put = async (tx: Tx) => {
    const held = await findTag(tx, userId, slot);
    if (!isMet(condition, held && tagOf(held.body_hash))) {
      throw raise("error.state.version_conflict");
    }
    // Once into the log and once into the database, and one after the other:
    // many that are sent at once must not each count on the same room.
    await requireDisk(app, 2 * body.length);
    const more = held === undefined ? 1 : 0;
    assertWithin(call, "stateSlots", await countSlots(tx, userId) + more);
    const used = body.length - (held?.size ?? 0);
    const moved = await takeQuota(tx, userId, { used }, {
      quotaBytes: app.limits.accountQuotaBytes ?? null,
      trash: trashHorizon(app.platform.now(), app.limits.trashMs),
    });
    if (!moved) throw raise("error.storage.quota_exceeded");
    const isPut = held === undefined
      ? await insertSlot(tx, { user_id: userId, slot, ...row })
      : await replaceSlot(tx, userId, slot, held.body_hash, row);
    if (!isPut) throw raise("error.state.version_conflict");
    await tell(app, tx, userId, slot);
  };
  await transaction(app.db, put);
  app.signals.feedNotifier.notify();
  return tagOf(bodyHash);
}

/** Empties a slot; one that is empty makes no difference. */
export async function emptySlot(
  app: App,
  userId: UserId,
  slot: StateSlot,
): Promise<void> {
  const cleared = await transaction(app.db, async (tx) => {
    const size = await deleteSlot(tx, userId, slot);
    if (size === undefined) return false;
    await moveUsage(tx, userId, { used: -size });
    await tell(app, tx, userId, slot);
    return true;
  });
  if (cleared) app.signals.feedNotifier.notify();
}

async function tell(
  app: App,
  tx: Tx,
  userId: UserId,
  slot: StateSlot,
): Promise<void> {
  const at = app.platform.now();
  await appendFeed(tx, { userId, action: "state", slot, personal: true, at });
}

function tagOf(bodyHash: string): string {
  return `"${bodyHash}"`;
}
