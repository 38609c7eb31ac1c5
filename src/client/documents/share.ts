/**
 * Share links (protocol/client-cryptography.md#share). A secret in the URL's
 * fragment, which browsers never send, opens an index that names each item and
 * its key. With a passphrase the fragment is half of the secret: the server
 * keeps a box with the other half, and cannot guess what it opens without the
 * fragment.
 *
 * @module
 */
import * as z from "zod/mini";
import {
  type Bytes,
  concatBytes,
  fromBase64Url,
  type RandomBytes,
  toBase64Url,
} from "../../core/bytes.ts";
import { isOpaqueId } from "../../core/ids.ts";
import { portablePrimitives } from "../../crypto/primitives.ts";
import {
  assertKnownFragment,
  chunkSize,
  claimedTime,
  commentText,
  count,
  DocumentError,
  extent,
  fileName,
  guestName,
  hash,
  hexId,
  mediaType,
  refusal,
  textBetween,
  utcInstant,
} from "./fields.ts";
import {
  openForLink,
  type PassphraseOptions,
  sealForLink,
  type SealPassphraseOptions,
} from "./escrow.ts";
import { decodeJson, encodeJson, key } from "./json.ts";
import { deriveKey, KEY_BYTES } from "./suite.ts";
import { urlOf } from "./urls.ts";

export { newShare } from "./new_share.ts";

const LABEL = "service-share/v2";

/** A smaller picture of an item. */
export interface SharePicture {
  /** Content address of its blob. */
  readonly hash: string;
  /** File key of the blob; its chunk size is the suite's default. */
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
  /** Of a film: `hash` and `key` are of a copy that plays everywhere. */
  readonly is_copy?: boolean | undefined;
  /** RFC 3339 with `Z`: the clock where it was taken, as if it were UTC. */
  readonly taken_at?: string | undefined;
  readonly duration_ms?: number | undefined;
  readonly caption?: string | undefined;
  readonly thumbnail?: SharePicture | undefined;
  readonly preview?: SharePicture | undefined;
  /** What guests said of it, oldest first. */
  readonly remarks?: readonly ShareRemark[] | undefined;
}

/** A comment of a guest, or a heart where there is no text. */
export interface ShareRemark {
  /** See `GuestRemark`: by it a browser knows what was said in it. */
  readonly id: string;
  /** What the guest calls themselves; no one verified it. */
  readonly from: string;
  /** RFC 3339, UTC, `Z`. */
  readonly at: string;
  readonly text?: string | undefined;
}

/** The upload link of a link by which people add photos as well. */
export interface ShareAdds {
  readonly opaque_id: string;
  /** Of its recipient's key, 32 bytes. */
  readonly fingerprint: Uint8Array;
  /** What is sent by it is bound to, 32 bytes that the server does not know. */
  readonly gate: Uint8Array;
  /** Whether viewers may give hearts and comments, too. */
  readonly reacts?: boolean | undefined;
}

/** An item that could not be read. */
export interface UnreadItem {
  /** Its place among all items of the index. */
  readonly at: number;
  /** As it stands in the JSON. */
  readonly item: unknown;
}

/** The index of a link. It never says where a picture was taken. */
export interface ShareIndex {
  readonly v: 1;
  /** Raised with each change of the link: a viewer refuses a lower one. */
  readonly n: number;
  readonly title?: string | undefined;
  /** A message from the person who shares. */
  readonly message?: string | undefined;
  /** The sharing person's name in their own words; no one verified it. */
  readonly from?: string | undefined;
  /** An upload link, by which viewers add photos. */
  readonly adds?: ShareAdds | undefined;
  readonly items: readonly ShareItem[];
  /** Items that could not be read, in their order. */
  readonly unread?: readonly UnreadItem[];
  /** An `adds` that could not be read, as it stands in the JSON. */
  readonly unreadAdds?: unknown;
}

