/**
 * Answers about the directory of devices, enrollment and escrow
 * (protocol/devices.md).
 *
 * @module
 */
import * as z from "zod/mini";
import {
  base64,
  flag,
  hash,
  instant,
  opaqueId,
  ordinal,
  text,
  upTo,
  uuid,
} from "../fields.ts";
import type { Opened } from "../open.ts";

export const PublishDirectoryResponse = z.strictObject({
  user_id: uuid,
  directory_version: ordinal,
  published_at: instant,
});
/** The directory version that the server now holds. */
export type DirectoryResponse = Opened<typeof PublishDirectoryResponse>;

export const EnrollmentCodeResponse = z.strictObject({
  code: text,
  expires_at: instant,
});

export const EnrollmentStateResponse = z.strictObject({
  state: z.enum(["none", "issued", "redeemed"]),
  channel_id: z.optional(opaqueId),
  /** Of the code, or once it is redeemed of the channel. */
  expires_at: z.optional(instant),
});
/** How far an enrollment has come, as its initiator sees it. */
export type EnrollmentState = Opened<typeof EnrollmentStateResponse>;

export const ChannelResponse = z.strictObject({
  channel_id: opaqueId,
  expires_at: instant,
});
/** A relay channel between two devices. */
export type Channel = Opened<typeof ChannelResponse>;

/** The mailboxes of a channel, each named by its reader. */
export const DIRECTIONS = ["to_initiator", "to_enrollee"] as const;

/** So many payloads wait in a mailbox at most. */
export const MAILBOX_CAPACITY = 64;

export const DrainResponse = z.strictObject({
  direction: z.enum(DIRECTIONS),
  /** The oldest first. */
  payloads: upTo(MAILBOX_CAPACITY, base64),
});

export const StoreEscrowResponse = z.strictObject({
  size: ordinal,
  sha256: hash,
  stored_at: instant,
  /** Whether an older one went with it. */
  replaced: flag,
});
