import {
  type ChannelId,
  HEX_16_BYTES,
  parseChannelId,
} from "../../core/ids.ts";
import type { Parameter } from "../../http/route.ts";
import {
  ChannelResponse,
  DIRECTIONS,
  DrainResponse,
  EnrollmentCodeResponse,
  EnrollmentStateResponse,
} from "../../wire/answers/devices.ts";
import { RedeemRequest, RelayRequest } from "../../wire/bodies/devices.ts";
import { route } from "../app.ts";
import { enrollmentState, issueCode, redeemCode } from "./enrollment.ts";
import {
  appendPayload,
  closeChannel,
  drainMailbox,
  peekMailbox,
} from "./relay.ts";

const channelId: Parameter<ChannelId> = {
  parse: parseChannelId,
  schema: { type: "string", pattern: HEX_16_BYTES.source },
  description: "Channel handle",
};

const direction: Parameter<typeof DIRECTIONS[number]> = {
  parse: (given) => DIRECTIONS.find((one) => one === given),
  schema: { type: "string", enum: DIRECTIONS },
  description: "Whose mailbox",
};

const code = {
  path: "/v1/auth/devices/enroll/code",
  credential: "session",
} as const;

const channel = {
  path: "/v1/auth/devices/enroll/channel/{channel_id}",
  params: { channel_id: channelId },
} as const;

export const enrollmentRoutes = [
  route({
    ...code,
    operation: "issueEnrollmentCode",
    method: "POST",
    summary: "A one-time code that enrolls another device",
    success: { 200: { kind: "json", schema: EnrollmentCodeResponse } },
    problems: ["error.auth.reauthentication_required"],
  }).by(async (call) => ({
    status: 200,
    json: await issueCode(call),
  })),

  route({
    ...code,
    operation: "readEnrollment",
    method: "GET",
    summary: "Whether the caller's code was redeemed, and for which channel",
    success: { 200: { kind: "json", schema: EnrollmentStateResponse } },
    problems: [],
  }).by(async ({ app, caller }) => ({
    status: 200,
    json: await enrollmentState(app, caller.userId),
  })),

  route({
    operation: "redeemEnrollmentCode",
    method: "POST",
    path: "/v1/auth/devices/enroll/redeem",
    summary: "Redeem an enrollment code for a relay channel",
    credential: "none",
    body: { kind: "json", schema: RedeemRequest },
    success: { 200: { kind: "json", schema: ChannelResponse } },
    problems: [
      "error.enrollment.code_refused",
      "error.enrollment.rate_limited",
    ],
  }).by(async ({ body, request, ...call }) => ({
    status: 200,
    json: await redeemCode(call, body.code, request.clientAddress),
  })),

  route({
    ...channel,
    operation: "drainMailbox",
    method: "GET",
    // What it hands out it deletes.
    summary: "Take what waits in one of a channel's mailboxes",
    credential: "none",
    query: { direction },
    success: { 200: { kind: "json", schema: DrainResponse } },
    problems: ["error.enrollment.channel_not_found"],
  }).by(async ({ params, query, request, ...call }) => {
    // HEAD drains nothing (protocol/transport.md#head).
    const read = request.isHead ? peekMailbox : drainMailbox;
    return {
      status: 200,
      json: await read(call, params.channel_id, query.direction),
    };
  }),

  route({
    ...channel,
    operation: "appendPayload",
    method: "POST",
    summary: "Append a payload to one of a channel's mailboxes",
    credential: "none",
    body: { kind: "json", schema: RelayRequest },
    success: { 204: { kind: "empty" } },
    problems: [
      "error.enrollment.channel_not_found",
      "error.enrollment.mailbox_full",
    ],
  }).by(async ({ params, body, ...call }) => {
    await appendPayload(call, params.channel_id, body);
    return { status: 204 };
  }),

  route({
    ...channel,
    operation: "closeChannel",
    method: "DELETE",
    summary: "Close a channel of the caller's and drop both mailboxes",
    credential: "session",
    success: { 204: { kind: "empty" } },
    problems: ["error.enrollment.channel_not_found"],
  }).by(async ({ params, ...call }) => {
    await closeChannel(call, params.channel_id);
    return { status: 204 };
  }),
];
