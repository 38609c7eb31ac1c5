import { z } from "zod";
import { type ChannelId, parseChannelId } from "../../core/ids.ts";
import type { Parameter } from "../../http/route.ts";
import type { RelayDirection } from "../../store/schema.ts";
import { base64Bytes, instant, text } from "../wire.ts";

const PAYLOAD_MAX_BYTES = 64 * 1024;
const DIRECTIONS = [
  "to_initiator",
  "to_enrollee",
] as const satisfies readonly RelayDirection[];

const direction = z.enum(DIRECTIONS);

export const EnrollmentCodeResponse = z.strictObject({
  code: text,
  expires_at: instant,
});

export const EnrollmentStateResponse = z.strictObject({
  state: z.enum(["none", "issued", "redeemed"]),
  channel_id: text.optional(),
  /** Of the code, or once it is redeemed of the channel. */
  expires_at: instant.optional(),
});

/** Any text: what has no code's shape is refused like a wrong code. */
export const RedeemRequest = z.strictObject({ code: z.string() });

export const ChannelResponse = z.strictObject({
  channel_id: text,
  expires_at: instant,
});

export const RelayRequest = z.strictObject({
  direction,
  payload: base64Bytes(1, PAYLOAD_MAX_BYTES),
});

export const DrainResponse = z.strictObject({
  direction,
  /** Standard base64, oldest first. */
  payloads: z.array(text),
});

export const channelIdParameter: Parameter<ChannelId> = {
  parse: parseChannelId,
  schema: { type: "string", pattern: "^[0-9a-f]{32}$" },
  description: "Channel handle",
};

export const directionParameter: Parameter<RelayDirection> = {
  parse: (given) => DIRECTIONS.find((one) => one === given),
  schema: { type: "string", enum: DIRECTIONS },
  description: "Whose mailbox",
};
