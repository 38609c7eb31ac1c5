/**
 * Upload links: what a guest does, who has no account and no handshake.
 *
 * @module
 */
import type { UploadId } from "../../core/ids.ts";
import { GuestLinkResponse } from "../../wire/answers/links.ts";
import {
  GuestFinalizeResponse,
  GuestUploadResponse,
} from "../../wire/answers/uploads.ts";
import { GuestUploadRequest } from "../../wire/bodies/links.ts";
import { route } from "../app.ts";
import { opaqueIdParameter, uuidParameter } from "../parameters.ts";
import { completeSession, putSession } from "../uploads/complete.ts";
import { patchSession } from "../uploads/receive.ts";
import { cancelSession, uploadToWire } from "../uploads/session.ts";
import {
  PATCHED_HEADERS,
  patchedHeaders,
  STANDING_HEADERS,
  TUS,
  uploadChecksum,
  uploadHeaders,
  uploadOffset,
} from "../uploads/tus.ts";
import {
  chargeGuest,
  createGuestUpload,
  endGuestSession,
  guestEnding,
  guestHandle,
  readGuestLink,
  requireGuestSession,
  requireLiveLink,
} from "./guests.ts";

const SESSION_PATH = "/u/{opaque_id}/uploads/{upload_id}";

const link = { opaque_id: opaqueIdParameter };
const session = { ...link, upload_id: uuidParameter<UploadId>("Session") };

const PROBLEMS = [
  "error.upload_link.not_found",
  "error.upload_link.rate_limited",
] as const;

const FINALIZE_PROBLEMS = [
  ...PROBLEMS,
  "error.upload.incomplete",
  "error.upload.hash_mismatch",
] as const;

/** Every guest's path is open to pages of any origin. */
const OPEN = { credential: "none", anyOrigin: true } as const;

