/**
 * Wire pieces that several features share.
 *
 * @module
 */
import { z } from "zod";
import { fromBase64 } from "../core/bytes.ts";
import {
  type AlbumId,
  type AssetId,
  type BlobHash,
  type CapabilityId,
  type IntentId,
  type InvitationId,
  isBlobHash,
  isOpaqueId,
  isUuid,
  type OpaqueId,
  parseBlobHash,
  parseOpaqueId,
  parseUuid,
  type PasskeyId,
  type SessionId,
  type UploadId,
  type UserId,
} from "../core/ids.ts";
import { parseRfc3339 } from "../core/time.ts";
import { parseProtocolDate, type ProtocolDate } from "../core/protocol.ts";
import type { Parameter } from "../http/route.ts";

type AnyUuid =
  | UserId
  | SessionId
  | AlbumId
  | AssetId
  | UploadId
  | CapabilityId
  | IntentId
  | InvitationId
  | PasskeyId;

const UUID_SCHEMA = { type: "string", format: "uuid" } as const;
const HASH_SCHEMA = { type: "string", pattern: "^[0-9a-f]{64}$" } as const;

const OPAQUE_ID_SCHEMA = {
  type: "string",
  pattern: "^[0-9a-f]{32}$",
} as const;

/**
 * Whether a text has at most so many characters, which are Unicode code points
 * (protocol/authentication.md#accounts). What its UTF-16 length tells already
 * is not counted, so that a text of any length costs nothing.
 */
export function hasAtMost(max: number, text: string): boolean {
  if (text.length <= max) return true;
  return text.length <= 2 * max && characters(text) <= max;
}

/** The code points of a text whose length was looked at. */
export function characters(text: string): number {
  return [...text].length;
}

/**
 * A text of at most so many characters. Whatever else is to be checked of it
 * is checked afterwards and only then: normalising a text takes the square of
 * its length.
 */
export function boundedText(max: number) {
  return z.string().refine((text) => hasAtMost(max, text), {
    error: `at most ${max} characters`,
    abort: true,
  }).meta({ maxLength: max });
}

/** A canonical lowercase UUID in a body. */
export function uuid<T extends AnyUuid>() {
  return z.string().refine(
    (text): text is T => isUuid<T>(text),
    "a canonical lowercase UUID is wanted",
  ).meta(UUID_SCHEMA);
}

/** A content address in a body. */
export const blobHash = z.string().refine(
  isBlobHash,
  "64 lowercase hex characters are wanted",
).meta(HASH_SCHEMA);

/**
 * One to `max` content addresses in a body, each once. A schema for each of
 * fifty thousand would hold everybody else's requests up for five times as
 * long.
 */
export function blobHashes(max: number) {
  return z.custom<readonly BlobHash[]>().superRefine((value, context) => {
    const refuse = (message: string, path: number[] = []) =>
      context.addIssue({ code: "custom", message, path, input: value });
    if (!Array.isArray(value)) return refuse("a list is wanted");
    if (value.length < 1 || value.length > max) {
      return refuse(`1 to ${max} items are wanted`);
    }
    for (const [index, item] of value.entries()) {
      if (typeof item === "string" && isBlobHash(item)) continue;
      return refuse("64 lowercase hex characters are wanted", [index]);
    }
    if (new Set(value).size < value.length) refuse("each hash once");
  }).meta({
    type: "array",
    items: HASH_SCHEMA,
    minItems: 1,
    maxItems: max,
  });
}

/** A link's id in a body. */
export const opaqueId = z.string().refine(
  isOpaqueId,
  "32 lowercase hex characters are wanted",
).meta(OPAQUE_ID_SCHEMA);

/** RFC 3339 in a body; milliseconds since the Unix epoch inside. */
export const timestamp = z.string().transform((text, context) => {
  const instant = parseRfc3339(text);
  if (instant !== undefined) return instant;
  context.addIssue("an RFC 3339 timestamp is wanted");
  return z.NEVER;
}).meta({ format: "date-time" });

/** A protocol date in a body. */
export const protocolDate = z.string().transform(
  (text, context): ProtocolDate => {
    const date = parseProtocolDate(text);
    if (date !== undefined) return date;
    context.addIssue("a calendar date YYYY-MM-DD is wanted");
    return z.NEVER;
  },
).meta({ format: "date" });

/** Standard base64 with padding, of `min` to `max` bytes; the bytes inside. */
export function base64Bytes(min: number, max: number) {
  const longest = 4 * Math.ceil(max / 3);
  return z.string().transform((text, context) => {
    const isLong = text.length > longest;
    const bytes = isLong ? undefined : fromBase64(text);
    if (bytes === undefined && !isLong) {
      context.addIssue("standard base64 with padding is wanted");
    } else if (
      bytes === undefined || bytes.length < min || bytes.length > max
    ) {
      context.addIssue(`${min} to ${max} bytes are wanted`);
    } else {
      return bytes;
    }
    return z.NEVER;
  }).meta({
    contentEncoding: "base64",
    minLength: 4 * Math.ceil(min / 3),
    ...Number.isFinite(longest) ? { maxLength: longest } : {},
  });
}

/** An integer of at least `min` that JavaScript holds exactly. */
export function integer(min: number) {
  return z.int().min(min);
}

/** A path value that is a canonical lowercase UUID. */
export function uuidParameter<T extends AnyUuid>(
  description: string,
): Parameter<T> {
  return {
    parse: (text) => parseUuid<T>(text),
    schema: UUID_SCHEMA,
    description,
  };
}

/** A path value that is a content address. */
export const hashParameter: Parameter<
  NonNullable<ReturnType<typeof parseBlobHash>>
> = {
  parse: parseBlobHash,
  schema: HASH_SCHEMA,
  description: "Content address: SHA-256 in lowercase hex",
};

/** A path value that is a link's id. */
export const opaqueIdParameter: Parameter<OpaqueId> = {
  parse: parseOpaqueId,
  schema: OPAQUE_ID_SCHEMA,
  description: "Link id",
};

/**
 * A whole number in a query, of at least `min`. Above `max` it is clamped;
 * without one it is nonsense where JavaScript does not hold it exactly.
 */
export function wholeParameter(
  description: string,
  { min, max, preset }: {
    readonly min: number;
    readonly max?: number;
    readonly preset: number;
  },
): Parameter<number> {
  return {
    parse: (given) => {
      const value = /^\d+$/.test(given) ? Number(given) : NaN;
      if (max !== undefined && value > max) return max;
      return Number.isSafeInteger(value) && value >= min ? value : undefined;
    },
    schema: { type: "integer", minimum: min },
    description,
    absent: { value: preset },
  };
}

/** How many a page of a list has, where a client says nothing else. */
export const LIST_LIMITS = { min: 1, max: 1_000, preset: 200 } as const;

/** `true` or `false` in a query; false where it is absent. */
export function flagParameter(description: string): Parameter<boolean> {
  return {
    parse: (given) =>
      given === "true" ? true : given === "false" ? false : undefined,
    schema: { type: "boolean" },
    description,
    absent: { value: false },
  };
}

/** Reply pieces. */
export const text = z.string();
export const instant = z.iso.datetime();
export const count = z.int().nonnegative();
