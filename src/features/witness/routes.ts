/**
 * The witness of other servers' logs (C2SP tlog-witness;
 * protocol/logs.md#the-witness).
 *
 * @module
 */
import { utf8 } from "../../core/bytes.ts";
import {
  MAX_SUBMISSION_BYTES,
  TREE_SIZE_TYPE,
} from "../../crypto/logs/add_checkpoint.ts";
import { ANY_TYPE } from "../../http/route.ts";
import { route } from "../app.ts";
import { addCheckpoint } from "./witness.ts";

export const witnessRoutes = [
  route({
    operation: "addCheckpoint",
    method: "POST",
    path: "/witness/add-checkpoint",
    summary: "Cosign a checkpoint of a log that this server witnesses",
    credential: "none",
    body: {
      kind: "bytes",
      mediaType: ANY_TYPE,
      limitBytes: MAX_SUBMISSION_BYTES,
    },
    success: {
      200: { kind: "bytes", mediaType: "text/plain; charset=utf-8" },
      409: { kind: "bytes", mediaType: TREE_SIZE_TYPE },
    },
    problems: [
      "error.request.route_unknown",
      "error.request.malformed",
      "error.witness.log_unknown",
      "error.witness.rate_limited",
      "error.witness.signature_refused",
      "error.witness.proof_refused",
    ],
  }).by(async ({ body, request, ...call }) => {
    const answer = await addCheckpoint(call, body, request.clientAddress);
    if (answer.kind === "cosigned") {
      const bytes = utf8(answer.lines);
      return { status: 200, bytes, length: bytes.length };
    }
    const bytes = utf8(`${answer.size}\n`);
    return { status: 409, bytes, length: bytes.length };
  }),
];
