/**
 * Bodies of the operations of accounts and sessions
 * (protocol/authentication.md).
 *
 * @module
 */
import { z } from "zod";
import { characters, hasAtMost } from "../../core/characters.ts";
import type { UserId } from "../../core/ids.ts";
import { isCommonPassword } from "./common_passwords.ts";
import { base64Bytes, boundedText, uuid } from "./fields.ts";

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
const presentedAddress = z.string().transform((given, context) => {
  const normalised = normaliseAddress(given);
  if (normalised !== undefined) return normalised;
  context.addIssue("too long");
  return z.NEVER;
}).meta({ maxLength: ADDRESS_MAX });

/** Advisory: whatever cannot be used is dropped, never refused. */
const signingDevice = {
  cohort_hash: z.unknown().optional(),
  device_id: z.unknown().optional(),
};

export const RegisterRequest = z.strictObject({
  address,
  password: newPassword,
});

export const RedeemInvitationRequest = z.strictObject({
  // Any text: what is no code of a live invitation is an unknown one.
  code: z.string(),
  address,
  password: newPassword,
});

export const LoginRequest = z.strictObject({
  address: presentedAddress,
  password: presentedPassword,
  ...signingDevice,
});

export const VerifyLoginRequest = z.strictObject({
  // Any text: what is no live challenge is an expired one.
  challenge_id: z.string(),
  code: z.string(),
  ...signingDevice,
});

export const CodeRequest = z.strictObject({ code: z.string() });

export const OidcAuthorizeRequest = z.strictObject({
  redirect_uri: z.string(),
});

export const OidcCallbackRequest = z.strictObject({
  // Any text: what is no pending state is an unknown one.
  state: z.string(),
  code: z.string(),
  ...signingDevice,
});

const DISPLAY_NAME_MAX = 128;
/** With the white space around it. */
const DISPLAY_NAME_GIVEN_MAX = 1_024;

/**
 * Refused for a control character anywhere, also at its ends, then trimmed; an
 * empty name counts as null.
 */
const displayName = z.string().transform((given, context) => {
  const isLong = given.length > DISPLAY_NAME_GIVEN_MAX;
  const name = isLong ? "" : given.trim();
  if (isLong || !hasAtMost(DISPLAY_NAME_MAX, name)) {
    context.addIssue(`at most ${DISPLAY_NAME_MAX} characters`);
  } else if (/\p{Cc}/u.test(given) || !name.isWellFormed()) {
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

export const PasswordChangeRequest = z.strictObject({
  current_password: presentedPassword,
  new_password: newPassword,
});

const HANDLE = /^[a-z][a-z0-9_]{2,31}$/;

export const PublicRecordRequest = z.strictObject({
  handle: z.string().regex(HANDLE, "3 to 32 of a-z, 0-9 and _, a letter first"),
});

export const RefreshRequest = z.strictObject({
  // Any string: what no session has is simply not valid.
  session_token: z.string(),
});

/** A proof by the identity anchor over a challenge. */
export const ProofRequest = z.strictObject({
  // Any text: what is no live challenge is an unknown one.
  challenge_id: z.string(),
  // Any length: a proof of the wrong one is a wrong proof.
  proof: base64Bytes(0, Infinity),
});

/** The user whom a request asks for. */
export type Wanted =
  | { readonly by: "address"; readonly address: string }
  | { readonly by: "handle"; readonly handle: string }
  | { readonly by: "id"; readonly userId: UserId };

const EXACTLY_ONE = "exactly one of address, handle and user_id is wanted";

/** Of any form: an impossible address is not found. */
export const LookupRequest = z.strictObject({
  address: presentedAddress
    // Normalising leaves a lone surrogate where it is.
    .refine((given) => given.isWellFormed(), "Unicode text is wanted")
    .optional(),
  handle: z.string().optional(),
  user_id: uuid<UserId>().optional(),
}).transform(({ address, handle, user_id: userId }, context): Wanted => {
  const given: Wanted[] = [
    ...address === undefined ? [] : [{ by: "address", address } as const],
    ...handle === undefined ? [] : [{ by: "handle", handle } as const],
    ...userId === undefined ? [] : [{ by: "id", userId } as const],
  ];
  const [wanted, ...others] = given;
  if (wanted !== undefined && others.length === 0) return wanted;
  for (const path of ["address", "handle", "user_id"]) {
    context.addIssue({ code: "custom", path: [path], message: EXACTLY_ONE });
  }
  return z.NEVER;
});
