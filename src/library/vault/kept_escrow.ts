/**
 * The account's escrow, kept on this device as well. A server that was restored
 * from an older backup has older boxes or none, so words that were made since
 * then would open nothing; then this device puts its copy there again. The copy
 * is sealed under the words or the phrase, as the server's is.
 *
 * @module
 */
import { equalBytes } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import {
  emptyState,
  encodeState,
  mergeStates,
} from "../../client/documents/state.ts";
import {
  ApiProblem,
  ConnectionError,
  UnexpectedAnswer,
} from "../../client/api/transport.ts";
import { holdReplaced, ownEscrow, unlessMissing } from "./first_keys.ts";
import type { Session } from "./session.ts";
import type { SharedState } from "./shared_state.ts";

/** How it is with the escrow of a server that had an older one. */
export type EscrowNews =
  /** This device's newer one is there again. */
  | "given_back"
  /** The server wants the password first: after the next sign-in. */
  | "due"
  /** The restored server has one that this device never saw. */
  | "unknown";

/**
 * Gives a server what it lacks of what this device knows: the escrow, lists and
 * marks. Without this, people can still open their photos; the next sync tries
 * again.
 */
export async function giveBack(
  session: Session,
  state: SharedState,
  restored: boolean,
): Promise<EscrowNews | undefined> {
  try {
    const there = state.shown ?? emptyState();
    // Merged with itself too: a merge may put entries into another order.
    const all = encodeState(mergeStates(there, state.held));
    if (!equalBytes(all, encodeState(mergeStates(there, there)))) {
      await state.change((held) => held);
    }
  } catch (error) {
    if (!isForLater(error)) throw error;
  }
  try {
    return await keepEscrow(session, restored);
  } catch (error) {
    if (!isForLater(error)) throw error;
    return undefined;
  }
}

function isForLater(error: unknown): boolean {
  return error instanceof ApiProblem || error instanceof ConnectionError ||
    error instanceof UnexpectedAnswer || error instanceof RangeError;
}

/**
 * Compares the server's escrow with the kept one. A newer one is kept from now
 * on; where the server's is older or gone, the kept one is put there again.
 * Throws the errors of the calls.
 */
export async function keepEscrow(
  session: Session,
  restored: boolean,
): Promise<EscrowNews | undefined> {
  const { account, platform } = session;
  const stored = await unlessMissing(() => account.taggedEscrow());
  const own = stored && await ownEscrow(session, stored.bytes);
  const held = own && { ...stored, bytes: own };
  const kept = session.escrow();
  const blob = kept?.blob;
  if (kept === undefined || blob === undefined) {
    await holdReplaced(session, undefined, held?.bytes);
    return undefined;
  }
  if (held !== undefined && equalBytes(held.bytes, blob)) {
    await session.holdEscrow({ ...kept, at: platform.now(), due: false });
    return undefined;
  }
  if (held !== undefined && !kept.before.includes(sha256Hex(held.bytes))) {
    // Another device made it, and it counts.
    await holdReplaced(session, blob, held.bytes);
    return restored ? "unknown" : undefined;
  }
  try {
    await account.storeEscrow(new Uint8Array(blob), held?.etag ?? null);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    await session.holdEscrow({ ...kept, at: platform.now(), due: true });
    return "due";
  }
  await holdReplaced(session, held?.bytes, blob);
  return "given_back";
}
