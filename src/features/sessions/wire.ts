/** @module */
import { z } from "zod";
import { instant, text } from "../wire.ts";

export const TokenResponse = z.strictObject({
  user_id: text,
  session_id: text,
  session_token: text,
  session_expires_at: instant,
  access_token: text,
  access_token_expires_at: instant,
  token_type: z.literal("Bearer"),
});

export const RefreshRequest = z.strictObject({
  // Any string: what no session has is simply not valid.
  session_token: z.string(),
});

export const RefreshResponse = z.strictObject({
  access_token: text,
  access_token_expires_at: instant,
  token_type: z.literal("Bearer"),
});
