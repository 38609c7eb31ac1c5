/**
 * The links by which people of two servers meet
 * (protocol/albums-abroad.md#links):
 * `<server_id>/#/contact/<opaque_id>.<secret>` leads to a contact card,
 * `<server_id>/#/pickup/<opaque_id>.<secret>` to a grant. Each names a share
 * whose index has one key more; a program that does not know it shows a share
 * without items.
 *
 * @module
 */
import * as z from "zod/mini";
import {
  type Bytes,
  fromBase64Url,
  toBase64,
  toBase64Url,
  utf8,
} from "../../core/bytes.ts";
import { isOpaqueId } from "../../core/ids.ts";
import { isLoopback, isServerId } from "../../core/origin.ts";
import { assertKnownFragment, DocumentError } from "./fields.ts";
import { base64UpTo, decodeJson } from "./json.ts";
import { KEY_BYTES } from "./suite.ts";
import { urlOf } from "./urls.ts";

/** What a link leads to. */
export type AbroadKind = "contact" | "pickup";

/** A share, and the secret that opens its index. */
export interface ShareSecret {
  readonly opaqueId: string;
  readonly secret: Bytes;
}

/** The parts of such a link. */
export interface AbroadLink extends ShareSecret {
  readonly kind: AbroadKind;
  readonly serverId: string;
}

/** Most bytes of an index's blob. */
export const ABROAD_INDEX_MAX_BYTES: number = 64 * 1024;

const FRAGMENT = /^#\/(contact|pickup)\/([0-9a-f]{32})\.([\w-]{43})$/;

/** Makes a link. */
export function buildAbroadLink(
  { kind, serverId, opaqueId, secret }: AbroadLink,
): string {
  return `${serverId}/#/${kind}/${opaqueId}.${toBase64Url(secret)}`;
}

/**
 * Reads a link; undefined if it is not one. Throws a NewerDocumentError for a
 * form of newer programs.
 */
export function parseAbroadLink(text: string): AbroadLink | undefined {
  const url = urlOf(text.trim());
  if (url === undefined || url.pathname !== "/" || url.search !== "") {
    return undefined;
  }
  assertKnownFragment(url.hash.slice(1));
  const [, kind, opaqueId = "", encoded = ""] = FRAGMENT.exec(url.hash) ?? [];
  const secret = fromBase64Url(encoded);
  const isWhole = (kind === "contact" || kind === "pickup") &&
    isOpaqueId(opaqueId) && secret?.length === KEY_BYTES &&
    isServerId(url.origin);
  if (!isWhole) return undefined;
  return { kind, serverId: url.origin, opaqueId, secret };
}

/**
 * Refuses a link that would be read without encryption: https, unless the
 * program's own server has none either or the host is this computer.
 */
export function assertEncrypted(serverId: string, ownServer: string): void {
  const { protocol, hostname } = new URL(serverId);
  const isFine = protocol === "https:" || ownServer.startsWith("http:") ||
    isLoopback(hostname);
  if (!isFine) throw new DocumentError(`${serverId} is not encrypted`);
}

const KEYS = { contact: "contact", pickup: "grant" } as const;
const bytes = base64UpTo(ABROAD_INDEX_MAX_BYTES);
const indexSchema = z.object({
  contact: z.optional(bytes),
  grant: z.optional(bytes),
});

/** The index of a link: a share without items that carries one thing more. */
export function encodeAbroadIndex(
  kind: AbroadKind,
  carried: Uint8Array,
  texts: {
    /** Raised with each change. */
    readonly n: number;
    readonly title: string;
    readonly message: string;
  },
): Bytes {
  const more = { [KEYS[kind]]: toBase64(carried) };
  return utf8(JSON.stringify({ v: 1, ...texts, items: [], ...more }));
}

/**
 * What the index of a link carries. Throws a DocumentError if it is nothing.
 */
export function decodeAbroadIndex(
  kind: AbroadKind,
  index: Uint8Array,
): Uint8Array {
  const what = `index of a ${kind} link`;
  const carried = decodeJson(indexSchema, index, what)[KEYS[kind]];
  if (carried !== undefined) return carried;
  throw new DocumentError(`the ${what} carries none`);
}
