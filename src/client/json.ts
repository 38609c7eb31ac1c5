/**
 * JSON inside ciphertext.
 *
 * @module
 */
import * as z from "zod";
import {
  type Bytes,
  fromBase64,
  fromUtf8,
  toBase64,
  utf8,
} from "../core/bytes.ts";
import { anyBytes, checked, DocumentError, refusal } from "./fields.ts";
import { KEY_BYTES } from "./suite.ts";

/** A key of 32 bytes; standard base64 in the JSON. */
export const key = z.codec(
  z.string(),
  anyBytes.refine((bytes) => bytes.length === KEY_BYTES),
  {
    decode: (text, context) => {
      const bytes = fromBase64(text);
      if (bytes !== undefined) return bytes;
      context.issues.push({
        code: "custom",
        message: "not base64",
        input: text,
      });
      return z.NEVER;
    },
    encode: (bytes) => toBase64(bytes),
  },
);

/**
 * The UTF-8 bytes of a value as its schema writes it, keys in the schema's
 * order, so that equal values give equal bytes. Throws a DocumentError for a
 * value that the schema refuses.
 */
export function encodeJson<T extends z.ZodType>(
  schema: T,
  value: z.output<T>,
  what: string,
): Bytes {
  const encoded = z.safeEncode(schema, value);
  if (!encoded.success) throw refusal(what, encoded.error);
  return utf8(JSON.stringify(encoded.data));
}

/**
 * The value of JSON bytes; a key that is null counts as absent. Throws a
 * DocumentError for bytes that are not UTF-8, not JSON, or not of the schema.
 * Whether an unknown key is passed over is the schema's to say.
 */
export function decodeJson<T extends z.ZodType>(
  schema: T,
  bytes: Uint8Array,
  what: string,
): z.output<T> {
  const text = fromUtf8(bytes);
  if (text === undefined) throw new DocumentError(`${what} is not UTF-8`);
  let value: unknown;
  try {
    value = JSON.parse(text, (_key, item: unknown) => item ?? undefined);
  } catch (cause) {
    throw new DocumentError(`${what} is not JSON`, { cause });
  }
  return checked(schema, value, what);
}
