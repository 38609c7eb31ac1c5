import { z } from "zod";
import { instant, text } from "../wire.ts";

export const SecondFactorChallenge = z.strictObject({
  challenge_id: text,
  methods: z.array(z.literal("totp")),
  expires_at: instant,
}).meta({ id: "SecondFactorChallenge" });

export const VerifyLoginRequest = z.strictObject({
  // Any text: what is no live challenge is an expired one.
  challenge_id: z.string(),
  code: z.string(),
  cohort_hash: z.unknown().optional(),
  device_id: z.unknown().optional(),
});

export const TotpEnrollment = z.strictObject({
  secret: text,
  otpauth_uri: text,
});

export const CodeRequest = z.strictObject({ code: z.string() });
