import { z } from "zod";
import { route } from "../app.ts";
import { instant, integer, text } from "../wire.ts";
import { fetchEscrow, storeEscrow } from "./escrow.ts";

const ESCROW_MAX_BYTES = 64 * 1024;
const mediaType = "application/octet-stream";

const StoreEscrowResponse = z.strictObject({
  size: integer(1),
  sha256: text,
  stored_at: instant,
  /** Whether an older one went with it. */
  replaced: z.boolean(),
});

export const escrowRoutes = [
  route({
    operation: "fetchEscrow",
    method: "GET",
    path: "/v1/auth/escrow",
    summary: "The caller's wrapped master key, verbatim",
    credential: "session",
    cacheControl: "no-store",
    success: { 200: { kind: "bytes", mediaType } },
    problems: ["error.escrow.not_found"],
  }).by(async (call) => {
    const body = await fetchEscrow(call);
    return { status: 200, bytes: body, length: body.length };
  }),

  route({
    operation: "storeEscrow",
    method: "PUT",
    path: "/v1/auth/escrow",
    summary: "Store the caller's wrapped master key, in place of any older one",
    credential: "session",
    body: { kind: "bytes", mediaType, limitBytes: ESCROW_MAX_BYTES },
    success: { 200: { kind: "json", schema: StoreEscrowResponse } },
    problems: [
      "error.request.malformed",
      "error.auth.reauthentication_required",
    ],
  }).by(async ({ body, ...call }) => ({
    status: 200,
    json: await storeEscrow(call, body),
  })),
];
