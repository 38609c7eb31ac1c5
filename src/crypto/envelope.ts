/**
 * Signed envelopes (protocol/signed-things.md#signed-envelope): canonical CBOR
 * `{"payload": bytes, "signature": bytes}`, where the payload is the canonical
 * CBOR of a map whose `type` is also the signing domain.
 *
 * @module
 */
import type { Bytes } from "../core/bytes.ts";
import {
  CborError,
  type CborLimits,
  type CborMap,
  type CborValue,
  decodeCanonical,
  encodeCanonical,
  isCborMap,
} from "../core/cbor.ts";
import {
  type HybridBackend,
  type HybridSigner,
  verifyHybrid,
} from "./hybrid.ts";

/** A payload: a map that names its own type. */
export type EnvelopePayload = CborMap & { readonly type: string };

/** An envelope that was read; its signature is not verified yet. */
export interface OpenedEnvelope {
  readonly type: string;
  /** The decoded payload, `type` included. */
  readonly payload: CborMap;
  /** The exact bytes that were signed. */
  readonly payloadBytes: Uint8Array;
  readonly signature: Uint8Array;
}

/** Bytes that are not a signed envelope; the message says why. */
export class EnvelopeError extends Error {
  override readonly name = "EnvelopeError";
}

/**
 * Signs a payload under the domain that its `type` names and returns the whole
 * envelope. Throws CborError for a payload outside the CBOR profile.
 */
export async function signEnvelope(
  signer: HybridSigner,
  payload: EnvelopePayload,
): Promise<Bytes> {
  const payloadBytes = encodeCanonical(payload);
  const signature = await signer.sign(payload.type, payloadBytes);
  return encodeCanonical({ payload: payloadBytes, signature });
}

/**
 * Reads an envelope without judging its signature. Throws
 * {@link EnvelopeError} for bytes or a payload that are not canonical CBOR
 * within the limits, keys other than the two, and a `type` that is missing or
 * not text.
 */
export function openEnvelope(
  bytes: Uint8Array,
  limits: CborLimits = {},
): OpenedEnvelope {
  const { payloadBytes, signature } = splitEnvelope(bytes);
  const payload = decodedMap(payloadBytes, "payload", limits);
  const type = payload["type"];
  if (typeof type !== "string") {
    throw new EnvelopeError("payload has no type");
  }
  return { type, payload, payloadBytes, signature };
}

/**
 * An envelope whose payload is not read: it may be any bytes. Throws
 * {@link EnvelopeError}.
 */
export function splitEnvelope(
  bytes: Uint8Array,
): Pick<OpenedEnvelope, "payloadBytes" | "signature"> {
  const envelope = decodedMap(bytes, "envelope", { maxItems: ENVELOPE_ITEMS });
  const { payload: payloadBytes, signature, ...unknownKeys } = envelope;
  if (
    !(payloadBytes instanceof Uint8Array) ||
    !(signature instanceof Uint8Array) || Object.keys(unknownKeys).length > 0
  ) {
    throw new EnvelopeError("envelope is not {payload, signature} of bytes");
  }
  return { payloadBytes, signature };
}

/** The map, two keys, two values. */
const ENVELOPE_ITEMS = 5;

/**
 * Whether an opened envelope is of the expected type and this key (1,984 bytes)
 * signed it under that type. Never throws for what the envelope holds.
 */
export function verifyEnvelope(
  opened: OpenedEnvelope,
  publicKey: Uint8Array,
  expectedType: string,
  backend?: HybridBackend,
): Promise<boolean> {
  if (opened.type !== expectedType) return Promise.resolve(false);
  return verifyHybrid(
    publicKey,
    expectedType,
    opened.payloadBytes,
    opened.signature,
    backend,
  );
}

function decodedMap(
  bytes: Uint8Array,
  what: string,
  limits: CborLimits,
): CborMap {
  let value: CborValue;
  try {
    value = decodeCanonical(bytes, limits);
  } catch (cause) {
    if (!(cause instanceof CborError)) throw cause;
    throw new EnvelopeError(`${what}: ${cause.message}`, { cause });
  }
  if (!isCborMap(value)) throw new EnvelopeError(`${what} is not a map`);
  return value;
}
