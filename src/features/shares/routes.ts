import { SharedMetadataResponse } from "../../wire/answers/links.ts";
import {
  IssueShareResponse,
  ListSharesResponse,
  ShareResponse,
} from "../../wire/answers/own_links.ts";
import {
  ChangeShareRequest,
  ISSUE_LIMIT_BYTES,
  IssueShareRequest,
  SharedBlobsRequest,
} from "../../wire/bodies/links.ts";
import { route } from "../app.ts";
import { blobReply, blobSuccess } from "../blob_reply.ts";
import { manyBlobs } from "../many_blobs.ts";
import { hashParameter, opaqueIdParameter } from "../parameters.ts";
import { changeShare } from "./changes.ts";
import {
  issueShare,
  listOwnShares,
  noteOpening,
  noteView,
  revokeShare,
  viewBlob,
  viewBlobs,
  viewSecret,
  viewShare,
} from "./shares.ts";

const params = { opaque_id: opaqueIdParameter };

const VIEW_PROBLEMS = [
  "error.share.not_found",
  "error.share.rate_limited",
] as const;

export const shareRoutes = [
  route({
    operation: "issueShare",
    method: "POST",
    path: "/v1/shares",
    summary: "Issue a share link",
    credential: "session",
    needsDirectory: true,
    body: {
      kind: "json",
      schema: IssueShareRequest,
      limitBytes: ISSUE_LIMIT_BYTES,
    },
    success: { 201: { kind: "json", schema: IssueShareResponse } },
    problems: [
      "error.request.invalid",
      "error.share.opaque_id_unavailable",
      "error.account.limit_reached",
    ],
  }).by(async ({ body, ...call }) => {
    await issueShare(call, body);
    return { status: 201, json: { opaque_id: body.opaque_id } };
  }),

  route({
    operation: "listShares",
    method: "GET",
    path: "/v1/shares",
    summary: "The caller's share links that were not revoked",
    credential: "session",
    success: { 200: { kind: "json", schema: ListSharesResponse } },
    problems: [],
  }).by(async ({ app, caller }) => ({
    status: 200,
    json: { shares: await listOwnShares(app, caller.userId) },
  })),

  route({
    operation: "changeShare",
    method: "PATCH",
    path: "/v1/shares/{opaque_id}",
    summary: "Change when a share link ends and what it serves",
    credential: "session",
    params,
    body: {
      kind: "json",
      schema: ChangeShareRequest,
      limitBytes: ISSUE_LIMIT_BYTES,
    },
    success: { 200: { kind: "json", schema: ShareResponse } },
    problems: [
      "error.request.invalid",
      "error.share.not_found",
      "error.account.limit_reached",
    ],
  }).by(async ({ params, body, ...call }) => ({
    status: 200,
    json: await changeShare(call, params.opaque_id, body),
  })),

  route({
    operation: "revokeShare",
    method: "DELETE",
    path: "/v1/shares/{opaque_id}",
    summary: "Revoke a share link",
    credential: "session",
    params,
    success: { 204: { kind: "empty" } },
    problems: [],
  }).by(async ({ app, caller, params }) => {
    await revokeShare(app, caller.userId, params.opaque_id);
    return { status: 204 };
  }),

  route({
    operation: "viewShare",
    method: "GET",
    path: "/s/{opaque_id}",
    summary: "What a share link discloses",
    credential: "none",
    anyOrigin: true,
    params,
    success: {
      200: { kind: "json", schema: SharedMetadataResponse, page: true },
    },
    problems: VIEW_PROBLEMS,
  }).by(async ({ params, request, ...call }) => {
    const { opaque_id } = params;
    const { clientAddress } = request;
    const viewer = { opaqueId: opaque_id, clientAddress };
    const share = await viewShare(call, viewer);
    noteView(call.app, opaque_id, share);
    if (!request.isHead) noteOpening(call.app, viewer);
    return {
      status: 200,
      json: {
        metadata_hash: share.metadata_hash,
        passphrase_protected: share.wrapped_secret !== null,
      },
    };
  }, (app) => app.documents.pages.viewer),

  route({
    operation: "viewShareBlob",
    method: "GET",
    path: "/s/{opaque_id}/blob/{hash}",
    summary: "A blob that a share link serves, whole or in part",
    credential: "none",
    anyOrigin: true,
    params: { ...params, hash: hashParameter },
    // Revoking must reach every copy: caches ask again each time.
    success: blobSuccess(["Cache-Control", "X-Content-Type-Options"]),
    problems: VIEW_PROBLEMS,
  }).by(async ({ params, request, ...call }) => {
    const { opaque_id, hash } = params;
    const { clientAddress } = request;
    const viewer = { opaqueId: opaque_id, clientAddress };
    const blob = await viewBlob(call, viewer, hash);
    const reply = await blobReply(call.app, request, blob, {
      "Cache-Control": "private, no-cache",
      "X-Content-Type-Options": "nosniff",
    });
    if (reply === undefined) {
      throw call.raise("error.share.not_found", {
        cause: `damaged blob ${hash}`,
      });
    }
    noteView(call.app, opaque_id, blob);
    return reply;
  }),

  route({
    operation: "viewShareBlobs",
    method: "POST",
    path: "/s/{opaque_id}/blobs",
    summary: "Many small blobs that a share link serves, at once",
    credential: "none",
    anyOrigin: true,
    cacheControl: "no-store",
    params,
    body: { kind: "json", schema: SharedBlobsRequest },
    success: {
      200: { kind: "bytes", mediaType: "application/octet-stream" },
    },
    problems: VIEW_PROBLEMS,
  }).by(async ({ params, body, request, ...call }) => {
    const { opaque_id } = params;
    const { clientAddress } = request;
    const viewer = { opaqueId: opaque_id, clientAddress };
    const viewed = await viewBlobs(call, viewer, body.hashes);
    const answer = await manyBlobs(call.app, viewed.wanted);
    noteView(call.app, opaque_id, viewed);
    return { status: 200, ...answer };
  }),

  route({
    operation: "viewShareSecret",
    method: "GET",
    path: "/s/{opaque_id}/wrapped-secret",
    summary: "The passphrase-wrapped secret of a share link",
    credential: "none",
    anyOrigin: true,
    cacheControl: "no-store",
    params,
    success: {
      200: { kind: "bytes", mediaType: "application/octet-stream" },
    },
    problems: VIEW_PROBLEMS,
  }).by(async ({ params, request, ...call }) => {
    const { opaque_id } = params;
    const { clientAddress } = request;
    const viewer = { opaqueId: opaque_id, clientAddress };
    const secret = await viewSecret(call, viewer);
    noteView(call.app, opaque_id, secret);
    const { wrapped } = secret;
    return { status: 200, bytes: wrapped, length: wrapped.length };
  }),
];
