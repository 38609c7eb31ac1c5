import { z } from "zod";
import { isCommonPassword } from "./common_passwords.ts";
import { boundedText, characters, hasAtMost, instant, text } from "../wire.ts";

/** Any string up to this is tried where a password is presented. */
const PASSWORD_MAX = 1_024;
const PASSWORD_MIN = 12;
const ADDRESS_MIN = 3;
const ADDRESS_MAX = 254;
/**
 * UTF-16 units of an address before it is normalised: decomposed, a character
 * may be several. Normalising so many of the worst kind takes a millisecond.
 */
const ADDRESS_GIVEN_MAX = 4 * ADDRESS_MAX;

/** A password that is presented: a short one is a wrong one. */
export const presentedPassword = boundedText(PASSWORD_MAX);

/** A password that is set. */
export const newPassword = presentedPassword.refine(
  (password) => characters(password) >= PASSWORD_MIN,
  { error: `at least ${PASSWORD_MIN} characters`, abort: true },
).refine(
  (password) => !isCommonPassword(password),
  "one of the commonest passwords, which are tried first",
).meta({
  minLength: PASSWORD_MIN,
  maxLength: PASSWORD_MAX,
  examples: ["four words from a hat"],
});

/**
 * The form in which addresses are compared and shown; undefined for a text
 * that is too long to be one.
 */
export function normaliseAddress(address: string): string | undefined {
  if (address.length > ADDRESS_GIVEN_MAX) return undefined;
  // Lowercasing may leave NFC (U+0130), so it comes before the last pass.
  const normalised = address.normalize("NFC").toLowerCase().normalize("NFC");
  return hasAtMost(ADDRESS_MAX, normalised) ? normalised : undefined;
}

/** A login address, normalised. */
export const address = z.string().transform((given, context) => {
  const normalised = normaliseAddress(given);
  if (normalised === undefined || characters(normalised) < ADDRESS_MIN) {
    context.addIssue(`${ADDRESS_MIN} to ${ADDRESS_MAX} characters are wanted`);
    return z.NEVER;
  }
  const [local, domain, ...more] = normalised.split("@");
  if (!given.isWellFormed()) context.addIssue("Unicode text is wanted");
  else if (!local || !domain || more.length > 0) {
    context.addIssue("exactly one @ with something on both sides is wanted");
  } else if (/[\s\p{Cc}\u{2028}\u{2029}]/u.test(normalised)) {
    context.addIssue("no whitespace or control characters");
  } else return normalised;
  return z.NEVER;
}).meta({ minLength: ADDRESS_MIN, maxLength: ADDRESS_MAX });

/** An address that is looked up: any text up to the longest there can be. */
export const presentedAddress = z.string().transform((given, context) => {
  const normalised = normaliseAddress(given);
  if (normalised !== undefined) return normalised;
  context.addIssue("too long");
  return z.NEVER;
}).meta({ maxLength: ADDRESS_MAX });

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
  second_factor: z.enum(["none", "pending", "confirmed"]),
  /** How many sign in to the account. */
  passkeys: z.int().nonnegative(),
  /** False for an account of an identity provider. */
  has_password: z.boolean(),
  /** Until when a presentation is recent; absent where none is. */
  recent_until: instant.optional(),
  /** There, and true, for an account that has the operator's page. */
  is_operator: z.literal(true).optional(),
  /** When the operator let the password be replaced, for 90 days. */
  password_reset_at: instant.optional(),
}).meta({ id: "ProfileResponse" });

const DISPLAY_NAME_MAX = 128;
/** With the white space around it. */
const DISPLAY_NAME_GIVEN_MAX = 1_024;

/** Trimmed first, then checked; an empty name counts as null. */
const displayName = z.string().transform((given, context) => {
  const isLong = given.length > DISPLAY_NAME_GIVEN_MAX;
  const name = isLong ? "" : given.trim();
  if (isLong || !hasAtMost(DISPLAY_NAME_MAX, name)) {
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

export const PasswordResetRequest = z.strictObject({
  // Any text up to a bound: what is no code is refused like an unknown one.
  code: boundedText(1_024),
  new_password: newPassword,
});

const HANDLE = /^[a-z][a-z0-9_]{2,31}$/;

export const PublicRecordRequest = z.strictObject({
  handle: z.string().regex(HANDLE, "3 to 32 of a-z, 0-9 and _, a letter first"),
});

export const PublicRecordResponse = z.strictObject({
  handle: text,
  display_name: text.optional(),
}).meta({ id: "PublicRecordResponse" });
