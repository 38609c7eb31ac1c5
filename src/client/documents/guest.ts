/**
 * The metadata that a guest seals for the owner of an upload link
 * (protocol/client-cryptography.md#upload-link): a random file key with name
 * and media type.
 *
 * JSON `{v: 1, name, mime, key, …}`, sealed under the label
 * `service-guest-upload/v1` and bound to the link; the blob has the default
 * chunk size.
 *
 * @module
 */
import * as z from "zod/mini";
import {
  type Bytes,
  concatBytes,
  fromHex,
  type RandomBytes,
  toHex,
  utf8,
} from "../../core/bytes.ts";
import {
  portablePrimitives,
  type Primitives,
} from "../../crypto/primitives.ts";
import { sha256 } from "../../crypto/sha256.ts";
import {
  claimedTime,
  commentText,
  count,
  fileName,
  hash,
  hexId,
  mediaType,
  signedRemark,
  textBetween,
  utcInstant,
} from "./fields.ts";
import { base64UpTo, decodeJson, encodeJson, key } from "./json.ts";
import { openSealed, sealTo } from "../keys/sealing.ts";

const LABEL = "service-guest-upload/v1";

/**
 * Largest thumbnail of a guest's file (bytes); it is part of the sealed text.
 */
export const GUEST_THUMBNAIL_MAX_BYTES: number = 8 * 1024;

/**
 * A guest's file as the owner sees it. The guest states all of it; nothing is
 * verified.
 */
export interface GuestFile {
  readonly v: 1;
  readonly name: string;
  readonly mime: string;
  /** File key of the blob, 32 bytes. */
  readonly key: Uint8Array;
  /** Plaintext bytes. */
  readonly size?: number | undefined;
  /** SHA-256 of the plaintext in hex. */
  readonly sha256?: string | undefined;
  /** RFC 3339, UTC, `Z`. */
  readonly taken_at?: string | undefined;
  readonly modified_at?: string | undefined;
  /** What the guest calls themselves. */
  readonly from?: string | undefined;
  /** Folders that it lay in, with `/` between. */
  readonly path?: string | undefined;
  /** A JPEG of at most {@link GUEST_THUMBNAIL_MAX_BYTES}; base64 in the JSON. */
  readonly thumbnail?: Uint8Array | undefined;
  /** It is no file: the guest says something of a photo that the link shows. */
  readonly remark?: GuestRemark | undefined;
  /** It is no file: the guest takes back what has the id of this token. */
  readonly takes_back?: string | undefined;
  /**
   * It is no file: what a viewer of an album said and signed, in base64; see
   * `album_remark.ts`.
   */
  readonly signed?: string | undefined;
}

/** A comment of a guest, or a heart where there is no text. */
export interface GuestRemark {
  /** {@link remarkId} of a token that only the guest's browser has. */
  readonly id: string;
  /** Content address of the item's original in the link's index. */
  readonly on: string;
  /** When it was written: RFC 3339, UTC, `Z`. */
  readonly at: string;
  /** 1 to `COMMENT_MAX` characters in NFC. */
  readonly text?: string | undefined;
}

const guestFileSchema = z.object({
  v: z.literal(1),
  name: fileName,
  mime: mediaType,
  key,
  size: z.optional(count),
  sha256: z.optional(hash),
  taken_at: claimedTime,
  modified_at: claimedTime,
  from: z.optional(z.catch(z.optional(textBetween(1, 200)), undefined)),
  path: z.optional(z.catch(z.optional(textBetween(1, 4_096)), undefined)),
  thumbnail: z.optional(base64UpTo(GUEST_THUMBNAIL_MAX_BYTES)),
  remark: z.optional(z.object({
    id: hexId,
    on: hash,
    at: utcInstant,
    text: z.optional(commentText),
  })),
  takes_back: z.optional(hexId),
  signed: z.optional(signedRemark),
});

/**
 * The id of a guest's remark: the first 16 bytes of the SHA-256 of a token, 16
 * random bytes, both in hex. Who knows the token said it.
 */
export function remarkId(token: string): string {
  return toHex(sha256(fromHex(token) ?? new Uint8Array())).slice(0, 32);
}

/**
 * What a guest's file is bound to: its link, and the link's gate. Links by which
 * programs of two servers write to each other have none.
 */
export function guestBinding(opaqueId: string, gate?: Uint8Array): Bytes {
  return gate === undefined
    ? utf8(opaqueId)
    : concatBytes(utf8(opaqueId), sha256(gate));
}

/**
 * Makes the `sealed_metadata` of a guest's upload. `recipientKey` is the link's
 * X-Wing public key, `binding` comes from {@link guestBinding}. Throws
 * DocumentError for values out of bounds.
 */
export function sealGuestFile(
  file: GuestFile,
  recipientKey: Uint8Array,
  binding: Uint8Array,
  random: RandomBytes,
  primitives: Primitives = portablePrimitives,
): Bytes {
  const plaintext = encodeJson(guestFileSchema, file, "guest file");
  return sealTo(
    recipientKey,
    plaintext,
    LABEL,
    binding,
    random,
    primitives,
  );
}

/**
 * Opens a guest's `sealed_metadata`; undefined if it does not open. Throws
 * DocumentError if the plaintext has another shape, as a malicious guest may
 * send.
 */
export function openGuestFile(
  sealedMetadata: Uint8Array,
  secretKey: Uint8Array,
  binding: Uint8Array,
  primitives: Primitives = portablePrimitives,
): GuestFile | undefined {
  const plaintext = openSealed(
    secretKey,
    sealedMetadata,
    LABEL,
    binding,
    primitives,
  );
  if (plaintext === undefined) return undefined;
  return decodeJson(guestFileSchema, plaintext, "guest file");
}
