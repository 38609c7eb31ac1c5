/**
 * Opening and verifying the signed documents that clients exchange.
 *
 * @module
 */
import {
  EnvelopeError,
  type OpenedEnvelope,
  openEnvelope,
  verifyEnvelope,
} from "../../crypto/envelope.ts";
import type { HybridBackend } from "../../crypto/hybrid.ts";
import { DocumentError, MADE_BY_NEWER, NewerDocumentError } from "./fields.ts";

/** Types that later programs will sign (protocol/registry.md#reserved). */
const RESERVED_TYPES = ["service-identity-succession/v1"] as const;

/**
 * Opens a signed envelope without verifying its signature. Throws a
 * {@link DocumentError}.
 */
export function openDocument(
  bytes: Uint8Array,
  what: string,
): OpenedEnvelope {
  try {
    return openEnvelope(bytes);
  } catch (cause) {
    if (!(cause instanceof EnvelopeError)) throw cause;
    throw new DocumentError(`${what}: ${cause.message}`, { cause });
  }
}

/**
 * Throws a {@link DocumentError} unless an opened envelope is of this type and
 * this identity key (1,984 bytes) signed it; a {@link NewerDocumentError} if
 * that key signed a type that is reserved for later programs.
 */
export async function assertSigned(
  opened: OpenedEnvelope,
  what: string,
  type: string,
  identityKey: Uint8Array,
  backend?: HybridBackend,
): Promise<void> {
  if (await verifyEnvelope(opened, identityKey, type, backend)) return;
  for (const reserved of RESERVED_TYPES) {
    // Without the signature, a server could pass off anything as this.
    if (await verifyEnvelope(opened, identityKey, reserved, backend)) {
      throw new NewerDocumentError(`${what} ${MADE_BY_NEWER}`);
    }
  }
  throw new DocumentError(`${what} is not signed by this identity`);
}
