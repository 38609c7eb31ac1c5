import type { AlbumId } from "../../core/ids.ts";
import { OpResponse } from "../../wire/answers/uploads.ts";
import { OP_MAX_BYTES, OpRequest } from "../../wire/bodies/uploads.ts";
import { route } from "../app.ts";
import { applyOp } from "../lifecycle/ops.ts";
import { uuidParameter } from "../parameters.ts";
import { takenBlobs } from "./op_blobs.ts";

export const lifecycleRoutes = [
  route({
    operation: "applyOp",
    method: "POST",
    path: "/v1/albums/{album_id}/ops",
    summary: "Apply one signed lifecycle manifest to an album's asset",
    credential: "session",
    needsDirectory: true,
    params: { album_id: uuidParameter<AlbumId>("Album id") },
    body: { kind: "json", schema: OpRequest, limitBytes: OP_MAX_BYTES },
    success: { 200: { kind: "json", schema: OpResponse } },
    problems: [
      "error.album.role_forbidden",
      "error.album.tombstoned",
      "error.album.upgrade_in_flight",
      "error.account.limit_reached",
      "error.handshake.protocol_unsupported",
      "error.manifest.mismatch",
      "error.manifest.blob_missing",
      "error.asset.stale_revival",
    ],
  }).by(async ({ params, body, ...call }) => {
    const { blobs, ...request } = body;
    const taken = takenBlobs(call, blobs ?? []);
    return {
      status: 200,
      json: await applyOp(call, params.album_id, request, taken),
    };
  }),
];
