import { z } from "zod";
import { base64Bytes, count, instant, text } from "../wire.ts";

export const TokenResponse = z.strictObject({
  user_id: text,
  session_id: text,
  session_token: text,
  session_expires_at: instant,
  access_token: text,
  access_token_expires_at: instant,
  token_type: z.literal("Bearer"),
}).meta({ id: "TokenResponse" });

export const RefreshRequest = z.strictObject({
  // Any string: what no session has is simply not valid.
  session_token: z.string(),
});

export const RefreshResponse = z.strictObject({
  access_token: text,
  access_token_expires_at: instant,
  token_type: z.literal("Bearer"),
});

export const DevicesResponse = z.strictObject({
  sessions: z.array(z.strictObject({
    session_id: text,
    cohort_hash: text.optional(),
    device_id: text.optional(),
    created_at: instant,
    last_used_at: instant,
    expires_at: instant,
    current: z.boolean(),
  })),
  cohorts: z.array(z.strictObject({
    cohort_hash: text,
    first_seen: instant,
    last_seen: instant,
  })),
});

export const RevokeChallengeResponse = z.strictObject({
  challenge_id: text,
  challenge: z.base64(),
  expires_at: instant,
});

/** A proof by the identity anchor over a challenge. */
export const ProofRequest = z.strictObject({
  // Any text: what is no live challenge is an unknown one.
  challenge_id: z.string(),
  // Any length: a proof of the wrong one is a wrong proof.
  proof: base64Bytes(0, Infinity),
});

export const RevokeAllResponse = z.strictObject({ revoked_sessions: count });
