/**
 * Handing a picture frame its link by a code that is typed on it, from both sides
 * of the relay (protocol/client-cryptography.md#a-picture-frame).
 *
 * @module
 */
import type { Bytes, RandomBytes } from "../../core/bytes.ts";
import type { Primitives } from "../../crypto/primitives.ts";
import {
  FrameGiver,
  FrameTaker,
} from "../../client/enrollment/frame_pairing.ts";
import type { PublicCalls } from "../../client/api/public_calls.ts";
import { primitivesOf } from "../base/platform.ts";
import { mailbox, redeemed } from "../vault/relay.ts";
import type { Vault } from "../vault/vault.ts";

/** How the owner communicates with its person. */
export interface GivingFrame {
  /** Shows the code to type on the frame. */
  readonly show: (
    shown: { readonly code: string; readonly expiresAt: string },
  ) => void;
  /**
   * Asks whether the frame shows these words, and asks again after the first
   * no.
   */
  readonly compare: (words: readonly string[]) => Promise<boolean>;
  readonly signal?: AbortSignal;
}

/**
 * Hands a frame the link that sets it up. Throws EnrollmentError, ApiProblem, and
 * the signal's reason.
 */
export async function giveFrame(
  { session }: Vault,
  link: string,
  { show, compare, signal }: GivingFrame,
): Promise<void> {
  const { account, client, platform } = session;
  const { code, expires_at: expiresAt } = await session.recently(
    () => account.issueEnrollmentCode(),
  );
  show({ code, expiresAt });
  const channelId = await redeemed(session, expiresAt, signal);
  const { wait, random } = platform;
  const mail = mailbox(client, channelId, "to_initiator", { wait, signal });
  const say = (payload: Bytes) =>
    client.appendPayload(channelId, "to_enrollee", payload);
  const meeting = { channelId, primitives: primitivesOf(platform) };
  const giver = new FrameGiver(meeting, link, random);
  try {
    await say(giver.answer(await mail()));
    const words = giver.meet(await mail());
    for (let same = false; !same;) {
      same = await compare(words);
      signal?.throwIfAborted();
      giver.compared(same);
    }
    await say(giver.grant());
  } catch (error) {
    await account.closeChannel(channelId).catch(() => {});
    throw error;
  }
}

/** What a frame needs, which has no account. */
export interface TakingFrame {
  readonly calls: Pick<
    PublicCalls,
    "appendPayload" | "drainMailbox" | "redeemEnrollmentCode"
  >;
  readonly random: RandomBytes;
  readonly wait: (ms: number) => Promise<void>;
  readonly primitives?: Primitives;
  /**
   * Asks whether the owner's device shows these words, and asks again after the
   * first no.
   */
  readonly compare: (words: readonly string[]) => Promise<boolean>;
  readonly signal?: AbortSignal;
}

/**
 * Gets the link of a frame by a code. Throws EnrollmentError, ApiProblem (404
 * `error.enrollment.code_refused` for a wrong code), and the signal's reason.
 */
export async function takeFrame(
  code: string,
  { calls, random, wait, primitives, compare, signal }: TakingFrame,
): Promise<string> {
  const { channel_id: channelId } = await calls.redeemEnrollmentCode(code);
  const mail = mailbox(calls, channelId, "to_enrollee", { wait, signal });
  const say = (payload: Bytes) =>
    calls.appendPayload(channelId, "to_initiator", payload);
  const taker = new FrameTaker(
    { channelId, ...(primitives === undefined ? {} : { primitives }) },
    random,
  );
  await say(taker.commit());
  const { payload, words } = taker.reveal(await mail());
  await say(payload);
  const compared = async () => {
    for (let same = false; !same;) {
      same = await compare(words);
      signal?.throwIfAborted();
      taker.compared(same);
    }
  };
  // Both at once, so that a failure of one ends the wait for the other.
  const [granted] = await Promise.all([mail(), compared()]);
  return taker.open(granted);
}
