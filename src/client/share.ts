/**
 * Share links (protocol/client-cryptography.md#share): a secret in the URL's
 * fragment, which no browser sends, opens an index that names each item and its
 * key.
 *
 * @module
 */
import * as z from "zod/mini";
import {
  type Bytes,
  fromBase64Url,
  type RandomBytes,
  toBase64Url,
  toHex,
} from "../core/bytes.ts";
import { isOpaqueId } from "../core/ids.ts";
import type { Argon2Cost } from "./argon2.ts";
import {
  chunkSize,
  count,
  extent,
  fileName,
  hash,
  mediaType,
  textBetween,
  utcInstant,
} from "./fields.ts";
import {
  openWithPassphrase,
  type PassphraseOptions,
  sealWithPassphrase,
} from "./escrow.ts";
import { decodeJson, encodeJson, key } from "./json.ts";
import { KEY_BYTES } from "./suite.ts";
import { urlOf } from "./urls.ts";

const SHARE_LABEL = "service-share/v1";
const OPAQUE_ID_BYTES = 16;

/** A picture of an item that stands beside its original. */
export interface SharePicture {
  /** Content address of its blob. */
  readonly hash: string;
  /** Its part key; its chunk size is the suite's default. */
  readonly key: Uint8Array;
  readonly mime: string;
  readonly width: number;
  readonly height: number;
}

/** A file that a link shows. Keys are bytes here and base64url in the JSON. */
export interface ShareItem {
  readonly name: string;
  readonly mime: string;
  /** Plaintext bytes. */
  readonly size: number;
  /** Content address of the original's blob. */
  readonly hash: string;
  /** File key of the original. */
  readonly key: Uint8Array;
  readonly chunk_size: number;
  /** RFC 3339, UTC, `Z`. */
  readonly taken_at?: string | undefined;
  readonly duration_ms?: number | undefined;
  readonly caption?: string | undefined;
  readonly thumbnail?: SharePicture | undefined;
  readonly preview?: SharePicture | undefined;
}

/** What a link shows. Where a picture was taken is not in it. */
export interface ShareIndex {
  readonly v: 1;
  readonly title?: string | undefined;
  /** What the one who shares says to those who look. */
  readonly message?: string | undefined;
  /** Who shares, in their own words: nobody verified it. */
  readonly from?: string | undefined;
  readonly items: readonly ShareItem[];
}

const picture = z.optional(z.object({
  hash,
  key,
  mime: mediaType,
  width: extent,
  height: extent,
}));

const indexSchema = z.object({
  v: z.literal(1),
  title: z.optional(textBetween(0, 1_024)),
  message: z.optional(textBetween(0, 16_384)),
  from: z.optional(textBetween(0, 1_024)),
  items: z.readonly(
    z.array(z.object({
      name: fileName,
      mime: mediaType,
      size: count,
      hash,
      key,
      chunk_size: chunkSize,
      taken_at: z.optional(utcInstant),
      duration_ms: z.optional(count),
      caption: z.optional(textBetween(0, 16_384)),
      thumbnail: picture,
      preview: picture,
    })).check(z.maxLength(10_000)),
  ),
});

/**
 * The JSON bytes of an index. Encrypted with the link's secret as file key and
 * the default chunk size they are the link's metadata blob. Throws
 * DocumentError for values out of bounds.
 */
export function encodeShareIndex(index: ShareIndex): Bytes {
  return encodeJson(indexSchema, index, "share index");
}

/**
 * An index out of decrypted bytes; keys that are not known are passed over.
 * Throws NewerDocumentError for a later version, DocumentError for another
 * shape.
 */
export function decodeShareIndex(bytes: Uint8Array): ShareIndex {
  return decodeJson(indexSchema, bytes, "share index");
}

/** Every content address that an index needs served, each once. */
export function shareIndexHashes(index: ShareIndex): string[] {
  const hashes = new Set<string>();
  for (const item of index.items) {
    for (const part of [item, item.thumbnail, item.preview]) {
      if (part !== undefined) hashes.add(part.hash);
    }
  }
  return [...hashes];
}

/** A new link: its id (32 hex characters) and its secret (32 bytes). */
export function newShare(
  random: RandomBytes,
): { opaqueId: string; secret: Bytes } {
  return {
    opaqueId: toHex(random(OPAQUE_ID_BYTES)),
    secret: new Uint8Array(random(KEY_BYTES)),
  };
}

/** A link as it is read; the secret is absent where a passphrase wraps it. */
export interface ShareLink {
  /** The server's origin, `https://host`. */
  readonly origin: string;
  readonly opaqueId: string;
  readonly secret?: Uint8Array;
}

/** The link to hand out: `<origin>/s/<opaque_id>#<secret base64url>`. */
export function buildShareLink(link: ShareLink): string {
  const url = new URL(`/s/${link.opaqueId}`, link.origin);
  if (link.secret !== undefined) url.hash = toBase64Url(link.secret);
  return url.href;
}

/** Reads a link; undefined when it is not one, or its secret is damaged. */
export function parseShareLink(text: string): ShareLink | undefined {
  const url = urlOf(text);
  const opaqueId = url?.pathname.match(/^\/s\/([^/]+)$/)?.[1];
  if (url === undefined || opaqueId === undefined || !isOpaqueId(opaqueId)) {
    return undefined;
  }
  const { origin } = url;
  if (url.hash === "") return { origin, opaqueId };
  const secret = fromBase64Url(url.hash.slice(1));
  if (secret?.length !== KEY_BYTES) return undefined;
  return { origin, opaqueId, secret };
}

/** The link's `wrapped_secret`: its secret in an escrow box. */
export function wrapShareSecret(
  passphrase: string,
  secret: Uint8Array,
  random: RandomBytes,
  options: PassphraseOptions & { readonly cost?: Argon2Cost } = {},
): Promise<Bytes> {
  return sealWithPassphrase(passphrase, secret, SHARE_LABEL, random, options);
}

/** The secret of a wrapped one. Throws EscrowError. */
export function unwrapShareSecret(
  passphrase: string,
  wrapped: Uint8Array,
  options: PassphraseOptions = {},
): Promise<Bytes> {
  return openWithPassphrase(passphrase, wrapped, SHARE_LABEL, options);
}
