import type { UploadId } from "../../core/ids.ts";
import { TUS_VERSION } from "../../http/tus_version.ts";
import type { Parameter } from "../../http/route.ts";
import {
  FinalizeResponse,
  ListUploadsResponse,
  UploadResponse,
} from "../../wire/answers/uploads.ts";
import { UploadRequest } from "../../wire/bodies/uploads.ts";
import { route } from "../app.ts";
import { LIST_LIMITS, uuidParameter, wholeParameter } from "../parameters.ts";
import { adoptContribution } from "./adopt.ts";
import { copyBlob } from "./copy.ts";
import { healBlob } from "./heal.ts";
import { completeSession, putSession } from "./complete.ts";
import { uploadEnding } from "./finalize.ts";
import { listOpenUploads } from "./session.ts";
import { patchSession } from "./receive.ts";
import { cancelSession, uploadToWire } from "./session.ts";
import {
  PATCHED_HEADERS,
  patchedHeaders,
  STANDING_HEADERS,
  TUS,
  uploadChecksum,
  uploadHeaders,
  uploadOffset,
} from "./tus.ts";
import {
  createUpload,
  endUpload,
  requireUpload,
  uploadHandle,
} from "./uploads.ts";

const params = { upload_id: uuidParameter<UploadId>("Upload session") };

const afterParameter: Parameter<UploadId | undefined> = {
  ...params.upload_id,
  description: "The next_after of the page before",
  absent: { value: undefined },
};

const FINALIZE_PROBLEMS = [
  "error.upload.not_found",
  "error.upload.incomplete",
  "error.upload.hash_mismatch",
  "error.asset.stale_revival",
  "error.manifest.blob_missing",
  "error.manifest.mismatch",
  "error.album.role_forbidden",
  "error.album.tombstoned",
] as const;

