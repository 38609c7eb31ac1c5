/**
 * The fields that answers are made of. Bodies have their own
 * (`bodies/fields.ts`), because the server converts what it reads.
 *
 * @module
 */
import * as z from "zod/mini";
import { BLOB_HASH, HEX_16_BYTES, isUuid } from "../core/ids.ts";
import { isCalendarDate, parseRfc3339 } from "../core/time.ts";
import { BLOB_ROLES } from "../crypto/blob_role.ts";

/** Any text. */
export const text = z.string();
/** A canonical UUID. */
export const uuid = z.stringFormat(
  "uuid",
  (text) => isUuid(text),
  "not a UUID",
);
/** A content address or another SHA-256: 64 lowercase hex characters. */
export const hash = z.string().check(
  z.regex(BLOB_HASH, "not a SHA-256 in hex"),
);
/** A link's id, or a channel's: 32 lowercase hex characters. */
export const opaqueId = z.string().check(
  z.regex(HEX_16_BYTES, "not 32 hex characters"),
);
/** A point in time. */
export const instant = z.stringFormat(
  "date-time",
  (text) => parseRfc3339(text) !== undefined,
  "not an RFC 3339 time",
);
/** A calendar date, such as that of a protocol version. */
export const date = z.stringFormat("date", isCalendarDate, "not a date");
/** Standard base64. */
export const base64 = z.base64();
/** A whole number from 0: bytes, a number of things, an index. */
export const count = z.int().check(z.gte(0));
/** A whole number from 1: a number in a sequence, a version. */
export const ordinal = z.int().check(z.gte(1));
/** Yes or no. */
export const flag = z.boolean();
/** The role of a blob in its asset. */
export const blobRole = z.enum(BLOB_ROLES);

/**
 * A list of at most so many items, because a client has to take it as a whole.
 *
 * @__NO_SIDE_EFFECTS__
 */
export function upTo<T extends z.ZodMiniType>(
  most: number,
  item: T,
): z.ZodMiniArray<T> {
  return z.array(item).check(z.maxLength(most));
}