const picture = z.optional(z.object({
  hash,
  key,
  mime: mediaType,
  width: extent,
  height: extent,
}));

const item = z.object({
  name: fileName,
  mime: mediaType,
  size: count,
  hash,
  key,
  chunk_size: chunkSize,
  is_copy: z.optional(z.boolean()),
  taken_at: claimedTime,
  duration_ms: z.optional(count),
  caption: z.optional(textBetween(0, 16_384)),
  thumbnail: picture,
  preview: picture,
  // Of another shape they cost no photo.
  remarks: z.catch(
    z.optional(
      z.readonly(
        z.array(z.object({
          id: hexId,
          from: guestName,
          at: utcInstant,
          text: z.optional(commentText),
        })).check(z.maxLength(1_000)),
      ),
    ),
    undefined,
  ),
});

const WHAT = "share index";
const atMost = z.maxLength(10_000);
const texts = {
  v: z.literal(1),
  n: count,
  title: z.optional(textBetween(0, 1_024)),
  message: z.optional(textBetween(0, 16_384)),
  from: z.optional(textBetween(0, 1_024)),
  adds: z.optional(z.object({
    opaque_id: hexId,
    fingerprint: key,
    gate: key,
    reacts: z.optional(z.boolean()),
  })),
};
const indexSchema = z.object({
  ...texts,
  items: z.readonly(z.array(item).check(atMost)),
});
/** As it is read: each item, and what the link takes, is checked by itself. */
const readSchema = z.object({
  ...texts,
  adds: z.optional(z.unknown()),
  items: z.readonly(z.array(z.unknown()).check(atMost)),
});

/**
 * Encodes an index as JSON bytes; what could not be read stays as it is.
 * Encrypted with the link's secret as file key and the default chunk size, they
 * are the link's metadata blob. Throws DocumentError for values out of bounds.
 */
export function encodeShareIndex(
  { unreadAdds, unread, ...index }: ShareIndex,
): Bytes {
  const read = z.safeEncode(indexSchema, index);
  if (!read.success) throw refusal(WHAT, read.error);
  const items: unknown[] = [...read.data.items];
  for (const { at, item } of unread ?? []) items.splice(at, 0, item);
  const { adds = unreadAdds, ...rest } = read.data;
  return encodeJson(readSchema, { ...rest, adds, items }, WHAT);
}

/**
 * Reads an index from decrypted bytes; unknown keys are ignored. `adds` and
 * items of another shape are left out; `unreadAdds` and `unread` have them.
 * Throws NewerDocumentError for a later version, DocumentError for another shape
 * or if it has items and none can be read.
 */
export function decodeShareIndex(bytes: Uint8Array): ShareIndex {
  const index = decodeUnreadIndex(bytes);
  const [first] = index.unread ?? [];
  if (index.items.length > 0 || first === undefined) return index;
  const { error } = item.safeParse(first.item);
  throw error === undefined
    ? new DocumentError(`no item of a ${WHAT} can be read`)
    : refusal(`an item of a ${WHAT}`, error);
}

/** The same, to change an index of which perhaps no item can be read. */
export function decodeUnreadIndex(bytes: Uint8Array): ShareIndex {
  const { items: all, adds: given, ...index } = decodeJson(
    readSchema,
    bytes,
    WHAT,
  );
  const adds = texts.adds.safeParse(given);
  const items: ShareItem[] = [];
  const unread: UnreadItem[] = [];
  for (const [at, one] of all.entries()) {
    const { success, data } = item.safeParse(one);
    if (success) items.push(data);
    else unread.push({ at, item: one });
  }
  return {
    ...index,
    ...(adds.data === undefined ? {} : { adds: adds.data }),
    items,
    ...(unread.length === 0 ? {} : { unread }),
    ...(adds.success ? {} : { unreadAdds: given }),
  };
}

/**
 * The content addresses that an item which could not be read may name: every
 * text in it that looks like one.
 */
