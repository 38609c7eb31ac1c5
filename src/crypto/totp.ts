/**
 * Time-based one-time passwords (RFC 6238) with the fixed parameters of the
 * contract: SHA-1, six digits, thirty seconds, one step of drift. The library
 * otpauth makes the codes and the URIs that authenticators read.
 *
 * @module
 */
import { Secret, TOTP } from "otpauth";
import { SECOND_MS } from "../core/time.ts";

const STEP_SECONDS = 30;
const DRIFT_STEPS = 1;
/** As many bytes as SHA-1's output (RFC 4226 section 4, R6). */
export const TOTP_SECRET_BYTES = 20;

function totpOf(
  secret: Uint8Array,
  names: { issuer?: string; label?: string },
) {
  return new TOTP({
    ...names,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    algorithm: "SHA1",
    digits: 6,
    period: STEP_SECONDS,
  });
}

/**
 * The secret as base32 that people type, and as a URI that an authenticator
 * scans.
 */
export function totpEnrollment(
  secret: Uint8Array,
  issuer: string,
  label: string,
): { secret: string; otpauth_uri: string } {
  const totp = totpOf(secret, { issuer, label });
  return { secret: totp.secret.base32, otpauth_uri: totp.toString() };
}

/**
 * The time step that has this code: that of an instant (ms), or the one before
 * or after it. Undefined if none of the three has it.
 */
export function totpStep(
  secret: Uint8Array,
  code: string,
  now: number,
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = totpOf(secret, {}).validate({
    token: code,
    timestamp: now,
    window: DRIFT_STEPS,
  });
  if (delta === null) return undefined;
  return Math.floor(now / SECOND_MS / STEP_SECONDS) + delta;
}

/** The code of an instant (ms). */
export function totpCode(secret: Uint8Array, now: number): string {
  return totpOf(secret, {}).generate({ timestamp: now });
}
