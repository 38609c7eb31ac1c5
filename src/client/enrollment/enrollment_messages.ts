/**
 * The messages of an enrollment and the values computed from them
 * (protocol/client-cryptography.md#a-second-device). Their order is in
 * `enrollment.ts`.
 *
 * @module
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import * as z from "zod/mini";
import { type Bytes, concatBytes, fromHex, utf8 } from "../../core/bytes.ts";
import { isBlobHash } from "../../core/ids.ts";
import {
  portablePrimitives,
  type Primitives,
} from "../../crypto/primitives.ts";
import { sha256 } from "../../crypto/sha256.ts";
import { PLATFORMS } from "../documents/directory.ts";
import { ENROLLMENT_SECRET_BYTES } from "./enrollment_link.ts";
import { EnrollmentError } from "./enrollment_fault.ts";
import {
  DocumentError,
  hash,
  NewerDocumentError,
  textBetween,
  uuid,
} from "../documents/fields.ts";
import { base64UrlUpTo, bytesOf, decodeJson, key } from "../documents/json.ts";
import { X_WING_PUBLIC_KEY_BYTES } from "../documents/suite.ts";
import { deriveKey } from "../documents/suite.ts";
import { wordsOfBits } from "../keys/recovery_words.ts";

const COMPARED_WORDS = 4;
/** Largest payload of the relay (bytes). */
const PAYLOAD_MAX_BYTES = 64 * 1024;

const COMMIT_LABEL = "service-enroll-commit/v1";
const ANCHOR_LABEL = "service-enroll-anchor/v1";
const WORDS_LABEL = "service-enroll-words/v1";
const MAC_LABEL = "service-enroll-mac/v1";
const KEY_MAC_LABEL = "service-enroll-key-mac/v1";
/** The label under which the account is sealed. */
export const KEY_LABEL = "service-enroll-key/v1";

/** A SHA-256, or as many random bytes. */
const digest = bytesOf(32);
/** The first message: *new* commits itself. */
export const commitMessage = z.object({
  v: z.literal(1),
  step: z.literal("commit"),
  commit: digest,
});
/** The second message: *old* answers with its nonce. */
export const nonceMessage = z.object({
  step: z.literal("nonce"),
  nonce: digest,
});
/** The third message: *new* opens its commitment. */
export const revealMessage = z.object({
  step: z.literal("reveal"),
  pk: bytesOf(X_WING_PUBLIC_KEY_BYTES),
  nonce: digest,
  device_id: uuid,
  name: textBetween(1, 128),
  platform: z.enum(PLATFORMS),
  mac: z.optional(digest),
});
/** The fourth message: *old* hands the account over. */
export const keyMessage = z.object({
  step: z.literal("key"),
  sealed: base64UrlUpTo(32 * 1024),
  mac: z.optional(digest),
});
/** The plaintext that is sealed in the fourth message. */
export const keyPlaintext = z.object({
  v: z.literal(1),
  master_key: key,
  user_id: uuid,
  address: z.optional(textBetween(1, 1_024)),
  server_id: textBetween(1, 1_024),
  anchor: hash,
  opening: digest,
  /** The trust record, JSON. */
  trust: z.optional(z.string()),
});

/** The payloads so far, in their order. */
export class Transcript {
  readonly #payloads: Uint8Array[] = [];

  /** Throws unless the next payload has this place in the order. */
  expect(place: number): void {
    if (this.#payloads.length !== place) {
      throw new EnrollmentError("malformed", "this step is not the next");
    }
  }

  add<T extends Uint8Array>(payload: T): T {
    this.#payloads.push(payload);
    return payload;
  }

  digest(): Bytes {
    return sha256(concatBytes(...this.#payloads));
  }
}

/** The commitment of *new* to its key and its nonce. */
export function commitmentTo(pk: Uint8Array, n: Uint8Array): Bytes {
  return labelled(COMMIT_LABEL, pk, n);
}

/**
 * The nonce of *old*: a commitment that hides the anchor and can be opened to
 * that anchor only.
 */
export function nonceFor(anchor: string, opening: Uint8Array): Bytes {
  const keyId = isBlobHash(anchor) ? fromHex(anchor) : undefined;
  if (keyId === undefined) throw new RangeError("not a key id");
  return labelled(ANCHOR_LABEL, keyId, opening);
}

/** The words that both devices show. */
export function wordsOf(
  channelId: string,
  pk: Uint8Array,
  n: Uint8Array,
  nonce: Uint8Array,
): string[] {
  return comparedWords(
    labelled(WORDS_LABEL, utf8(channelId), pk, n, nonce),
  );
}

/** The words of the first bits of a digest. */
function comparedWords(bits: Uint8Array): string[] {
  return wordsOfBits(bits, COMPARED_WORDS);
}

/** The proof that *new* scanned the link. */
export function revealMac(
  secret: Uint8Array,
  channelId: string,
  pk: Uint8Array,
  primitives?: Primitives,
): Bytes {
  return macOf(secret, MAC_LABEL, primitives, utf8(channelId), pk);
}

/** The proof that the account comes from the device that showed the link. */
export function keyMac(
  secret: Uint8Array,
  transcript: Uint8Array,
  sealed: Uint8Array,
  primitives?: Primitives,
): Bytes {
  return macOf(secret, KEY_MAC_LABEL, primitives, transcript, sealed);
}

function macOf(
  secret: Uint8Array,
  label: string,
  primitives: Primitives = portablePrimitives,
  ...parts: Uint8Array[]
): Bytes {
  if (secret.length !== ENROLLMENT_SECRET_BYTES) {
    throw new RangeError("an enrollment secret has 16 bytes");
  }
  const macKey = deriveKey(primitives, secret, new Uint8Array(), label);
  return new Uint8Array(hmac(nobleSha256, macKey, concatBytes(...parts)));
}

/** SHA-256 of a label, a zero byte and the parts. */
function labelled(label: string, ...parts: Uint8Array[]): Bytes {
  return sha256(concatBytes(utf8(label), new Uint8Array(1), ...parts));
}

/** Reads a message. Throws an {@link EnrollmentError}. */
export function readMessage<T extends z.ZodMiniType>(
  schema: T,
  payload: Uint8Array,
): z.output<T> {
  if (payload.length > PAYLOAD_MAX_BYTES) {
    throw new EnrollmentError("malformed", "more than the relay takes");
  }
  try {
    return decodeJson(schema, payload, "a message of the enrollment");
  } catch (cause) {
    if (!(cause instanceof DocumentError)) throw cause;
    const fault = cause instanceof NewerDocumentError ? "newer" : "malformed";
    throw new EnrollmentError(fault, cause.message, { cause });
  }
}

/** The error for a payload that the other device did not send. */
export function intruder(): EnrollmentError {
  return new EnrollmentError(
    "not_the_other_device",
    "what proves the other device was changed or removed on the way, such as " +
      "the scanned code: no key was accepted",
  );
}
