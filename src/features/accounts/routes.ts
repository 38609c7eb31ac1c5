import {
  ProfileResponse,
  PublicRecordResponse,
  ReauthenticateResponse,
} from "../../wire/answers/accounts.ts";
import {
  SecondFactorResponse,
  TokenResponse,
} from "../../wire/answers/sessions.ts";
import {
  LoginRequest,
  PasswordChangeRequest,
  ProfileUpdateRequest,
  PublicRecordRequest,
  ReauthenticateRequest,
  RedeemInvitationRequest,
  RegisterRequest,
} from "../../wire/bodies/accounts.ts";
import { route } from "../app.ts";
import { readAdvisory } from "../sessions/sessions.ts";
import { login, redeemInvitation, register } from "./accounts.ts";
import { changePassword, reauthenticate } from "./password.ts";
import {
  publishRecord,
  readProfile,
  readRecord,
  updateProfile,
  withdrawRecord,
} from "./profile.ts";

export const accountRoutes = [
  route({
    operation: "register",
    method: "POST",
    path: "/v1/auth/register",
    summary: "Make an account and sign in",
    credential: "none",
    ownHost: true,
    body: { kind: "json", schema: RegisterRequest },
    success: { 200: { kind: "json", schema: TokenResponse } },
    problems: [
      "error.auth.registration_closed",
      "error.auth.user_already_exists",
      "error.auth.unavailable",
    ],
  }).by(async ({ body, request, ...call }) => ({
    status: 200,
    json: await register(call, {
      address: body.address,
      password: body.password,
      clientAddress: request.clientAddress,
    }),
  })),

  route({
    operation: "redeemInvitation",
    method: "POST",
    path: "/v1/invitations/redeem",
    summary: "Make an account by an invitation and sign in",
    credential: "none",
    ownHost: true,
    body: { kind: "json", schema: RedeemInvitationRequest },
    success: { 200: { kind: "json", schema: TokenResponse } },
    problems: [
      "error.invitation.not_found",
      "error.account.rate_limited",
      "error.auth.user_already_exists",
      "error.auth.unavailable",
    ],
  }).by(async ({ body, request, ...call }) => ({
    status: 200,
    json: await redeemInvitation(call, body.code, {
      address: body.address,
      password: body.password,
      clientAddress: request.clientAddress,
    }),
  })),

  route({
    operation: "login",
    method: "POST",
    path: "/v1/auth/login",
    summary: "Sign in by password",
    credential: "none",
    ownHost: true,
    body: { kind: "json", schema: LoginRequest },
    success: {
      200: { kind: "json", schema: TokenResponse },
      202: { kind: "json", schema: SecondFactorResponse },
    },
    problems: [
      "error.auth.credentials_invalid",
      "error.auth.account_locked",
      "error.auth.unavailable",
    ],
  }).by(async ({ body, request, ...call }) => {
    const { challenge, tokens } = await login(call, {
      address: body.address,
      password: body.password,
      advisory: readAdvisory(body),
      clientAddress: request.clientAddress,
    });
    return challenge === undefined
      ? { status: 200, json: tokens }
      : { status: 202, json: challenge };
  }),

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
    json: await readProfile(app, caller),
  })),

  route({
    operation: "updateProfile",
    method: "PATCH",
    path: "/v1/auth/profile",
    summary: "Change the caller's display name",
    credential: "session",
    body: { kind: "json", schema: ProfileUpdateRequest },
    success: { 200: { kind: "json", schema: ProfileResponse } },
    problems: [],
  }).by(async ({ app, caller, body }) => ({
    status: 200,
    json: await updateProfile(app, caller, body.display_name),
  })),

  route({
    operation: "reauthenticate",
    method: "POST",
    path: "/v1/auth/reauthenticate",
    summary: "Present the password again",
    credential: "session",
    suspended: "allowed",
    body: { kind: "json", schema: ReauthenticateRequest },
    success: { 200: { kind: "json", schema: ReauthenticateResponse } },
    problems: [
      "error.auth.password_incorrect",
      "error.auth.account_locked",
      "error.auth.unavailable",
    ],
  }).by(async ({ body, request, ...call }) => ({
    status: 200,
    json: await reauthenticate(call, {
      password: body.password,
      clientAddress: request.clientAddress,
    }),
  })),

  route({
    operation: "changePassword",
    givenPassword: "allowed",
    method: "POST",
    path: "/v1/auth/password",
    summary: "Change the password and close every other session",
    credential: "session",
    suspended: "allowed",
    body: { kind: "json", schema: PasswordChangeRequest },
    success: { 200: { kind: "json", schema: TokenResponse } },
    problems: [
      "error.auth.password_incorrect",
      "error.auth.account_locked",
      "error.auth.unavailable",
      "error.auth.token_invalid",
      "error.request.invalid",
    ],
  }).by(async ({ body, request, ...call }) => ({
    status: 200,
    json: await changePassword(call, {
      currentPassword: body.current_password,
      newPassword: body.new_password,
      clientAddress: request.clientAddress,
    }),
  })),

  route({
    operation: "publishRecord",
    method: "PUT",
    path: "/v1/auth/profile/public-record",
    summary: "Opt into anonymous lookup under a handle",
    credential: "session",
    needsDirectory: true,
    body: { kind: "json", schema: PublicRecordRequest },
    success: { 200: { kind: "json", schema: PublicRecordResponse } },
    problems: ["error.user.handle_taken"],
  }).by(async ({ body, ...call }) => ({
    status: 200,
    json: await publishRecord(call, body.handle),
  })),

  route({
    operation: "withdrawRecord",
    method: "DELETE",
    path: "/v1/auth/profile/public-record",
    summary: "Opt out of anonymous lookup",
    credential: "session",
    success: { 204: { kind: "empty" } },
    problems: [],
  }).by(async ({ app, caller }) => {
    await withdrawRecord(app, caller.userId);
    return { status: 204 };
  }),

  route({
    operation: "readRecord",
    method: "GET",
    path: "/.well-known/service/users/{handle}",
    summary: "The public record of a user who opted in",
    credential: "none",
    anyOrigin: true,
    cacheControl: "public, max-age=60",
    params: {
      handle: {
        // Any text: an impossible address is not found.
        parse: (handle: string) => handle,
        schema: { type: "string" },
        description: "Handle",
      },
    },
    success: { 200: { kind: "json", schema: PublicRecordResponse } },
    problems: ["error.user.not_found"],
  }).by(async ({ params, ...call }) => ({
    status: 200,
    json: await readRecord(call, params.handle),
  })),
];
