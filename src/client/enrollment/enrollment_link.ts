/**
 * The link that a device shows to a second one that is to join
 * (protocol/client-cryptography.md#a-second-device).
 *
 * @module
 */
import * as z from "zod/mini";
import { assertKnownFragment } from "../documents/fields.ts";
import { bytesOf } from "../documents/json.ts";
import { urlOf } from "../documents/urls.ts";

/** Bytes of the secret in a link. */
export const ENROLLMENT_SECRET_BYTES = 16;

/**
 * A code as servers issue it: nothing that a link could be read from otherwise.
 */
export const ENROLLMENT_CODE = /^[0-9A-Za-z-]{10,21}$/;

const LINK_HASH = new RegExp(
  String.raw`^#/join/(${ENROLLMENT_CODE.source.slice(1, -1)})\.(~?[\w-]+)$`,
);

const secretText = bytesOf(ENROLLMENT_SECRET_BYTES);

/** The parts of a link that *old* shows. */
export interface EnrollmentLink {
  /** The server's origin, `https://host`. */
  readonly origin: string;
  /** The server's enrollment code, `XXXXX-XXXXX`. */
  readonly code: string;
  readonly secret: Uint8Array;
}

/** Makes the link to show: `<origin>/#/join/<code>.<secret base64url>`. */
export function buildEnrollmentLink(link: EnrollmentLink): string {
  const url = new URL(link.origin);
  url.hash = `/join/${link.code}.${z.encode(secretText, link.secret)}`;
  return url.href;
}

/** Reads a link; undefined if it is not one, or its secret is damaged. */
export function parseEnrollmentLink(text: string): EnrollmentLink | undefined {
  const url = urlOf(text);
  const [, code, secret] = LINK_HASH.exec(url?.hash ?? "") ?? [];
  if (url === undefined || code === undefined || secret === undefined) {
    return undefined;
  }
  assertKnownFragment(secret);
  const read = z.safeDecode(secretText, secret);
  if (!read.success) return undefined;
  return { origin: url.origin, code, secret: read.data };
}
