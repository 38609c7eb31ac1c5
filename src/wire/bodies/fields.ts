/**
 * The fields that bodies are made of: as strict as the server is, and in the
 * form that it works with.
 *
 * @module
 */
import { z } from "zod";
import { fromBase64 } from "../../core/bytes.ts";
import { hasAtMost } from "../../core/characters.ts";
import {
  BLOB_HASH,
  type BlobHash,
  HEX_16_BYTES,
  isBlobHash,
  isOpaqueId,
  isUuid,
  type Uuid,
} from "../../core/ids.ts";
import { parseProtocolDate, type ProtocolDate } from "../../core/protocol.ts";
import { parseRfc3339 } from "../../core/time.ts";

/** Content addresses in JSON Schema. */
const HASH_SCHEMA = { type: "string", pattern: BLOB_HASH.source } as const;

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
export function uuid<T extends Uuid>() {
  return z.string().refine(
    (text): text is T => isUuid<T>(text),
    "a canonical lowercase UUID is wanted",
  ).meta({ format: "uuid" });
}

/** A content address in a body. */
export const blobHash = z.string().refine(
  isBlobHash,
  "64 lowercase hex characters are wanted",
).meta({ pattern: BLOB_HASH.source });

/**
 * One to `max` content addresses in a body, each once. A schema for each of
 * fifty thousand would hold everybody else's requests up for five times as
 * long.
 */
export function blobHashes(max: number) {
  return z.custom<readonly string[]>().superRefine((value, context) => {
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
  }).transform((value) => value as readonly BlobHash[]).meta({
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
).meta({ pattern: HEX_16_BYTES.source });

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
