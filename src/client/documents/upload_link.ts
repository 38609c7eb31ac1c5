/**
 * Upload links (protocol/client-cryptography.md#upload-link). The suite leaves
 * open how a guest knows that the recipient's key is that of the link's owner
 * and not one that the server put in its place; that is decided here.
 *
 * The link carries the key's fingerprint, SHA-256 of the 1,216 bytes, in its
 * fragment, and after it the gate, 32 bytes:
 * `<origin>/u/<opaque_id>#<fingerprint ‖ gate in base64url>`. A guest's file is
 * bound to the gate: the server, which knows the key, seals nothing in a
 * guest's name. If a passphrase protects the link, the gate is not in the
 * fragment but in the box `wrapped_secret`, so that the owner refuses what was
 * sealed without the passphrase.
 *
 * After a full stop the fragment may carry a note, base64url of UTF-8, which
 * says who asks for files and why. Browsers never send it, so the server does
 * not learn it.
 *
 * @module
 */
import {
  type Bytes,
  concatBytes,
  equalBytes,
  fromBase64Url,
  fromUtf8,
  type RandomBytes,
  toBase64Url,
  utf8,
} from "../../core/bytes.ts";
import { assertKnownFragment } from "./fields.ts";
import { isOpaqueId } from "../../core/ids.ts";
import { sha256 } from "../../crypto/sha256.ts";
import {
  openForLink,
  type PassphraseOptions,
  sealForLink,
  type SealPassphraseOptions,
} from "./escrow.ts";
import { KEY_BYTES } from "./suite.ts";
import { urlOf } from "./urls.ts";

const LABEL = "service-upload-link/v2";

/** The fingerprint of a recipient's key, 32 bytes. */
export function recipientFingerprint(recipientKey: Uint8Array): Bytes {
  return sha256(recipientKey);
}

/** Whether a key has this fingerprint. */
export function isRecipient(
  recipientKey: Uint8Array,
  fingerprint: Uint8Array,
): boolean {
  return equalBytes(recipientFingerprint(recipientKey), fingerprint);
}

/** The parts of a link; without its fingerprint it was cut off. */
export interface UploadLink {
  /** The server's origin, `https://host`. */
  readonly origin: string;
  readonly opaqueId: string;
  readonly fingerprint?: Uint8Array;
  /** What its files are bound to, 32 bytes; a passphrase's link has none. */
  readonly gate?: Uint8Array;
  /**
   * A message from the person who asks; anybody who passes the link on can
   * change it.
   */
  readonly note?: string;
}

/** Longest note (bytes). */
const NOTE_MAX_BYTES = 1_024;

/** Makes the link to hand out. */
export function buildUploadLink(link: UploadLink): string {
  const url = new URL(`/u/${link.opaqueId}`, link.origin);
  const { fingerprint, gate = new Uint8Array(), note } = link;
  if (fingerprint !== undefined) {
    url.hash = toBase64Url(concatBytes(fingerprint, gate));
  }
  if (note !== undefined && note !== "") {
    url.hash = `${url.hash}.${toBase64Url(utf8(note))}`;
  }
  return url.href;
}

/** Reads a link; undefined if it is not one, or its fragment is damaged. */
export function parseUploadLink(text: string): UploadLink | undefined {
  const url = urlOf(text);
  const opaqueId = url?.pathname.match(/^\/u\/([^/]+)$/)?.[1];
  if (url === undefined || opaqueId === undefined || !isOpaqueId(opaqueId)) {
    return undefined;
  }
  const { origin } = url;
  assertKnownFragment(url.hash.slice(1));
  if (url.hash === "") return { origin, opaqueId };
  const [key = "", ...rest] = url.hash.slice(1).split(".");
  const note = rest.length === 0 ? undefined : noteOf(rest.join("."));
  if (rest.length > 0 && note === undefined) return undefined;
  const bare = { origin, opaqueId, ...(note === undefined ? {} : { note }) };
  const bytes = fromBase64Url(key) ?? new Uint8Array();
  const fingerprint = bytes.subarray(0, KEY_BYTES);
  if (bytes.length === KEY_BYTES) return { ...bare, fingerprint };
  if (bytes.length !== 2 * KEY_BYTES) return undefined;
  return { ...bare, fingerprint, gate: bytes.subarray(KEY_BYTES) };
}

function noteOf(encoded: string): string | undefined {
  if (encoded.length > 2 * NOTE_MAX_BYTES) return undefined;
  const bytes = fromBase64Url(encoded);
  if (bytes === undefined || bytes.length > NOTE_MAX_BYTES) return undefined;
  return fromUtf8(bytes);
}

/** Makes the `wrapped_secret` of a link with a passphrase. */
export function wrapGate(
  passphrase: string,
  { opaqueId, gate }: { readonly opaqueId: string; readonly gate: Uint8Array },
  random: RandomBytes,
  options: SealPassphraseOptions = {},
): Promise<Bytes> {
  const of = { label: LABEL, opaqueId };
  return sealForLink(passphrase, gate, of, random, options);
}

/** Opens the gate of a `wrapped_secret`. Throws EscrowError. */
export function unwrapGate(
  passphrase: string,
  wrapped: Uint8Array,
  opaqueId: string,
  options: PassphraseOptions = {},
): Promise<Bytes> {
  const of = { label: LABEL, opaqueId };
  return openForLink(passphrase, wrapped, of, options);
}
