/**
 * The relay channel: two mailboxes between a device and the one that it enrolls
 * (protocol/devices.md#relay-channel). Its handle is all that reading and
 * appending take.
 *
 * @module
 */
import { toBase64 } from "../../core/bytes.ts";
import type { ChannelId } from "../../core/ids.ts";
import { transaction, type Tx } from "../../store/sqlite/database.ts";
import type { RelayDirection } from "../../store/sqlite/schema.ts";
import { MAILBOX_CAPACITY } from "../../wire/answers/devices.ts";
import type { Call, CallBy } from "../call.ts";
import {
  deleteChannel,
  insertPayload,
  isLiveChannel,
  readMailbox,
  takeMailbox,
} from "./store.ts";

type UnknownProblem = "error.enrollment.channel_not_found";

/** Appends a payload to a mailbox that has room. */
export async function appendPayload(
  call: Call<UnknownProblem | "error.enrollment.mailbox_full">,
  channelId: ChannelId,
  relayed: {
    readonly direction: RelayDirection;
    readonly payload: Uint8Array<ArrayBuffer>;
  },
): Promise<void> {
  const { app, raise } = call;
  await transaction(app.db, async (tx) => {
    await requireLive(call, tx, channelId);
    const { direction, payload } = relayed;
    const appended = await insertPayload(
      tx,
      { channel_id: channelId, direction, payload },
      MAILBOX_CAPACITY,
    );
    if (!appended) throw raise("error.enrollment.mailbox_full");
  });
}

/** Delivers all that waits in one mailbox, once; the other is not touched. */
export async function drainMailbox(
  call: Call<UnknownProblem>,
  channelId: ChannelId,
  direction: RelayDirection,
) {
  return await transaction(call.app.db, async (tx) => {
    await requireLive(call, tx, channelId);
    return drained(direction, await takeMailbox(tx, channelId, direction));
  });
}

/** What {@link drainMailbox} would deliver, which stays where it is. */
export async function peekMailbox(
  call: Call<UnknownProblem>,
  channelId: ChannelId,
  direction: RelayDirection,
) {
  return await transaction(call.app.db, async (tx) => {
    await requireLive(call, tx, channelId);
    return drained(direction, await readMailbox(tx, channelId, direction));
  });
}

function drained(direction: RelayDirection, payloads: readonly Uint8Array[]) {
  return { direction, payloads: payloads.map(toBase64) };
}

/** Closes the caller's channel; anybody else's answers as an unknown one. */
export async function closeChannel(
  { app, caller: { userId }, now, raise }: CallBy<"session", UnknownProblem>,
  channelId: ChannelId,
): Promise<void> {
  if (!await deleteChannel(app.db, userId, channelId, now)) {
    throw raise("error.enrollment.channel_not_found");
  }
}

/** An unknown, a closed and an expired channel are one and the same. */
async function requireLive(
  { now, raise }: Call<UnknownProblem>,
  tx: Tx,
  channelId: ChannelId,
): Promise<void> {
  if (!await isLiveChannel(tx, channelId, now)) {
    throw raise("error.enrollment.channel_not_found");
  }
}
