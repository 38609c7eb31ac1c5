/**
 * Upload links: what their owner does.
 *
 * @module
 */
import type { UploadId } from "../../core/ids.ts";
import {
  ContributionResponse,
  ContributionsResponse,
  UploadLinkResponse,
  UploadLinksResponse,
} from "../../wire/answers/own_links.ts";
import { UploadLinkRequest } from "../../wire/bodies/links.ts";
import { route } from "../app.ts";
import {
  blobReply,
  blobSuccess,
  PRIVATE_HEADERS,
  privateHeaders,
} from "../blob_reply.ts";
import {
  opaqueIdParameter,
  uuidParameter,
  wholeParameter,
} from "../parameters.ts";
import {
  CONTRIBUTION_LIMITS,
  deleteContribution,
  readContribution,
  readContributions,
  requireContributed,
} from "./contributions.ts";
import { issueLink, readLinks, revokeLink } from "./upload_links.ts";

const params = { opaque_id: opaqueIdParameter };

const contribution = {
  ...params,
  upload_id: uuidParameter<UploadId>("Contribution"),
};

export const uploadLinkRoutes = [
  route({
    operation: "issueUploadLink",
    method: "POST",
    path: "/v1/upload-links",
    summary: "Issue a link under which guests may upload",
    credential: "session",
    needsDirectory: true,
    body: { kind: "json", schema: UploadLinkRequest },
    success: { 201: { kind: "json", schema: UploadLinkResponse } },
    problems: [
      "error.request.invalid",
      "error.upload_link.opaque_id_unavailable",
      "error.album.not_found",
      "error.album.role_forbidden",
      "error.album.tombstoned",
      "error.account.limit_reached",
    ],
  }).by(async ({ body, ...call }) => {
    await issueLink(call, body);
    return { status: 201, json: { opaque_id: body.opaque_id } };
  }),

  route({
    operation: "listUploadLinks",
    method: "GET",
    path: "/v1/upload-links",
    summary: "The caller's upload links and what was used of them",
    credential: "session",
    success: { 200: { kind: "json", schema: UploadLinksResponse } },
    problems: [],
  }).by(async ({ app, caller }) => ({
    status: 200,
    json: { upload_links: await readLinks(app, caller.userId) },
  })),

  route({
    operation: "revokeUploadLink",
    method: "DELETE",
    path: "/v1/upload-links/{opaque_id}",
    summary: "Revoke an upload link and end its open sessions",
    credential: "session",
    params,
    success: { 204: { kind: "empty" } },
    problems: [],
  }).by(async ({ app, caller, params }) => {
    await revokeLink(app, caller.userId, params.opaque_id);
    return { status: 204 };
  }),

  route({
    operation: "listContributions",
    method: "GET",
    path: "/v1/upload-links/{opaque_id}/contributions",
    summary: "What guests have left under an upload link",
    credential: "session",
    params,
    query: {
      after: {
        ...uuidParameter<UploadId>("The next_after of the page before"),
        absent: { value: undefined },
      },
      limit: wholeParameter("Contributions at most", CONTRIBUTION_LIMITS),
    },
    success: { 200: { kind: "json", schema: ContributionsResponse } },
    problems: ["error.upload_link.not_found", "error.account.rate_limited"],
  }).by(async ({ params, query, ...call }) => ({
    status: 200,
    json: await readContributions(call, params.opaque_id, query),
  })),

  route({
    operation: "readContribution",
    method: "GET",
    path: "/v1/upload-links/{opaque_id}/contributions/{upload_id}",
    summary: "One of the things that guests have left",
    credential: "session",
    params: contribution,
    success: { 200: { kind: "json", schema: ContributionResponse } },
    problems: ["error.upload_link.not_found", "error.account.rate_limited"],
  }).by(async ({ params, ...call }) => ({
    status: 200,
    json: await readContribution(call, params.opaque_id, params.upload_id),
  })),

  route({
    operation: "readContributionBlob",
    method: "GET",
    path: "/v1/upload-links/{opaque_id}/contributions/{upload_id}/blob",
    summary: "The blob of a contribution, whole or in part",
    credential: "session",
    params: contribution,
    success: blobSuccess(PRIVATE_HEADERS),
    problems: ["error.upload_link.not_found"],
  }).by(async ({ params, request, ...call }) => {
    const { opaque_id, upload_id } = params;
    const blob = await requireContributed(call, opaque_id, upload_id);
    const headers = privateHeaders(blob.hash);
    const reply = await blobReply(call.app, request, blob, headers);
    if (reply !== undefined) return reply;
    // Deleted or adopted meanwhile, or else lost.
    throw call.raise("error.upload_link.not_found", {
      cause: `lost blob ${blob.hash}`,
    });
  }),

  route({
    operation: "deleteContribution",
    method: "DELETE",
    path: "/v1/upload-links/{opaque_id}/contributions/{upload_id}",
    summary: "Delete a contribution that was not adopted",
    credential: "session",
    params: contribution,
    success: { 204: { kind: "empty" } },
    problems: ["error.upload_link.not_found"],
  }).by(async ({ params, ...call }) => {
    const { opaque_id, upload_id } = params;
    await deleteContribution(call, opaque_id, upload_id);
    return { status: 204 };
  }),
];