export function hashesIn({ item }: UnreadItem): ReadonlySet<string> {
  const json = JSON.stringify(item) ?? "";
  return new Set(json.match(/(?<=")[0-9a-f]{64}(?=")/g));
}

/**
 * Whether viewers get a smaller copy of an item, without its location, and not
 * the original: then the file is its own small picture, or a film's copy.
 */
export function isSmallerCopy(item: ShareItem) {
  const { hash, thumbnail, preview, is_copy: isCopy = false } = item;
  return isCopy || hash === preview?.hash || hash === thumbnail?.hash;
}

/** Every content address that the link must serve for an index, each once. */
export function shareIndexHashes(index: ShareIndex): string[] {
  const hashes = new Set<string>();
  for (const item of index.items) {
    for (const part of [item, item.thumbnail, item.preview]) {
      if (part !== undefined) hashes.add(part.hash);
    }
  }
  return [...hashes];
}

/** The parts of a link; without its fragment it was cut off. */
export interface ShareLink {
  /** The server's origin, `https://host`. */
  readonly origin: string;
  readonly opaqueId: string;
  /** What the fragment carries: the secret, or with a passphrase half of it. */
  readonly secret?: Uint8Array;
}

/** Makes the link to hand out: `<origin>/s/<opaque_id>#<secret base64url>`. */
export function buildShareLink(link: ShareLink): string {
  const url = new URL(`/s/${link.opaqueId}`, link.origin);
  if (link.secret !== undefined) url.hash = toBase64Url(link.secret);
  return url.href;
}

/** Reads a link; undefined if it is not one, or its secret is damaged. */
export function parseShareLink(text: string): ShareLink | undefined {
  const url = urlOf(text);
  const opaqueId = url?.pathname.match(/^\/s\/([^/]+)$/)?.[1];
  if (url === undefined || opaqueId === undefined || !isOpaqueId(opaqueId)) {
    return undefined;
  }
  const { origin } = url;
  assertKnownFragment(url.hash.slice(1));
  if (url.hash === "") return { origin, opaqueId };
  const secret = fromBase64Url(url.hash.slice(1));
  if (secret?.length !== KEY_BYTES) return undefined;
  return { origin, opaqueId, secret };
}

/** A link whose secret a passphrase is a part of. */
interface ProtectedShare {
  /** The link's secret, which opens its index. */
  readonly secret: Bytes;
  /** The box that the server keeps. */
  readonly wrappedSecret: Bytes;
}

/** The id of a link and the 32 bytes of its fragment. */
interface ShareFragment {
  readonly opaqueId: string;
  readonly fragment: Uint8Array;
}

/** Makes the secret and the `wrapped_secret` of a link with a passphrase. */
export async function protectShare(
  passphrase: string,
  { opaqueId, fragment }: ShareFragment,
  random: RandomBytes,
  options: SealPassphraseOptions = {},
): Promise<ProtectedShare> {
  const half = new Uint8Array(random(KEY_BYTES));
  const of = { label: LABEL, opaqueId };
  return {
    secret: secretOf(fragment, half, options),
    wrappedSecret: await sealForLink(passphrase, half, of, random, options),
  };
}

/** The secret of a link with a passphrase. Throws EscrowError. */
export async function unlockShare(
  passphrase: string,
  wrapped: Uint8Array,
  { opaqueId, fragment }: ShareFragment,
  options: PassphraseOptions = {},
): Promise<Bytes> {
  const of = { label: LABEL, opaqueId };
  const half = await openForLink(passphrase, wrapped, of, options);
  return secretOf(fragment, half, options);
}

function secretOf(
  fragment: Uint8Array,
  half: Uint8Array,
  { primitives = portablePrimitives }: PassphraseOptions,
): Bytes {
  const both = concatBytes(fragment, half);
  return deriveKey(primitives, both, new Uint8Array(), LABEL);
}
