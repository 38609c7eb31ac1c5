import { ifMatch, ifNoneMatchAny } from "../../http/precondition.ts";
import { StoreEscrowResponse } from "../../wire/answers/devices.ts";
import { route } from "../app.ts";
import { fetchEscrow, storeEscrow, tagOf } from "./escrow.ts";

const ESCROW_MAX_BYTES = 64 * 1024;
const mediaType = "application/octet-stream";

export const escrowRoutes = [
  route({
    operation: "fetchEscrow",
    method: "GET",
    path: "/v1/auth/escrow",
    summary: "The caller's wrapped master key, verbatim",
    credential: "session",
    cacheControl: "no-store",
    success: {
      200: { kind: "bytes", mediaType, headers: ["ETag"] },
    },
    problems: ["error.escrow.not_found"],
  }).by(async (call) => {
    const { body: bytes, etag } = await fetchEscrow(call);
    const headers = { ETag: etag };
    return { status: 200, bytes, length: bytes.length, headers };
  }),

  route({
    operation: "storeEscrow",
    method: "PUT",
    path: "/v1/auth/escrow",
    summary: "Store the caller's wrapped master key, in place of any older one",
    credential: "session",
    headers: { "If-Match": ifMatch, "If-None-Match": ifNoneMatchAny },
    body: { kind: "bytes", mediaType, limitBytes: ESCROW_MAX_BYTES },
    success: {
      200: { kind: "json", schema: StoreEscrowResponse, headers: ["ETag"] },
    },
    problems: [
      "error.request.malformed",
      "error.escrow.version_conflict",
      "error.auth.reauthentication_required",
    ],
  }).by(async ({ headers, body, ...call }) => {
    const json = await storeEscrow(call, body, {
      wanted: headers["If-Match"],
      onlyEmpty: headers["If-None-Match"],
    });
    return { status: 200, json, headers: { ETag: tagOf(json.sha256) } };
  }),
];
