/**
 * The link that a device shows to another one which is to join
 * (protocol/client-cryptography.md#a-second-device).
 *
 * @module
 */
import * as z from "zod/mini";
import { bytesOf } from "./json.ts";
import { urlOf } from "./urls.ts";

/** Bytes of the secret in a link that is scanned. */
export const ENROLLMENT_SECRET_BYTES = 16;

const secretText = bytesOf(ENROLLMENT_SECRET_BYTES);

/** A link that *old* shows, as it was scanned or typed. */
export interface EnrollmentLink {
  /** The server's origin, `https://host`. */
  readonly origin: string;
  /** As the server gave it, `XXXXX-XXXXX`. */
  readonly code: string;
  readonly secret: Uint8Array;
}

/** The link to show: `<origin>/#/join/<code>.<secret base64url>`. */
export function buildEnrollmentLink(link: EnrollmentLink): string {
  const url = new URL(link.origin);
  url.hash = `/join/${link.code}.${z.encode(secretText, link.secret)}`;
  return url.href;
}

/** Reads a link; undefined when it is not one, or its secret is damaged. */
export function parseEnrollmentLink(text: string): EnrollmentLink | undefined {
  const url = urlOf(text);
  const [, code, secret] =
    /^#\/join\/([0-9A-Za-z-]{10,21})\.([\w-]+)$/.exec(url?.hash ?? "") ?? [];
  if (url === undefined || code === undefined || secret === undefined) {
    return undefined;
  }
  const read = z.safeDecode(secretText, secret);
  if (!read.success) return undefined;
  return { origin: url.origin, code, secret: read.data };
}
