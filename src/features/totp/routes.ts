import { TotpResponse } from "../../wire/answers/accounts.ts";
import { TokenResponse } from "../../wire/answers/sessions.ts";
import { CodeRequest, VerifyLoginRequest } from "../../wire/bodies/accounts.ts";
import { route } from "../app.ts";
import { readAdvisory } from "../sessions/sessions.ts";
import { verifyLogin } from "./challenge.ts";
import { confirmTotp, disableTotp, enrollTotp } from "./totp.ts";

/**
 * A suspended account may change its second factor
 * (protocol/transport.md#suspended-accounts).
 */
const own = { credential: "session", suspended: "allowed" } as const;

export const totpRoutes = [
  route({
    operation: "verifyLogin",
    method: "POST",
    path: "/v1/auth/login/verify-totp",
    summary: "Complete a sign-in with a second-factor code",
    credential: "none",
    ownHost: true,
    body: { kind: "json", schema: VerifyLoginRequest },
    success: { 200: { kind: "json", schema: TokenResponse } },
    problems: [
      "error.auth.challenge_expired",
      "error.auth.second_factor_invalid",
      "error.auth.second_factor_attempts_exhausted",
      "error.auth.unavailable",
    ],
  }).by(async ({ body, request, ...call }) => ({
    status: 200,
    json: await verifyLogin(call, {
      challengeId: body.challenge_id,
      code: body.code,
      advisory: readAdvisory(body),
      clientAddress: request.clientAddress,
    }),
  })),

  route({
    ...own,
    operation: "enrollTotp",
    method: "POST",
    path: "/v1/auth/totp/enroll",
    summary: "Issue a second-factor secret to confirm",
    success: { 200: { kind: "json", schema: TotpResponse } },
    problems: [
      "error.auth.second_factor_confirmed",
      "error.auth.reauthentication_required",
    ],
  }).by(async (call) => ({
    status: 200,
    json: await enrollTotp(call),
  })),

  route({
    ...own,
    operation: "confirmTotp",
    method: "POST",
    path: "/v1/auth/totp/verify-enrollment",
    summary: "Confirm the pending second factor with a code",
    body: { kind: "json", schema: CodeRequest },
    success: { 204: { kind: "empty" } },
    problems: [
      "error.auth.second_factor_not_pending",
      "error.auth.second_factor_code_refused",
      "error.auth.second_factor_attempts_exhausted",
    ],
  }).by(async ({ body, ...call }) => {
    await confirmTotp(call, body.code);
    return { status: 204 };
  }),

  route({
    ...own,
    operation: "disableTotp",
    method: "POST",
    path: "/v1/auth/totp/disable",
    summary: "Take the second factor away, with a live code",
    body: { kind: "json", schema: CodeRequest },
    success: { 204: { kind: "empty" } },
    problems: [
      "error.auth.second_factor_not_confirmed",
      "error.auth.second_factor_code_refused",
      "error.auth.second_factor_attempts_exhausted",
    ],
  }).by(async ({ body, ...call }) => {
    await disableTotp(call, body.code);
    return { status: 204 };
  }),
];
