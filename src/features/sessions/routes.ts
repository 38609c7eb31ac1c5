/** @module */
import { route } from "../app.ts";
import { logout, refresh } from "./sessions.ts";
import { RefreshRequest, RefreshResponse } from "./wire.ts";

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
  }).by(async ({ app, body, raise }) => ({
    status: 200,
    json: await refresh(app, body.session_token, raise),
  })),

  route({
    operation: "logout",
    method: "POST",
    path: "/v1/auth/logout",
    summary: "End the session of the presented access token",
    // A token of a closed session answers the same (completions.md 3).
    credential: "token",
    success: { 204: { kind: "empty" } },
    problems: [],
  }).by(async ({ app, caller }) => {
    await logout(app, caller);
    return { status: 204 };
  }),
];
