import { parseStateSlot, type StateSlot } from "../../core/ids.ts";
import { ifMatch, ifNoneMatchAny } from "../../http/precondition.ts";
import { holdsAlready } from "../../http/range.ts";
import type { Parameter } from "../../http/route.ts";
import { route } from "../app.ts";
import { emptySlot, fetchSlot, putSlot } from "./slots.ts";

const SLOT_MAX_BYTES = 4 * 1024 * 1024;
const mediaType = "application/octet-stream";

const slot: Parameter<StateSlot> = {
  parse: parseStateSlot,
  schema: { type: "string", pattern: "^[a-z0-9-]{1,32}$" },
  description: "Name of the slot",
};

export const stateRoutes = [
  route({
    operation: "fetchState",
    method: "GET",
    path: "/v1/state/{slot}",
    summary: "What a slot of the caller's holds, verbatim",
    credential: "session",
    cacheControl: "no-store",
    params: { slot },
    success: {
      200: { kind: "bytes", mediaType, headers: ["ETag"] },
      304: { kind: "empty", headers: ["ETag"] },
    },
    problems: ["error.state.not_found"],
  }).by(async ({ params, request, ...call }) => {
    const { body: bytes, etag } = await fetchSlot(call, params.slot);
    const headers = { ETag: etag };
    if (holdsAlready(request.header, etag)) return { status: 304, headers };
    return { status: 200, bytes, length: bytes.length, headers };
  }),

  route({
    operation: "putState",
    method: "PUT",
    path: "/v1/state/{slot}",
    summary: "Put bytes into a slot, over what the caller has seen there",
    credential: "session",
    needsDirectory: true,
    params: { slot },
    headers: { "If-Match": ifMatch, "If-None-Match": ifNoneMatchAny },
    body: { kind: "bytes", mediaType, limitBytes: SLOT_MAX_BYTES },
    success: { 204: { kind: "empty", headers: ["ETag"] } },
    problems: [
      "error.state.precondition_required",
      "error.state.version_conflict",
      "error.account.limit_reached",
      "error.storage.quota_exceeded",
    ],
  }).by(async ({ params, headers, body, ...call }) => {
    const etag = await putSlot(call, params.slot, body, {
      wanted: headers["If-Match"],
      onlyEmpty: headers["If-None-Match"],
    });
    return { status: 204, headers: { ETag: etag } };
  }),

  route({
    operation: "clearState",
    method: "DELETE",
    path: "/v1/state/{slot}",
    summary: "Empty a slot",
    credential: "session",
    params: { slot },
    success: { 204: { kind: "empty" } },
    problems: [],
  }).by(async ({ app, caller, params }) => {
    await emptySlot(app, caller.userId, params.slot);
    return { status: 204 };
  }),
];