export const guestRoutes = [
  route({
    ...OPEN,
    operation: "viewUploadLink",
    method: "GET",
    path: "/u/{opaque_id}",
    summary: "What an upload link takes, and whom to seal it for",
    params: link,
    success: { 200: { kind: "json", schema: GuestLinkResponse, page: true } },
    problems: PROBLEMS,
  }).by(async ({ params: { opaque_id }, request, ...call }) => {
    await chargeGuest(call, "guest_other", opaque_id, request.clientAddress);
    return { status: 200, json: await readGuestLink(call, opaque_id) };
  }, (app) => app.documents.pages.upload),

  route({
    ...OPEN,
    operation: "viewUploadLinkSecret",
    method: "GET",
    path: "/u/{opaque_id}/wrapped-secret",
    summary: "The passphrase-wrapped secret of an upload link",
    cacheControl: "no-store",
    params: link,
    success: {
      200: { kind: "bytes", mediaType: "application/octet-stream" },
    },
    problems: PROBLEMS,
  }).by(async ({ params: { opaque_id }, request, ...call }) => {
    await chargeGuest(call, "guest_other", opaque_id, request.clientAddress);
    const { wrapped_secret } = await requireLiveLink(call, opaque_id);
    if (wrapped_secret === null) {
      throw call.raise("error.upload_link.not_found", {
        cause: "no passphrase",
      });
    }
    return {
      status: 200,
      bytes: wrapped_secret,
      length: wrapped_secret.length,
    };
  }),

  route({
    ...OPEN,
    operation: "createGuestUpload",
    method: "POST",
    path: "/u/{opaque_id}/uploads",
    summary: "Open a guest's upload session for one blob",
    params: link,
    body: { kind: "json", schema: GuestUploadRequest },
    success: {
      201: {
        kind: "json",
        schema: GuestUploadResponse,
        headers: ["Location"],
      },
    },
    problems: [
      ...PROBLEMS,
      "error.upload_link.exhausted",
      "error.request.too_large",
      "error.storage.quota_exceeded",
    ],
  }).by(async ({ params: { opaque_id }, request, body, ...call }) => {
    await chargeGuest(call, "guest_create", opaque_id, request.clientAddress);
    const upload = await createGuestUpload(call, opaque_id, body);
    return {
      status: 201,
      json: await uploadToWire(call.app, upload),
      headers: { Location: `/u/${opaque_id}/uploads/${upload.upload_id}` },
    };
  }),

  route({
    ...OPEN,
    operation: "readGuestUpload",
    method: "GET",
    path: SESSION_PATH,
    summary: "Where a guest's upload session stands",
    tus: true,
    params: session,
    success: {
      200: {
        kind: "json",
        schema: GuestUploadResponse,
        headers: STANDING_HEADERS,
      },
    },
    problems: PROBLEMS,
  }).by(async ({ params, request, ...call }) => {
    const { opaque_id, upload_id } = params;
    await chargeGuest(call, "guest_other", opaque_id, request.clientAddress);
    const upload = await requireGuestSession(call, opaque_id, upload_id);
    // A hanging request's gathered bytes count before the offset is told.
    call.app.uploads.flush(upload_id);
    const json = await uploadToWire(call.app, upload);
    const headers = uploadHeaders(json.offset, upload);
    return { status: 200, json, headers };
  }),

  route({
    ...OPEN,
    operation: "patchGuestUpload",
    method: "PATCH",
    path: SESSION_PATH,
    summary: "Append bytes to a guest's upload session (tus 1.0.0)",
    tus: true,
    params: session,
    headers: {
      "Upload-Offset": uploadOffset,
      "Upload-Checksum": uploadChecksum,
    },
    body: { kind: "stream", mediaType: "application/offset+octet-stream" },
    success: { 204: { kind: "empty", headers: PATCHED_HEADERS } },
    problems: [
      ...PROBLEMS,
      "error.upload.offset_conflict",
      "error.upload.checksum_mismatch",
      "error.request.too_large",
      "error.request.malformed",
    ],
  }).by(async ({ params, headers, body, request, ...call }) => {
    const { opaque_id, upload_id } = params;
    await chargeGuest(call, "guest_other", opaque_id, request.clientAddress);
    const handle = guestHandle(call, opaque_id, upload_id);
    const patched = await patchSession(call, handle, {
      offset: headers["Upload-Offset"],
      checksum: headers["Upload-Checksum"],
      body,
    });
    return { status: 204, headers: patchedHeaders(patched) };
  }),

  route({
    ...OPEN,
    operation: "putGuestUpload",
    method: "PUT",
    path: SESSION_PATH,
    summary: "Send a guest's whole blob in one request and finalize it",
    tus: true,
    params: session,
    body: { kind: "stream", mediaType: "application/octet-stream" },
    success: { 200: { kind: "json", schema: GuestFinalizeResponse } },
    problems: [
      ...FINALIZE_PROBLEMS,
      "error.upload.offset_conflict",
      "error.request.too_large",
      "error.request.malformed",
    ],
  }).by(async ({ params, body, request, ...call }) => {
    const { opaque_id, upload_id } = params;
    await chargeGuest(call, "guest_other", opaque_id, request.clientAddress);
    const handle = guestHandle(call, opaque_id, upload_id);
    const ending = guestEnding(call);
    const json = await putSession(call, handle, ending, body);
    return { status: 200, json };
  }),

  route({
    ...OPEN,
    operation: "cancelGuestUpload",
    method: "DELETE",
    path: SESSION_PATH,
    summary: "Cancel a guest's upload session and drop its bytes",
    tus: true,
    params: session,
    success: { 204: { kind: "empty", headers: ["Tus-Resumable"] } },
    problems: [...PROBLEMS, "error.upload.finalized"],
  }).by(async ({ params, request, ...call }) => {
    const { opaque_id, upload_id } = params;
    await chargeGuest(call, "guest_other", opaque_id, request.clientAddress);
    const handle = guestHandle(call, opaque_id, upload_id);
    await cancelSession(call, handle, endGuestSession);
    return { status: 204, headers: TUS };
  }),

  route({
    ...OPEN,
    operation: "finalizeGuestUpload",
    method: "POST",
    path: `${SESSION_PATH}/finalize`,
    summary: "Finalize a guest's upload session and get its receipt",
    params: session,
    success: { 200: { kind: "json", schema: GuestFinalizeResponse } },
    problems: FINALIZE_PROBLEMS,
  }).by(async ({ params, request, ...call }) => {
    const { opaque_id, upload_id } = params;
    await chargeGuest(call, "guest_other", opaque_id, request.clientAddress);
    const handle = guestHandle(call, opaque_id, upload_id);
    const ending = guestEnding(call);
    const json = await completeSession(call, handle, ending);
    return { status: 200, json };
  }),
];
