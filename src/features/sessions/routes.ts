import {
  ChallengeResponse,
  DevicesResponse,
  RefreshResponse,
  RevokeAllResponse,
} from "../../wire/answers/sessions.ts";
import { ProofRequest, RefreshRequest } from "../../wire/bodies/accounts.ts";
import { route } from "../app.ts";
import type { SessionId } from "../../core/ids.ts";
import { uuidParameter } from "../parameters.ts";
import {
  challengeRevokeAll,
  listOpenSessions,
  revokeAll,
  revokeSession,
} from "./open_sessions.ts";
import { logout, refresh } from "./sessions.ts";

export const sessionRoutes = [
  route({
    operation: "refresh",
    method: "POST",
    path: "/v1/auth/refresh",
    summary: "A new access token against a session token",
    credential: "none",
    body: { kind: "json", schema: RefreshRequest },
    success: { 200: { kind: "json", schema: RefreshResponse } },
    problems: ["error.auth.session_token_invalid", "error.auth.unavailable"],
  }).by(async ({ body, ...call }) => ({
    status: 200,
    json: await refresh(call, body.session_token),
  })),

  route({
    operation: "logout",
    method: "POST",
    path: "/v1/auth/logout",
    summary: "End the session of the presented access token",
    // A token of a closed session answers the same
    // (protocol/authentication.md#sessions).
    credential: "token",
    success: { 204: { kind: "empty" } },
    problems: [],
  }).by(async ({ app, caller }) => {
    await logout(app, caller);
    return { status: 204 };
  }),

  route({
    operation: "listSessions",
    method: "GET",
    path: "/v1/auth/sessions",
    summary: "The caller's live sessions and cohorts",
    credential: "session",
    success: { 200: { kind: "json", schema: DevicesResponse } },
    problems: [],
  }).by(async ({ app, caller }) => ({
    status: 200,
    json: await listOpenSessions(app, caller),
  })),

  route({
    operation: "revokeSession",
    method: "DELETE",
    path: "/v1/auth/sessions/{session_id}",
    summary: "Close one of the caller's sessions",
    credential: "session",
    params: { session_id: uuidParameter<SessionId>("Session id") },
    success: { 204: { kind: "empty" } },
    problems: ["error.auth.session_not_found"],
  }).by(async ({ params, ...call }) => {
    await revokeSession(call, params.session_id);
    return { status: 204 };
  }),

  route({
    operation: "challengeRevokeAll",
    method: "POST",
    path: "/v1/auth/logout/all/challenge",
    summary: "A challenge for the global sign-out",
    credential: "session",
    // Revoking is open to a suspended account
    // (protocol/transport.md#suspended-accounts).
    suspended: "allowed",
    success: { 200: { kind: "json", schema: ChallengeResponse } },
    problems: [],
  }).by(async ({ app, caller }) => ({
    status: 200,
    json: await challengeRevokeAll(app, caller.userId),
  })),

  route({
    operation: "revokeAll",
    method: "POST",
    path: "/v1/auth/logout/all",
    summary: "Close every session of an account, on a master-key proof",
    credential: "none",
    body: { kind: "json", schema: ProofRequest },
    success: { 200: { kind: "json", schema: RevokeAllResponse } },
    problems: ["error.auth.proof_required"],
  }).by(async ({ body, ...call }) => ({
    status: 200,
    json: await revokeAll(call, {
      challengeId: body.challenge_id,
      proof: body.proof,
    }),
  })),
];
