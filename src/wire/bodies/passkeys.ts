/**
 * Bodies about passkeys (protocol/authentication.md#passkeys).
 *
 * @module
 */
import { z } from "zod";
import { characters, hasAtMost } from "../../core/characters.ts";
import { presentedAddress, signingDevice } from "./accounts.ts";

const NAME_MAX = 64;
/** With the white space around it. */
const NAME_GIVEN_MAX = 512;

/** What the person calls a passkey: trimmed first, then checked. */
const name = z.string().transform((given, context) => {
  const trimmed = given.length > NAME_GIVEN_MAX ? "" : given.trim();
  if (characters(trimmed) < 1 || !hasAtMost(NAME_MAX, trimmed)) {
    context.addIssue(`1 to ${NAME_MAX} characters are wanted`);
  } else if (/\p{Cc}/u.test(trimmed) || !trimmed.isWellFormed()) {
    context.addIssue("no control characters");
  } else {
    return trimmed;
  }
  return z.NEVER;
}).meta({ minLength: 1, maxLength: NAME_MAX });

/** Bytes as WebAuthn writes them in JSON: base64url without padding. */
function base64Url(max: number) {
  return z.string().max(max).regex(/^[A-Za-z0-9_-]*$/, "base64url is wanted");
}

/** Of 1,023 bytes, the most that an authenticator may give. */
const CREDENTIAL_ID_MAX = 1_364;
const CLIENT_DATA_MAX = 4_096;
const ATTESTATION_MAX = 16_384;

const credentialId = base64Url(CREDENTIAL_ID_MAX);

/** What browsers write beside the answer, and nothing depends on. */
const besides = {
  rawId: credentialId.optional(),
  type: z.literal("public-key").optional(),
  authenticatorAttachment: z.string().max(32).nullish(),
  // Results of extensions stay with the client: those of PRF are keys.
  clientExtensionResults: z.strictObject({ credProps: z.unknown().optional() })
    .optional(),
};

export const AddPasskeyRequest = z.strictObject({
  // Any text: what is no live challenge is an unknown one.
  challenge_id: z.string(),
  name,
  credential: z.strictObject({
    ...besides,
    id: credentialId,
    response: z.strictObject({
      clientDataJSON: base64Url(CLIENT_DATA_MAX),
      attestationObject: base64Url(ATTESTATION_MAX),
      transports: z.array(z.string().max(32)).max(16).optional(),
      // Said in the attestation object too, which is what is read.
      authenticatorData: base64Url(ATTESTATION_MAX).optional(),
      publicKey: base64Url(ATTESTATION_MAX).optional(),
      publicKeyAlgorithm: z.number().optional(),
    }),
  }),
});

export const PasskeyLoginOptionsRequest = z.strictObject({
  address: presentedAddress.optional(),
});

export const PasskeyLoginRequest = z.strictObject({
  // Any text: what is no live challenge is an unknown one.
  challenge_id: z.string(),
  credential: z.strictObject({
    ...besides,
    id: credentialId,
    response: z.strictObject({
      clientDataJSON: base64Url(CLIENT_DATA_MAX),
      authenticatorData: base64Url(CLIENT_DATA_MAX),
      signature: base64Url(CLIENT_DATA_MAX),
      userHandle: base64Url(128).nullish(),
    }),
  }),
  ...signingDevice,
});

export const RenamePasskeyRequest = z.strictObject({ name });
