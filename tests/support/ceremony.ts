/**
 * The two requests of a ceremony, as a client sends them.
 *
 * @module
 */
import { Secret } from "otpauth";
import { totpCode } from "../../src/crypto/totp.ts";
import type { TestApp } from "./app.ts";
import { expectEmpty, expectJson, type Json } from "./expect.ts";
import {
  REDIRECT_URL,
  type RunningProvider,
  type SentBack,
  walkThrough,
} from "./provider.ts";

/** Asks to begin a ceremony. */
export function authorize(
  app: TestApp,
  redirectUri = REDIRECT_URL,
): Promise<Response> {
  return app.send("POST", "/v1/auth/oidc/authorize", {
    json: { redirect_uri: redirectUri },
  });
}

/** Begins a ceremony that must be admitted; returns its wire form. */
export async function begin(
  app: TestApp,
  redirectUri = REDIRECT_URL,
): Promise<Json> {
  return await expectJson(await authorize(app, redirectUri), 200);
}

/** Ends a ceremony with what the provider sent the person back with. */
export function callback(
  app: TestApp,
  { state, code }: { readonly state: unknown; readonly code: unknown },
  more: Record<string, unknown> = {},
): Promise<Response> {
  return app.send("POST", "/v1/auth/oidc/callback", {
    json: { state, code, ...more },
  });
}

/** Begins a ceremony and walks a person through the real provider. */
export async function walk(
  app: TestApp,
  login: string,
  redirectUri = REDIRECT_URL,
): Promise<SentBack> {
  const { authorization_url } = await begin(app, redirectUri);
  return await walkThrough(authorization_url, login);
}

/** Signs a person in through the real provider, to the callback's answer. */
export async function signIn(
  app: TestApp,
  login: string,
  more: Record<string, unknown> = {},
): Promise<Response> {
  return await callback(app, await walk(app, login), more);
}

/** The settings of a test application that signs in through a provider. */
export function through(
  provider: RunningProvider,
  settings: Record<string, string> = {},
) {
  return {
    settings: { ...provider.settings, ...settings },
    fetch,
    // A real provider lives in real time.
    startMs: Date.now(),
  };
}

/** The profile of whoever holds these tokens. */
export async function profileOf(app: TestApp, tokens: Json): Promise<Json> {
  return await expectJson(
    await app.send("GET", "/v1/auth/profile", { token: tokens.access_token }),
    200,
  );
}

/**
 * Confirms a second factor with a session's token; returns what shows the
 * code of the moment, which is one that was not used yet.
 */
export async function confirmFactor(
  app: TestApp,
  token: string,
): Promise<() => string> {
  const { secret } = await expectJson(
    await app.send("POST", "/v1/auth/totp/enroll", { token }),
    200,
  );
  const bytes = new Uint8Array(Secret.fromBase32(secret).buffer);
  const code = () => totpCode(bytes, app.clock.now);
  await expectEmpty(
    await app.send("POST", "/v1/auth/totp/verify-enrollment", {
      token,
      json: { code: code() },
    }),
    204,
  );
  app.clock.advance(30_000);
  return code;
}
