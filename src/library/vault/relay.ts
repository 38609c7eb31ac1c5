/**
 * The relay between two devices that meet by a code
 * (protocol/devices.md#relay-channel).
 *
 * @module
 */
import { type Bytes, fromBase64 } from "../../core/bytes.ts";
import { readTime, SECOND_MS } from "../../core/time.ts";
import { EnrollmentError } from "../../client/enrollment/enrollment_fault.ts";
import type { Direction, PublicCalls } from "../../client/api/public_calls.ts";
import { persist } from "../../client/api/send.ts";
import type { Session } from "./session.ts";

/** Interval of checking a mailbox (ms). */
const POLL_MS = SECOND_MS;

/** What waiting for a payload needs. */
interface Waiting {
  /** Waits so long (ms). */
  readonly wait: (ms: number) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits until the other device has redeemed the code; returns the channel's id.
 * Throws an EnrollmentError once the code has expired, and the signal's reason.
 */
export async function redeemed(
  { account, platform }: Session,
  expiresAt: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  for (;;) {
    signal?.throwIfAborted();
    const { state, channel_id: channelId } = await persist(
      account,
      () => account.enrollment(),
      {},
    );
    if (state === "redeemed" && channelId) return channelId;
    if (state === "none" || platform.now() > (readTime(expiresAt) ?? 0)) {
      throw new EnrollmentError("malformed", "the code has expired");
    }
    await platform.wait(POLL_MS);
  }
}

/** Makes a function that waits for the next payload of a mailbox. */
export function mailbox(
  calls: Pick<PublicCalls, "drainMailbox">,
  channelId: string,
  direction: Direction,
  { wait, signal }: Waiting,
): () => Promise<Bytes> {
  const waiting: string[] = [];
  return async () => {
    while (waiting.length === 0) {
      signal?.throwIfAborted();
      const came = await calls.drainMailbox(channelId, direction);
      waiting.push(...came);
      if (came.length === 0) await wait(POLL_MS);
    }
    return fromBase64(waiting.shift() ?? "") ?? new Uint8Array();
  };
}
