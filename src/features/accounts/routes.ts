/** @module */
import { route } from "../app.ts";
import { readAdvisory } from "../sessions/sessions.ts";
import { TokenResponse } from "../sessions/wire.ts";
import { login, readProfile, register } from "./accounts.ts";
import { LoginRequest, ProfileResponse, RegisterRequest } from "./wire.ts";

export const accountRoutes = [
  route({
    operation: "register",
    method: "POST",
    path: "/v1/auth/register",
    summary: "Make an account and sign in",
    credential: "none",
    body: { kind: "json", schema: RegisterRequest },
    success: { 200: { kind: "json", schema: TokenResponse } },
    problems: [
      "error.auth.registration_closed",
      "error.auth.user_already_exists",
      "error.auth.unavailable",
    ],
  }).by(async ({ app, body, raise }) => ({
    status: 200,
    json: await register(app, body, raise),
  })),

  route({
    operation: "login",
    method: "POST",
    path: "/v1/auth/login",
    summary: "Sign in by password",
    credential: "none",
    body: { kind: "json", schema: LoginRequest },
    success: { 200: { kind: "json", schema: TokenResponse } },
    problems: [
      "error.auth.credentials_invalid",
      "error.auth.account_locked",
      "error.auth.unavailable",
    ],
  }).by(async ({ app, body, request, raise }) => ({
    status: 200,
    json: await login(app, {
      address: body.address,
      password: body.password,
      advisory: readAdvisory(body),
      clientAddress: request.clientAddress,
    }, raise),
  })),

  route({
    operation: "readProfile",
    method: "GET",
    path: "/v1/auth/profile",
    summary: "The caller's own profile",
    credential: "session",
    success: { 200: { kind: "json", schema: ProfileResponse } },
    problems: [],
  }).by(async ({ app, caller }) => ({
    status: 200,
    json: await readProfile(app, caller.userId),
  })),
];
