/**
 * Answers about passkeys (protocol/authentication.md#passkeys).
 *
 * @module
 */
import * as z from "zod/mini";
import { count, flag, instant, text, uuid } from "../fields.ts";
import type { Opened } from "../open.ts";

export const PasskeyResponse = z.strictObject({
  passkey_id: uuid,
  name: text,
  created_at: instant,
  last_used_at: z.optional(instant),
  /** The id that its authenticator knows it by, base64url. */
  credential_id: text,
  /** Whether its authenticator keeps a copy elsewhere. */
  backed_up: flag,
});
/** A passkey of the account. */
export type Passkey = Opened<typeof PasskeyResponse>;

export const PasskeysResponse = z.strictObject({
  passkeys: z.array(PasskeyResponse),
});

const publicKey = z.literal("public-key");
const required = z.literal("required");

/** `options` is PublicKeyCredentialCreationOptionsJSON. */
export const PasskeyOptionsResponse = z.strictObject({
  challenge_id: uuid,
  expires_at: instant,
  options: z.strictObject({
    challenge: text,
    rp: z.strictObject({ id: text, name: text }),
    user: z.strictObject({ id: text, name: text, displayName: text }),
    pubKeyCredParams: z.array(
      z.strictObject({ type: publicKey, alg: z.int() }),
    ),
    timeout: count,
    attestation: z.literal("none"),
    authenticatorSelection: z.strictObject({
      residentKey: required,
      requireResidentKey: z.literal(true),
      userVerification: required,
    }),
    excludeCredentials: z.array(z.strictObject({
      type: publicKey,
      id: text,
      transports: z.optional(z.array(text)),
    })),
  }),
});
/** A challenge to add a passkey, with what a browser is to be asked. */
export type PasskeyOptions = Opened<typeof PasskeyOptionsResponse>;

/** `options` is PublicKeyCredentialRequestOptionsJSON. */
export const PasskeyLoginOptionsResponse = z.strictObject({
  challenge_id: uuid,
  expires_at: instant,
  options: z.strictObject({
    challenge: text,
    rpId: text,
    timeout: count,
    userVerification: required,
  }),
});
/** A challenge to sign in with a passkey. */
export type PasskeyLoginOptions = Opened<typeof PasskeyLoginOptionsResponse>;
