import type { PasskeyId } from "../../core/ids.ts";
import {
  PasskeyLoginOptionsResponse,
  PasskeyOptionsResponse,
  PasskeyResponse,
  PasskeysResponse,
} from "../../wire/answers/passkeys.ts";
import { TokenResponse } from "../../wire/answers/sessions.ts";
import {
  AddPasskeyRequest,
  PasskeyLoginOptionsRequest,
  PasskeyLoginRequest,
  RenamePasskeyRequest,
} from "../../wire/bodies/passkeys.ts";
import { route } from "../app.ts";
import { uuidParameter } from "../parameters.ts";
import { readAdvisory } from "../sessions/sessions.ts";
import {
  addPasskey,
  beginPasskey,
  changePasskey,
  readPasskeys,
  removePasskey,
} from "./passkeys.ts";
import { beginSignIn, signInWithPasskey } from "./sign_in.ts";

/**
 * A suspended account may change how it signs in
 * (protocol/transport.md#suspended-accounts).
 */
const own = { credential: "session", suspended: "allowed" } as const;
const params = { passkey_id: uuidParameter<PasskeyId>("Passkey id") };

export const passkeyRoutes = [
  route({
    operation: "passkeyLoginOptions",
    method: "POST",
    path: "/v1/auth/login/passkey/options",
    summary: "A challenge to sign in with a passkey",
    credential: "none",
    body: { kind: "json", schema: PasskeyLoginOptionsRequest },
    success: { 200: { kind: "json", schema: PasskeyLoginOptionsResponse } },
    problems: ["error.auth.rate_limited"],
  }).by(async ({ body, request, ...call }) => ({
    status: 200,
    json: await beginSignIn(call, {
      address: body.address,
      clientAddress: request.clientAddress,
    }),
  })),

  route({
    operation: "passkeyLogin",
    method: "POST",
    path: "/v1/auth/login/passkey",
    summary: "Sign in with a passkey",
    credential: "none",
    body: { kind: "json", schema: PasskeyLoginRequest },
    success: { 200: { kind: "json", schema: TokenResponse } },
    problems: ["error.auth.credentials_invalid", "error.auth.unavailable"],
  }).by(async ({ body, request, ...call }) => ({
    status: 200,
    json: await signInWithPasskey(call, {
      challengeId: body.challenge_id,
      credential: body.credential,
      advisory: readAdvisory(body),
      clientAddress: request.clientAddress,
    }),
  })),

  route({
    ...own,
    operation: "passkeyOptions",
    method: "POST",
    path: "/v1/auth/passkeys/options",
    summary: "A challenge to add a passkey",
    success: { 200: { kind: "json", schema: PasskeyOptionsResponse } },
    problems: [
      "error.auth.reauthentication_required",
      "error.account.limit_reached",
      "error.auth.rate_limited",
    ],
  }).by(async (call) => ({ status: 200, json: await beginPasskey(call) })),

  route({
    ...own,
    operation: "addPasskey",
    method: "POST",
    path: "/v1/auth/passkeys",
    summary: "Add a passkey to the caller's account",
    body: { kind: "json", schema: AddPasskeyRequest },
    success: { 201: { kind: "json", schema: PasskeyResponse } },
    problems: [
      "error.auth.credentials_invalid",
      "error.auth.reauthentication_required",
      "error.auth.unavailable",
      "error.account.limit_reached",
    ],
  }).by(async ({ body, ...call }) => ({
    status: 201,
    json: await addPasskey(call, {
      challengeId: body.challenge_id,
      name: body.name,
      credential: body.credential,
    }),
  })),

  route({
    ...own,
    operation: "listPasskeys",
    method: "GET",
    path: "/v1/auth/passkeys",
    summary: "The caller's passkeys",
    success: { 200: { kind: "json", schema: PasskeysResponse } },
    problems: [],
  }).by(async ({ app, caller }) => ({
    status: 200,
    json: await readPasskeys(app, caller.userId),
  })),

  route({
    ...own,
    operation: "renamePasskey",
    method: "PATCH",
    path: "/v1/auth/passkeys/{passkey_id}",
    summary: "Give one of the caller's passkeys another name",
    params,
    body: { kind: "json", schema: RenamePasskeyRequest },
    success: { 200: { kind: "json", schema: PasskeyResponse } },
    problems: ["error.auth.passkey_not_found"],
  }).by(async ({ params, body, ...call }) => ({
    status: 200,
    json: await changePasskey(call, params.passkey_id, body.name),
  })),

  route({
    ...own,
    operation: "removePasskey",
    method: "DELETE",
    path: "/v1/auth/passkeys/{passkey_id}",
    summary: "Remove one of the caller's passkeys",
    params,
    success: { 204: { kind: "empty" } },
    problems: [
      "error.auth.passkey_not_found",
      "error.auth.reauthentication_required",
    ],
  }).by(async ({ params, ...call }) => {
    await removePasskey(call, params.passkey_id);
    return { status: 204 };
  }),
];
