import { OidcAuthorizationResponse } from "../../wire/answers/accounts.ts";
import {
  SecondFactorResponse,
  TokenResponse,
} from "../../wire/answers/sessions.ts";
import {
  OidcAuthorizeRequest,
  OidcCallbackRequest,
} from "../../wire/bodies/accounts.ts";
import { route } from "../app.ts";
import { readAdvisory } from "../sessions/sessions.ts";
import { authorize, callback } from "./sign_in.ts";

export const oidcRoutes = [
  route({
    operation: "oidcAuthorize",
    method: "POST",
    path: "/v1/auth/oidc/authorize",
    summary: "Begin a sign-in through the identity provider",
    credential: "none",
    ownHost: true,
    body: { kind: "json", schema: OidcAuthorizeRequest },
    success: { 200: { kind: "json", schema: OidcAuthorizationResponse } },
    problems: [
      "error.auth.oidc_not_configured",
      "error.auth.oidc_redirect_invalid",
      "error.auth.rate_limited",
      "error.auth.oidc_at_capacity",
      "error.auth.oidc_unavailable",
    ],
  }).by(async ({ body, ...call }) => ({
    status: 200,
    json: await authorize(call, body.redirect_uri),
  })),

  route({
    operation: "oidcCallback",
    method: "POST",
    path: "/v1/auth/oidc/callback",
    summary: "Complete a sign-in through the identity provider",
    credential: "none",
    ownHost: true,
    body: { kind: "json", schema: OidcCallbackRequest },
    success: {
      200: { kind: "json", schema: TokenResponse },
      202: { kind: "json", schema: SecondFactorResponse },
    },
    problems: [
      "error.auth.oidc_state_invalid",
      "error.auth.oidc_token_invalid",
      "error.auth.oidc_exchange_failed",
      "error.auth.oidc_unavailable",
      "error.auth.oidc_address_taken",
      "error.auth.unavailable",
    ],
  }).by(async ({ body, request, ...call }) => {
    const { challenge, tokens } = await callback(call, {
      state: body.state,
      code: body.code,
      advisory: readAdvisory(body),
      clientAddress: request.clientAddress,
    });
    return challenge === undefined
      ? { status: 200, json: tokens }
      : { status: 202, json: challenge };
  }),
];
