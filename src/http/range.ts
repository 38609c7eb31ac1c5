/**
 * Conditional and range requests (RFC 9110 sections 13 and 14) as the contract
 * narrows them: one part or the whole, a Range that cannot be applied is
 * ignored, HEAD ignores Range, If-Match and If-Unmodified-Since are not looked
 * at (protocol/transport.md#conditions-and-ranges).
 *
 * @module
 */
import { parseHttpDate, SECOND_MS } from "../core/time.ts";

/** What a stored representation is, as far as conditions can see. */
interface Representation {
  /** A strong entity tag with its quotes. */
  readonly etag: string;
  /** Milliseconds since the Unix epoch; its second is what counts. */
  readonly lastModified: number;
  /** Length in bytes. */
  readonly length: number;
}

/** The part to send; `last` is inclusive. */
type Selection =
  | { readonly status: 200 }
  | { readonly status: 206; readonly first: number; readonly last: number }
  | { readonly status: 304 };

/** Decides between the whole, a part and "not modified" (RFC 9110 13.2.2). */
export function selectPart(
  header: (name: string) => string | null,
  isHead: boolean,
  representation: Representation,
): Selection {
  if (isNotModified(header, representation)) return { status: 304 };
  const range = header("range");
  if (range === null || isHead) return { status: 200 };
  const ifRange = header("if-range");
  if (ifRange !== null && !ifRangeHolds(ifRange, representation)) {
    return { status: 200 };
  }
  const part = parseRange(range, representation.length);
  return part === undefined ? { status: 200 } : { status: 206, ...part };
}

/** Whether the client holds that very representation (RFC 9110 13.1.2). */
export function holdsAlready(
  header: (name: string) => string | null,
  etag: string,
): boolean {
  const ifNoneMatch = header("if-none-match");
  return ifNoneMatch !== null && matchesWeakly(ifNoneMatch, etag);
}

function isNotModified(
  header: (name: string) => string | null,
  representation: Representation,
): boolean {
  const ifNoneMatch = header("if-none-match");
  if (ifNoneMatch !== null) {
    return matchesWeakly(ifNoneMatch, representation.etag);
  }
  const since = parseHttpDate(header("if-modified-since")?.trim() ?? "");
  return since !== undefined && wholeSeconds(representation) <= since;
}

/** Weak comparison (RFC 9110 8.8.3.2) against a list of tags, or `*`. */
function matchesWeakly(list: string, etag: string): boolean {
  if (list.trim() === "*") return true;
  // A member of the list is a tag and nothing else.
  const tags = list.matchAll(/(?:^|,)[ \t]*(?:W\/)?("[^"]*")[ \t]*(?=,|$)/g);
  return [...tags].some(([, tag]) => tag === etag);
}

/**
 * If-Range by strong comparison only (RFC 9110 13.1.5). Content-addressed
 * bytes never change, so their date is a strong validator as well (8.8.2.2).
 */
function ifRangeHolds(
  validator: string,
  representation: Representation,
): boolean {
  const text = validator.trim();
  if (text.startsWith('"') || text.startsWith("W/")) {
    return text === representation.etag;
  }
  return parseHttpDate(text) === wholeSeconds(representation);
}

function wholeSeconds({ lastModified }: Representation): number {
  return Math.floor(lastModified / SECOND_MS) * SECOND_MS;
}

/**
 * One satisfiable byte range (RFC 9110 14.1.1), or undefined for everything
 * else: the grammar has no white space inside.
 */
function parseRange(
  range: string,
  length: number,
): { first: number; last: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(range);
  if (match === null) return undefined;
  const [, from = "", to = ""] = match;
  if (from === "") {
    if (to === "") return undefined;
    const suffix = Math.min(Number(to), length);
    return suffix === 0
      ? undefined
      : { first: length - suffix, last: length - 1 };
  }
  const first = Number(from);
  const last = to === "" ? length - 1 : Math.min(Number(to), length - 1);
  if (to !== "" && Number(to) < first) return undefined;
  return first < length ? { first, last } : undefined;
}
