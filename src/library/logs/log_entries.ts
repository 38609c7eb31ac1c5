/**
 * The entries of a server's keys log (protocol/logs.md): what each says, and
 * under which hashes accounts and albums stand there.
 *
 * @module
 */
import { concatBytes, toHex, utf8 } from "../../core/bytes.ts";
import { decodeCanonical } from "../../core/cbor.ts";
import { sha256 } from "../../crypto/sha256.ts";

/** Domain of an album's id in the keys log. */
const ALBUM_DOMAIN = "service-log-album/v1";
/** The hash under which an account stands in the keys log. */
export function userSubject(userId: string): string {
  return toHex(sha256(utf8(userId)));
}

/** The hash under which an album stands in the keys log. */
export function albumSubject(albumId: string): string {
  const domain = concatBytes(utf8(ALBUM_DOMAIN), new Uint8Array(1));
  return toHex(sha256(concatBytes(domain, utf8(albumId))));
}

/** What an entry of the keys log says. */
type LogEntry =
  | {
    readonly kind: "directory" | "roster";
    readonly subject: string;
    readonly version: number;
    readonly sha256: string;
    /** Of a directory: the account's anchor. */
    readonly keyId?: string;
  }
  | { readonly kind: "app"; readonly sha256: string }
  | {
    readonly kind: "follows";
    readonly origin: string;
    readonly note: string;
  };

/** What an entry of the keys log says; undefined for what newer ones say. */
export function readEntry(entry: Uint8Array): LogEntry | undefined {
  let items: unknown;
  try {
    items = decodeCanonical(entry, { maxDepth: 1 });
  } catch {
    return undefined;
  }
  if (!Array.isArray(items)) return undefined;
  const [type, first, second, third, fourth] = items;
  if (type === 4 && typeof first === "string" && typeof second === "string") {
    return { kind: "follows", origin: first, note: second };
  }
  if (!(first instanceof Uint8Array)) return undefined;
  if (type === 3) return { kind: "app", sha256: toHex(first) };
  if (type !== 1 && type !== 2) return undefined;
  if (typeof second !== "number" || !(third instanceof Uint8Array)) {
    return undefined;
  }
  return {
    kind: type === 1 ? "directory" : "roster",
    subject: toHex(first),
    version: second,
    sha256: toHex(third),
    ...(fourth instanceof Uint8Array ? { keyId: toHex(fourth) } : {}),
  };
}
