/** @module */
import { z } from "zod";
import { characters, instant, text } from "../wire.ts";

/** Any string up to this is tried where a password is presented. */
const PASSWORD_MAX = 1_024;
const PASSWORD_MIN = 12;
const ADDRESS_MIN = 3;
const ADDRESS_MAX = 254;

/** A password that is presented: a short one is a wrong one. */
export const presentedPassword = z.string().refine(
  (password) => characters(password) <= PASSWORD_MAX,
  `at most ${PASSWORD_MAX} characters`,
);

/** A password that is set. */
export const newPassword = presentedPassword.refine(
  (password) => characters(password) >= PASSWORD_MIN,
  `at least ${PASSWORD_MIN} characters`,
);

/** The form in which addresses are compared and shown. */
export function normaliseAddress(address: string): string {
  // Lowercasing may leave NFC (U+0130), so it comes before the last pass.
  return address.normalize("NFC").toLowerCase().normalize("NFC");
}

/** A login address, normalised. */
export const address = z.string().transform((given, context) => {
  const normalised = normaliseAddress(given);
  const [local, domain, ...more] = normalised.split("@");
  const length = characters(normalised);
  if (!given.isWellFormed()) context.addIssue("Unicode text is wanted");
  else if (length < ADDRESS_MIN || length > ADDRESS_MAX) {
    context.addIssue(`${ADDRESS_MIN} to ${ADDRESS_MAX} characters are wanted`);
  } else if (!local || !domain || more.length > 0) {
    context.addIssue("exactly one @ with something on both sides is wanted");
  } else if (/[\s\p{Cc}\u{2028}\u{2029}]/u.test(normalised)) {
    context.addIssue("no whitespace or control characters");
  } else return normalised;
  return z.NEVER;
});

/** An address that is looked up: any text up to the longest there can be. */
export const presentedAddress = z.string()
  .refine((given) => characters(given) <= ADDRESS_MAX, "too long")
  .transform(normaliseAddress);

export const RegisterRequest = z.strictObject({
  address,
  password: newPassword,
});

export const LoginRequest = z.strictObject({
  address: presentedAddress,
  password: presentedPassword,
  // Advisory: whatever cannot be used is dropped, never refused.
  cohort_hash: z.unknown().optional(),
  device_id: z.unknown().optional(),
});

export const ProfileResponse = z.strictObject({
  user_id: text,
  address: text.nullable(),
  display_name: text.nullable(),
  created_at: instant,
});

const DISPLAY_NAME_MAX = 128;

/** Trimmed first, then checked; an empty name counts as null. */
const displayName = z.string().transform((given, context) => {
  const name = given.trim();
  if (characters(name) > DISPLAY_NAME_MAX) {
    context.addIssue(`at most ${DISPLAY_NAME_MAX} characters`);
  } else if (/\p{Cc}/u.test(name) || !name.isWellFormed()) {
    context.addIssue("no control characters");
  } else {
    return name === "" ? null : name;
  }
  return z.NEVER;
});

export const ProfileUpdateRequest = z.strictObject({
  // Absent leaves the name alone, null clears it.
  display_name: displayName.nullable().optional(),
});

export const ReauthenticateRequest = z.strictObject({
  password: presentedPassword,
});

export const ReauthenticateResponse = z.strictObject({
  reauthenticated_at: instant,
  valid_until: instant,
});

export const PasswordChangeRequest = z.strictObject({
  current_password: presentedPassword,
  new_password: newPassword,
});

const HANDLE = /^[a-z][a-z0-9_]{2,31}$/;

export const PublicRecordRequest = z.strictObject({
  handle: z.string().regex(HANDLE, "3 to 32 of a-z, 0-9 and _, a letter first"),
});

export const PublicRecordResponse = z.strictObject({
  handle: text,
  display_name: text.optional(),
});
