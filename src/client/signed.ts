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
} from "../crypto/envelope.ts";
import type { HybridBackend } from "../crypto/hybrid.ts";
import { DocumentError } from "./fields.ts";

/**
 * Opens a signed envelope without verifying its signature; `maxDepth` bounds
 * the nesting of its payload. Throws a {@link DocumentError}.
 */
export function openDocument(
  bytes: Uint8Array,
  what: string,
  maxDepth: number,
): OpenedEnvelope {
  try {
    return openEnvelope(bytes, { maxDepth });
  } catch (cause) {
    if (!(cause instanceof EnvelopeError)) throw cause;
    throw new DocumentError(`${what}: ${cause.message}`, { cause });
  }
}

/**
 * Throws a {@link DocumentError} unless an opened envelope is of this type and
 * this identity key (1,984 bytes) signed it.
 */
export async function assertSigned(
  opened: OpenedEnvelope,
  what: string,
  type: string,
  identityKey: Uint8Array,
  backend?: HybridBackend,
): Promise<void> {
  if (!await verifyEnvelope(opened, identityKey, type, backend)) {
    throw new DocumentError(`${what} is not signed by this identity`);
  }
}
