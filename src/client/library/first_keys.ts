/**
 * Making the keys of a new account. Which device makes them is decided by the
 * directory: the server takes the first identity key and no other. A device
 * that lost must not have written anything that the winner's keys need, so the
 * sealed master key waits in a state slot of its own, and only the winner makes
 * it the escrow (protocol/client-cryptography.md#escrow-blob).
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { ApiProblem } from "../api.ts";
import type { Session } from "./session.ts";

/** Characters of the `key_id` in the name of the slot. */
const ID_LENGTH = 24;

/** The slot in which the escrow of an identity's keys waits. */
function waitingSlot(identityKey: Uint8Array): string {
  return `escrow-${keyId(identityKey).slice(0, ID_LENGTH)}`;
}

/** Keeps an escrow blob until its keys are the account's, or others are. */
export async function holdEscrow(
  { account }: Session,
  identityKey: Uint8Array,
  blob: Bytes,
): Promise<void> {
  const slot = waitingSlot(identityKey);
  try {
    await account.putSlot(slot, blob, null);
  } catch (error) {
    const isHeld = error instanceof ApiProblem &&
      error.code === "error.state.version_conflict";
    if (!isHeld) throw error;
    // Of an earlier attempt of this device: nobody else has these keys.
    await account.putSlot(slot, blob, "*");
  }
}

/**
 * Makes the blob that waits for these keys the account's escrow. Where this
 * device did not publish them just now, a blob that is held is the newer one.
 */
export async function settleEscrow(
  session: Session,
  identityKey: Uint8Array,
  isFirst: boolean,
): Promise<void> {
  const { account } = session;
  const slot = waitingSlot(identityKey);
  const waiting = await unlessMissing(() => account.slot(slot));
  if (waiting === undefined) return;
  const isDue = isFirst ||
    await unlessMissing(() => account.escrow()) === undefined;
  if (isDue) {
    await session.recently(() => account.storeEscrow(waiting.bytes));
  }
  await account.deleteSlot(slot);
}

/** Forgets what waits for keys that are not the account's. */
export async function dropEscrow(
  { account }: Session,
  identityKey: Uint8Array,
): Promise<void> {
  // Nobody needs it, and nobody misses that it is gone.
  await account.deleteSlot(waitingSlot(identityKey)).catch(() => {});
}

/**
 * The account's escrow; undefined if there is none. It is still in its slot if
 * the device that made the keys was cut off.
 */
export async function escrowOf(session: Session): Promise<Bytes | undefined> {
  const { account } = session;
  const held = await unlessMissing(() => account.escrow());
  if (held !== undefined) return held;
  const anchor = await anchorOf(session);
  if (anchor === undefined) return undefined;
  const slot = waitingSlot(anchor);
  return (await unlessMissing(() => account.slot(slot)))?.bytes;
}

/** The account's identity anchor according to the server. */
export async function anchorOf(
  { account, userId }: Session,
): Promise<Uint8Array | undefined> {
  return (await unlessMissing(() => account.directory(userId)))?.identityKey;
}

async function unlessMissing<T>(
  fetched: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await fetched();
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  }
}
