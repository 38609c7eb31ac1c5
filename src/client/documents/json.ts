/**
 * Reading and writing the JSON of encrypted documents.
 *
 * @module
 */
import * as z from "zod/mini";
import {
  type Bytes,
  fromBase64Url,
  fromUtf8,
  toBase64,
  toBase64Url,
  utf8,
} from "../../core/bytes.ts";
import {
  anyBytes,
  checked,
  DocumentError,
  NewerDocumentError,
  refusal,
} from "./fields.ts";
import { KEY_BYTES } from "./suite.ts";

/**
 * A codec of bytes as a text, which `write` writes. It reads both alphabets of
 * base64, with or without padding.
 */
function textOf(
  write: (bytes: Uint8Array) => string,
  least: number,
  most: number,
) {
  return z.codec(
    // Checked before decoding: four characters for three bytes, and padding.
    z.string().check(z.maxLength(4 * Math.ceil(most / 3))),
    anyBytes.check(
      z.refine((bytes) => bytes.length >= least && bytes.length <= most),
    ),
    {
      decode: (text, context) => {
        const bytes = fromAnyBase64(text);
        if (bytes !== undefined) return bytes;
        context.issues.push({
          code: "custom",
          message: "not base64",
          input: text,
        });
        return z.NEVER;
      },
      encode: write,
    },
  );
}

function fromAnyBase64(text: string): Bytes | undefined {
  const [digits = "", padding = ""] = text.split(/(=*)$/);
  if (padding !== "" && text.length % 4 !== 0) return undefined;
  if (padding.length > 2) return undefined;
  return fromBase64Url(digits.replaceAll("+", "-").replaceAll("/", "_"));
}

/** Bytes of a fixed length; base64url without padding in the JSON. */
export function bytesOf(length: number) {
  return textOf(toBase64Url, length, length);
}

/** Up to `most` bytes; base64url without padding in the JSON. */
export function base64UrlUpTo(most: number) {
  return textOf(toBase64Url, 1, most);
}

/** Up to `most` bytes; standard base64 in the JSON. */
export function base64UpTo(most: number) {
  return textOf(toBase64, 1, most);
}

/** A key of 32 bytes; base64url without padding in the JSON. */
export const key = bytesOf(KEY_BYTES);

/**
 * Encodes a value by its schema as UTF-8. Keys are in the schema's order, so
 * equal values give equal bytes. Throws a DocumentError for a value that the
 * schema refuses.
 */
export function encodeJson<T extends z.ZodMiniType>(
  schema: T,
  value: z.output<T>,
  what: string,
): Bytes {
  const encoded = z.safeEncode(schema, value);
  if (!encoded.success) throw refusal(what, encoded.error);
  return utf8(JSON.stringify(encoded.data));
}

/**
 * Reads a value from JSON bytes by its schema, which also decides whether
 * unknown keys are ignored. A key with the value null counts as absent. Throws
 * a DocumentError for bytes that are not UTF-8, not JSON, or not of the schema,
 * and a NewerDocumentError for a `v` above `version`.
 */
export function decodeJson<T extends z.ZodMiniType>(
  schema: T,
  bytes: Uint8Array,
  what: string,
  version = 1,
): z.output<T> {
  const text = fromUtf8(bytes);
  if (text === undefined) throw new DocumentError(`${what} is not UTF-8`);
  let value: unknown;
  try {
    value = JSON.parse(text, (_key, item: unknown) => item ?? undefined);
  } catch (cause) {
    throw new DocumentError(`${what} is not JSON`, { cause });
  }
  assertKnownVersion(value, version, what);
  return checked(schema, value, what);
}

const versioned = z.object({ v: z.int() });

/** Refuses a document of a later version with a {@link NewerDocumentError}. */
export function assertKnownVersion(
  value: unknown,
  known: number,
  what: string,
): void {
  const { success, data } = versioned.safeParse(value);
  if (success && data.v > known) {
    throw new NewerDocumentError(`${what} was made by a newer program`);
  }
}

/**
 * The JSON text of a value that orders entries of equal age: keys in the order
 * of their UTF-16 code units, no white space.
 */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (!isJsonMap(value)) return JSON.stringify(value) ?? "";
  // An object would bring keys like "9" and "10" into the order of numbers.
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .toSorted(([a], [b]) => a < b ? -1 : 1)
    .map(([name, item]) => `${JSON.stringify(name)}:${canonicalText(item)}`);
  return `{${entries.join(",")}}`;
}

/**
 * The order of two values by their {@link canonicalText}: below zero, zero or
 * above.
 */
export function compareTexts(a: unknown, b: unknown): number {
  // Most values that are merged are the same on both sides, keys in one order.
  if (a === b || JSON.stringify(a) === JSON.stringify(b)) return 0;
  const [one, other] = [canonicalText(a), canonicalText(b)];
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Whether a JSON value is a map of texts to others. */
export function isJsonMap(
  value: unknown,
): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
