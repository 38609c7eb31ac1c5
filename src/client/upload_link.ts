/**
 * Upload links (protocol/client-cryptography.md#upload-link). What the suite
 * leaves open is decided here: how a guest knows that the recipient's key is
 * the one whose owner made the link, and not one that the server put in its
 * place.
 *
 * The link carries the key's fingerprint, SHA-256 of the 1,216 bytes, in its
 * fragment: `<origin>/u/<opaque_id>#<fingerprint base64url>`. Where a passphrase
 * protects the link, `wrapped_secret` is the fingerprint in an escrow box with
 * the associated data `service-upload-link/v1`, and the link has no fragment.
 *
 * Behind a full stop the fragment may carry a note, base64url of UTF-8: who asks
 * and what for. No browser sends it, so the server does not learn it.
 *
 * @module
 */
import {
  type Bytes,
  equalBytes,
  fromBase64Url,
  fromUtf8,
  type RandomBytes,
  toBase64Url,
  utf8,
} from "../core/bytes.ts";
import { isOpaqueId } from "../core/ids.ts";
import { sha256 } from "../crypto/sha256.ts";
import type { Argon2Cost } from "./argon2.ts";
import {
  openWithPassphrase,
  type PassphraseOptions,
  sealWithPassphrase,
} from "./escrow.ts";
import { KEY_BYTES } from "./suite.ts";
import { urlOf } from "./urls.ts";

const LABEL = "service-upload-link/v1";

/** The fingerprint of a recipient's key, 32 bytes. */
export function recipientFingerprint(recipientKey: Uint8Array): Bytes {
  return sha256(recipientKey);
}

/** Whether a key is the one that a fingerprint was made of. */
export function isRecipient(
  recipientKey: Uint8Array,
  fingerprint: Uint8Array,
): boolean {
  return equalBytes(recipientFingerprint(recipientKey), fingerprint);
}

/** A link as it is read; without a fingerprint it is the server's word. */
export interface UploadLink {
  /** The server's origin, `https://host`. */
  readonly origin: string;
  readonly opaqueId: string;
  readonly fingerprint?: Uint8Array;
  /** What the one who asks says: whoever passes the link on may change it. */
  readonly note?: string;
}

/** Bytes of a note at most. */
export const NOTE_MAX_BYTES = 1_024;

/** The link to hand out. */
export function buildUploadLink(link: UploadLink): string {
  const url = new URL(`/u/${link.opaqueId}`, link.origin);
  const { fingerprint, note } = link;
  if (fingerprint !== undefined) url.hash = toBase64Url(fingerprint);
  if (note !== undefined && note !== "") {
    url.hash = `${url.hash}.${toBase64Url(utf8(note))}`;
  }
  return url.href;
}

/** Reads a link; undefined when it is not one, or its fragment is damaged. */
export function parseUploadLink(text: string): UploadLink | undefined {
  const url = urlOf(text);
  const opaqueId = url?.pathname.match(/^\/u\/([^/]+)$/)?.[1];
  if (url === undefined || opaqueId === undefined || !isOpaqueId(opaqueId)) {
    return undefined;
  }
  const { origin } = url;
  if (url.hash === "") return { origin, opaqueId };
  const [key = "", ...rest] = url.hash.slice(1).split(".");
  const note = rest.length === 0 ? undefined : noteOf(rest.join("."));
  if (rest.length > 0 && note === undefined) return undefined;
  const bare = { origin, opaqueId, ...(note === undefined ? {} : { note }) };
  if (key === "" && note !== undefined) return bare;
  const fingerprint = fromBase64Url(key);
  if (fingerprint?.length !== KEY_BYTES) return undefined;
  return { ...bare, fingerprint };
}

function noteOf(encoded: string): string | undefined {
  if (encoded.length > 2 * NOTE_MAX_BYTES) return undefined;
  const bytes = fromBase64Url(encoded);
  if (bytes === undefined || bytes.length > NOTE_MAX_BYTES) return undefined;
  return fromUtf8(bytes);
}

/** The `wrapped_secret` of a link behind a passphrase. */
export function wrapFingerprint(
  passphrase: string,
  fingerprint: Uint8Array,
  random: RandomBytes,
  options: PassphraseOptions & { readonly cost?: Argon2Cost } = {},
): Promise<Bytes> {
  return sealWithPassphrase(passphrase, fingerprint, LABEL, random, options);
}

/** The fingerprint of a wrapped one. Throws EscrowError. */
export function unwrapFingerprint(
  passphrase: string,
  wrapped: Uint8Array,
  options: PassphraseOptions = {},
): Promise<Bytes> {
  return openWithPassphrase(passphrase, wrapped, LABEL, options);
}
