import type { AlbumId, CapabilityId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import {
  MintedCapabilityResponse,
  RefreshedCapabilityResponse,
  RevokedJtiResponse,
} from "../../wire/answers/albums.ts";
import {
  MintCapabilityRequest,
  RenewalRequest,
  RenewCapabilityRequest,
} from "../../wire/bodies/albums.ts";
import { route } from "../app.ts";
import { uuidParameter } from "../parameters.ts";
import {
  mintCapability,
  refreshCapability,
  renewCapability,
  revokeCapability,
  revokedTokens,
  setRenewal,
} from "./capabilities.ts";

/** How stale a cached copy of the revocation record may be (seconds). */
const MAX_STALENESS_SECONDS = 300;

const albumParameter = uuidParameter<AlbumId>("Album id");

export const capabilityRoutes = [
  route({
    operation: "mintCapability",
    method: "POST",
    path: "/v1/albums/{album_id}/capabilities",
    summary: "Mint a capability for one peer and one member of an album",
    credential: "session",
    needsDirectory: true,
    params: { album_id: albumParameter },
    body: { kind: "json", schema: MintCapabilityRequest },
    success: { 201: { kind: "json", schema: MintedCapabilityResponse } },
    problems: [
      "error.federation.disabled",
      "error.album.not_found",
      "error.album.role_forbidden",
      "error.album.tombstoned",
      "error.album.member_not_on_roster",
      "error.request.invalid",
      "error.account.limit_reached",
    ],
  }).by(async ({ params, body, ...call }) => ({
    status: 201,
    json: await mintCapability(call, params.album_id, body),
  })),

  route({
    operation: "revokeCapability",
    method: "DELETE",
    path: "/v1/albums/{album_id}/capabilities/{jti}",
    summary: "Revoke a capability and its whole grant",
    credential: "session",
    params: {
      album_id: albumParameter,
      jti: uuidParameter<CapabilityId>("A token's jti"),
    },
    success: { 204: { kind: "empty" } },
    problems: ["error.album.not_found"],
  }).by(async ({ params, ...call }) => {
    const { album_id, jti } = params;
    await revokeCapability(call, album_id, jti);
    return { status: 204 };
  }),

  route({
    operation: "setCapabilityRenewal",
    method: "PUT",
    path: "/v1/albums/{album_id}/capabilities/{jti}/renewal",
    summary: "Set the hash of the secret that renews a grant",
    credential: "session",
    params: {
      album_id: albumParameter,
      jti: uuidParameter<CapabilityId>("A token's jti"),
    },
    body: { kind: "json", schema: RenewalRequest },
    success: { 204: { kind: "empty" } },
    problems: [
      "error.album.not_found",
      "error.federation.capability_not_renewable",
    ],
  }).by(async ({ params, body, ...call }) => {
    const { album_id, jti } = params;
    await setRenewal(call, album_id, jti, body.verifier);
    return { status: 204 };
  }),

  route({
    operation: "refreshCapability",
    anyOrigin: "capabilities",
    method: "POST",
    path: "/v1/federation/capabilities/refresh",
    summary: "The successor of the presented capability",
    credential: "capability",
    success: { 200: { kind: "json", schema: RefreshedCapabilityResponse } },
    problems: [
      "error.federation.capability_not_renewable",
      "error.federation.rate_limited",
      "error.album.member_not_on_roster",
      "error.federation.capability_invalid",
    ],
  }).by(async (call) => ({
    status: 200,
    json: await refreshCapability(call),
  })),

  route({
    operation: "renewCapability",
    anyOrigin: "capabilities",
    method: "POST",
    path: "/v1/federation/capabilities/renew",
    summary: "A live token of a grant, for its secret",
    credential: "none",
    body: { kind: "json", schema: RenewCapabilityRequest },
    success: { 200: { kind: "json", schema: RefreshedCapabilityResponse } },
    problems: [
      "error.federation.capability_invalid",
      "error.federation.rate_limited",
      "error.album.member_not_on_roster",
    ],
  }).by(async ({ body, request, ...call }) => ({
    status: 200,
    json: await renewCapability(call, body, request.clientAddress),
  })),

  route({
    operation: "revokedJti",
    method: "GET",
    path: "/.well-known/service/revoked-jti",
    summary: "Revoked capability tokens",
    credential: "none",
    anyOrigin: true,
    cannotFail: true,
    cacheControl: `max-age=${MAX_STALENESS_SECONDS}`,
    success: { 200: { kind: "json", schema: RevokedJtiResponse } },
    problems: ["error.federation.revocations_unavailable"],
  }).by(async (call) => {
    const { now, revoked } = await revokedTokens(call);
    return {
      status: 200,
      json: {
        generated_at: toRfc3339(now),
        max_staleness_seconds: MAX_STALENESS_SECONDS,
        revoked: revoked.map(({ jti, expires_at }) => ({
          jti,
          expires_at: toRfc3339(expires_at),
        })),
      },
    };
  }),
];
