/**
 * The relay channel: two mailboxes between a device and the one that it enrolls
 * (protocol/devices.md#relay-channel). Its handle is all that reading and
 * appending take.
 *
 * @module
 */
import { toBase64 } from "../../core/bytes.ts";
import type { ChannelId, UserId } from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import { transaction, type Tx } from "../../store/database.ts";
import type { RelayDirection } from "../../store/schema.ts";
import type { App } from "../app.ts";
import {
  deleteChannel,
  insertPayload,
  isLiveChannel,
  readMailbox,
  takeMailbox,
} from "./store.ts";

/** Payloads that a mailbox holds. */
const MAILBOX_CAPACITY = 64;

type RaiseUnknown = Raise<"error.enrollment.channel_not_found">;

/** Appends a payload to a mailbox that has room. */
export async function appendPayload(
  app: App,
  channelId: ChannelId,
  relayed: {
    readonly direction: RelayDirection;
    readonly payload: Uint8Array<ArrayBuffer>;
  },
  raise: RaiseUnknown & Raise<"error.enrollment.mailbox_full">,
): Promise<void> {
  await transaction(app.db, async (tx) => {
    await requireLive(app, tx, channelId, raise);
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
  app: App,
  channelId: ChannelId,
  direction: RelayDirection,
  raise: RaiseUnknown,
) {
  return await transaction(app.db, async (tx) => {
    await requireLive(app, tx, channelId, raise);
    return drained(direction, await takeMailbox(tx, channelId, direction));
  });
}

/** What {@link drainMailbox} would deliver, which stays where it is. */
export async function peekMailbox(
  app: App,
  channelId: ChannelId,
  direction: RelayDirection,
  raise: RaiseUnknown,
) {
  return await transaction(app.db, async (tx) => {
    await requireLive(app, tx, channelId, raise);
    return drained(direction, await readMailbox(tx, channelId, direction));
  });
}

function drained(direction: RelayDirection, payloads: readonly Uint8Array[]) {
  return { direction, payloads: payloads.map(toBase64) };
}

/** Closes the caller's channel; anybody else's answers as an unknown one. */
export async function closeChannel(
  app: App,
  userId: UserId,
  channelId: ChannelId,
  raise: RaiseUnknown,
): Promise<void> {
  const now = app.platform.now();
  if (!await deleteChannel(app.db, userId, channelId, now)) {
    throw raise("error.enrollment.channel_not_found");
  }
}

/** An unknown, a closed and an expired channel are one and the same. */
async function requireLive(
  app: App,
  tx: Tx,
  channelId: ChannelId,
  raise: RaiseUnknown,
): Promise<void> {
  if (!await isLiveChannel(tx, channelId, app.platform.now())) {
    throw raise("error.enrollment.channel_not_found");
  }
}
