/**
 * The conditions of a write that must not overwrite what its client has not
 * seen (RFC 9110 section 13.1).
 *
 * @module
 */
import type { Parameter } from "./route.ts";

/** Entity tags in quotes, or anything that is held. */
type Wanted = readonly string[] | "any";

const LIST = /^(?:W\/)?"[^"]*"(?:[ \t]*,[ \t]*(?:W\/)?"[^"]*")*$/;

/** What a proxy that compresses adds to the tag of an answer. */
const SUFFIX = /-gzip"$/;

/**
 * `If-Match`: one of these tags is still right. A proxy that compresses answers
 * weakens their tags or adds `-gzip`, and would make every conditional write
 * fail. Each value has one tag here, which is a hash of it, so such a tag still
 * names one value.
 */
export const ifMatch: Parameter<Wanted | undefined> = {
  parse: (given) => {
    const text = given.trim();
    if (text === "*") return "any";
    if (!LIST.test(text)) return undefined;
    const tags = text.matchAll(/(W\/)?("[^"]*")/g);
    return [...tags].map(([, , tag = ""]) => tag.replace(SUFFIX, '"'));
  },
  schema: { type: "string" },
  description: "Tags of what the client has seen, or `*` for whatever is held",
  absent: { value: undefined },
};

/** `If-None-Match: *`: nothing is held yet. Tags are no condition here. */
export const ifNoneMatchAny: Parameter<boolean> = {
  parse: (given) => given.trim() === "*",
  schema: { type: "string" },
  description: "`*`: only where nothing is held",
  absent: { value: false },
};

/** Whether what is held is among what is wanted. */
function matches(wanted: Wanted, etag: string): boolean {
  return wanted === "any" || wanted.includes(etag);
}

/** On what a write depends. */
export interface Precondition {
  /** What has to be held; undefined: that is no condition. */
  readonly wanted: Wanted | undefined;
  /** Nothing may be held. */
  readonly onlyEmpty: boolean;
}

/** Whether what is held, undefined for nothing, meets every condition. */
export function isMet(
  { wanted, onlyEmpty }: Precondition,
  etag: string | undefined,
): boolean {
  if (etag === undefined) return wanted === undefined;
  return !onlyEmpty && (wanted === undefined || matches(wanted, etag));
}