export const uploadRoutes = [
  route({
    operation: "uploadOptions",
    method: "OPTIONS",
    path: "/v1/upload",
    summary: "What this server speaks of tus",
    credential: "none",
    success: {
      204: {
        kind: "empty",
        headers: [
          "Tus-Resumable",
          "Tus-Version",
          "Tus-Extension",
          "Tus-Checksum-Algorithm",
          "Tus-Max-Size",
        ],
      },
    },
    problems: [],
  }).by(({ app }) => ({
    status: 204,
    headers: {
      ...TUS,
      "Tus-Version": TUS_VERSION,
      "Tus-Extension": "expiration,termination,checksum",
      "Tus-Checksum-Algorithm": "sha1,sha256",
      "Tus-Max-Size": String(app.limits.maxBlobBytes),
    },
  })),

  route({
    operation: "createUpload",
    method: "POST",
    path: "/v1/upload",
    summary: "Open an upload session for one blob",
    credential: "session",
    needsDirectory: true,
    explainsTooLarge: true,
    body: { kind: "json", schema: UploadRequest },
    success: {
      200: { kind: "json", schema: UploadResponse, headers: ["Location"] },
      201: { kind: "json", schema: UploadResponse, headers: ["Location"] },
    },
    problems: [
      "error.manifest.mismatch",
      "error.handshake.protocol_unsupported",
      "error.album.not_found",
      "error.album.role_forbidden",
      "error.album.tombstoned",
      "error.album.upgrade_in_flight",
      "error.request.too_large",
      "error.storage.quota_exceeded",
      "error.upload.too_many_open",
      "error.upload.not_needed",
      "error.account.rate_limited",
      "error.account.limit_reached",
      "error.upload.not_found",
      "error.asset.not_found",
    ],
  }).by(async ({ body, ...call }) => {
    const { adopts, copies, heals, ...request } = body;
    const { upload, created } = await (typeof adopts === "string"
      ? adoptContribution(call, adopts, request)
      : typeof copies === "string"
      ? copyBlob(call, copies, request)
      : typeof heals === "string"
      ? healBlob(call, heals, request)
      : createUpload(call, request));
    const json = await uploadToWire(call.app, upload);
    const headers = { Location: `/v1/upload/${upload.upload_id}` };
    return created
      ? { status: 201, json, headers }
      : { status: 200, json, headers };
  }),

  route({
    operation: "listUploads",
    method: "GET",
    path: "/v1/upload",
    summary: "The caller's open upload sessions, the oldest first",
    credential: "session",
    query: {
      after: afterParameter,
      limit: wholeParameter("Sessions at most", LIST_LIMITS),
    },
    success: { 200: { kind: "json", schema: ListUploadsResponse } },
    problems: [],
  }).by(async ({ query, ...call }) => ({
    status: 200,
    json: await listOpenUploads(call, query),
  })),

  route({
    operation: "readUpload",
    method: "GET",
    path: "/v1/upload/{upload_id}",
    summary: "Where an upload session stands",
    tus: true,
    credential: "session",
    params,
    success: {
      200: {
        kind: "json",
        schema: UploadResponse,
        headers: STANDING_HEADERS,
      },
    },
    problems: ["error.upload.not_found"],
  }).by(async ({ params, ...call }) => {
    const upload = await requireUpload(call, params.upload_id);
    // A hanging request's gathered bytes count before the offset is told.
    call.app.uploads.flush(upload.upload_id);
    const json = await uploadToWire(call.app, upload);
    return {
      status: 200,
      json,
      headers: uploadHeaders(json.offset, upload),
    };
  }),

  route({
    operation: "patchUpload",
    method: "PATCH",
    path: "/v1/upload/{upload_id}",
    summary: "Append bytes to an upload session (tus 1.0.0)",
    tus: true,
    credential: "session",
    params,
    headers: {
      "Upload-Offset": uploadOffset,
      "Upload-Checksum": uploadChecksum,
    },
    body: { kind: "stream", mediaType: "application/offset+octet-stream" },
    success: {
      204: {
        kind: "empty",
        headers: PATCHED_HEADERS,
      },
    },
    problems: [
      "error.upload.not_found",
      "error.upload.offset_conflict",
      "error.upload.checksum_mismatch",
      "error.request.too_large",
      "error.request.malformed",
    ],
  }).by(async ({ params, headers, body, ...call }) => {
    const handle = uploadHandle(call, params.upload_id);
    const patched = await patchSession(call, handle, {
      offset: headers["Upload-Offset"],
      checksum: headers["Upload-Checksum"],
      body,
    });
    return { status: 204, headers: patchedHeaders(patched) };
  }),

  route({
    operation: "putUpload",
    method: "PUT",
    path: "/v1/upload/{upload_id}",
    summary: "Send a whole blob in one request and finalize it",
    tus: true,
    credential: "session",
    params,
    body: { kind: "stream", mediaType: "application/octet-stream" },
    success: { 200: { kind: "json", schema: FinalizeResponse } },
    problems: [
      ...FINALIZE_PROBLEMS,
      "error.request.too_large",
      "error.request.malformed",
      "error.upload.offset_conflict",
    ],
  }).by(async ({ params, body, ...call }) => {
    const handle = uploadHandle(call, params.upload_id);
    const ending = uploadEnding(call);
    const json = await putSession(call, handle, ending, body);
    return { status: 200, json };
  }),

  route({
    operation: "cancelUpload",
    method: "DELETE",
    path: "/v1/upload/{upload_id}",
    summary: "Cancel an upload session and drop its bytes",
    tus: true,
    credential: "session",
    params,
    success: { 204: { kind: "empty", headers: ["Tus-Resumable"] } },
    problems: ["error.upload.not_found", "error.upload.finalized"],
  }).by(async ({ params, ...call }) => {
    const handle = uploadHandle(call, params.upload_id);
    await cancelSession(call, handle, endUpload);
    return { status: 204, headers: TUS };
  }),

  route({
    operation: "finalizeUpload",
    method: "POST",
    path: "/v1/upload/{upload_id}/finalize",
    summary: "Finalize an upload session and get its receipt",
    credential: "session",
    params,
    success: { 200: { kind: "json", schema: FinalizeResponse } },
    problems: FINALIZE_PROBLEMS,
  }).by(async ({ params, ...call }) => {
    const handle = uploadHandle(call, params.upload_id);
    const ending = uploadEnding(call);
    const json = await completeSession(call, handle, ending);
    return { status: 200, json };
  }),
];
