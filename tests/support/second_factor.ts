/**
 * People with a second factor.
 *
 * @module
 */
import { Secret } from "otpauth";
import { totpCode } from "../../src/crypto/totp.ts";
import type { TestApp } from "./app.ts";
import { expectEmpty, expectJson, type Json } from "./expect.ts";
import { PASSWORD, type Person } from "./people.ts";

/** One step of an authenticator (ms). */
export const STEP_MS = 30_000;

/** An authenticator app that holds one secret. */
export interface Authenticator {
  /** The code that it shows now, or so many steps from now. */
  readonly code: (steps?: number) => string;
}

/** Enrolls a factor without confirming it. */
export async function enroll(
  app: TestApp,
  person: Person,
): Promise<Authenticator> {
  const { secret } = await expectJson(
    await app.send("POST", "/v1/auth/totp/enroll", { token: person.token }),
    200,
  );
  const bytes = new Uint8Array(Secret.fromBase32(secret).buffer);
  return {
    code: (steps = 0) => totpCode(bytes, app.clock.now + steps * STEP_MS),
  };
}

/** Presents a code to confirm the pending factor. */
export function confirm(
  app: TestApp,
  person: Person,
  code: string,
): Promise<Response> {
  return app.send("POST", "/v1/auth/totp/verify-enrollment", {
    token: person.token,
    json: { code },
  });
}

/** Enrolls and confirms; the clock moves on, so that the next code is fresh. */
export async function enrollConfirmed(
  app: TestApp,
  person: Person,
): Promise<Authenticator> {
  const authenticator = await enroll(app, person);
  await expectEmpty(await confirm(app, person, authenticator.code()), 204);
  app.clock.advance(2 * STEP_MS);
  return authenticator;
}

/** Signs in by password. */
export function login(
  app: TestApp,
  person: Person,
  password: string = PASSWORD,
): Promise<Response> {
  return app.send("POST", "/v1/auth/login", {
    json: { address: person.address, password },
  });
}

/** Signs in by password up to the challenge; returns it. */
export async function challengeOf(
  app: TestApp,
  person: Person,
): Promise<Json> {
  return await expectJson(await login(app, person), 202);
}

/** Presents a code to a challenge. */
export function verify(
  app: TestApp,
  challengeId: string,
  code: string,
  more: Json = {},
): Promise<Response> {
  return app.send("POST", "/v1/auth/login/verify-totp", {
    json: { challenge_id: challengeId, code, ...more },
  });
}

/** A code that is wrong at any time near now. */
export function wrongCode(authenticator: Authenticator): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => authenticator.code(steps));
  return ["000000", "111111", "222222", "333333", "444444", "555555"]
    .find((code) => !near.includes(code)) ?? "999999";
}
