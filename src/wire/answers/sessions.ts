/**
 * Answers of signing in and of sessions (protocol/authentication.md#sessions).
 *
 * @module
 */
import * as z from "zod/mini";
import { base64, count, flag, hash, instant, text, uuid } from "../fields.ts";
import type { Opened } from "../open.ts";

const accessToken = {
  access_token: text,
  access_token_expires_at: instant,
  token_type: z.literal("Bearer"),
};

export const TokenResponse = z.strictObject({
  user_id: uuid,
  session_id: uuid,
  session_token: text,
  session_expires_at: instant,
  ...accessToken,
});
/** A session and its present access token. Secret. */
export type Tokens = Opened<typeof TokenResponse>;

export const RefreshResponse = z.strictObject(accessToken);

export const SecondFactorResponse = z.strictObject({
  challenge_id: uuid,
  methods: z.array(z.literal("totp")),
  expires_at: instant,
});

export const DevicesResponse = z.strictObject({
  sessions: z.array(z.strictObject({
    session_id: uuid,
    cohort_hash: z.optional(hash),
    device_id: z.optional(text),
    created_at: instant,
    last_used_at: instant,
    expires_at: instant,
    current: flag,
  })),
  cohorts: z.array(z.strictObject({
    cohort_hash: hash,
    first_seen: instant,
    last_seen: instant,
  })),
});
/** The live sessions of an account, and the devices that it signed in from. */
export type Sessions = Opened<typeof DevicesResponse>;

export const ChallengeResponse = z.strictObject({
  challenge_id: uuid,
  challenge: base64,
  expires_at: instant,
});
/** A challenge that a proof by the identity key has to cover. */
export type Challenge = Opened<typeof ChallengeResponse>;

export const RevokeAllResponse = z.strictObject({ revoked_sessions: count });
