/**
 * Schemas of the fields of documents between clients, signed or encrypted; they
 * are as strict as if an enemy had written the documents. They are apart from
 * `signed.ts` so that a page which verifies no signature does not load the
 * signature code.
 *
 * @module
 */
import * as z from "zod/mini";
import type { CborValue } from "../../core/cbor.ts";
import { parseRfc3339, toRfc3339 } from "../../core/time.ts";
import { instant } from "../../wire/fields.ts";
import { NAME_MAX } from "./name_limits.ts";
import { isChunkSize } from "../../crypto/primitives.ts";

/** 16 bytes in lower-case hex, such as the `opaque_id` of a link. */
export { opaqueId as hexId } from "../../wire/fields.ts";
export { count, hash, instant, uuid } from "../../wire/fields.ts";

/** A document is not valid; the message says which one and why. */
export class DocumentError extends Error {
  override readonly name: string = "DocumentError";
}

/** A newer program made the document: its `v` is above the known versions. */
export class NewerDocumentError extends DocumentError {
  override readonly name: string = "NewerDocumentError";
}

/** What is said of a document that this program cannot follow. */
export const MADE_BY_NEWER = "was made by a newer program";

/** Begins what a newer program adds, and what a reader must not pass over. */
const MUST_KNOW = "!";

/**
 * The entries that newer programs add to a signed document
 * (protocol/client-cryptography.md#room-to-grow).
 */
export const more = z.exactOptional(
  // What the decoder of CBOR gave is such a value.
  z.record(z.string(), z.custom<CborValue>()),
);

/**
 * Takes `more` out of a signed document. Throws a {@link NewerDocumentError}
 * for an entry that a reader has to know, because this program knows none.
 */
export function withoutMore<
  T extends { more?: Readonly<Record<string, unknown>> },
>(document: T, what: string): Omit<T, "more"> {
  const { more: entries = {}, ...rest } = document;
  if (Object.keys(entries).some((name) => name.startsWith(MUST_KNOW))) {
    throw new NewerDocumentError(`${what} ${MADE_BY_NEWER}`);
  }
  return rest;
}

/**
 * Refuses a link's fragment of a form that only newer programs know. Throws a
 * {@link NewerDocumentError}.
 */
export function assertKnownFragment(fragment: string): void {
  if (!fragment.startsWith("~")) return;
  throw new NewerDocumentError(`the link ${MADE_BY_NEWER}`);
}

/** Bytes of any length, in any kind of memory. */
export const anyBytes = z.custom<Uint8Array>((value) =>
  value instanceof Uint8Array
);
/**
 * A point in time that is written in UTC with a `Z`. A time with another offset
 * is read and converted.
 */
export const utcInstant = z.codec(
  instant,
  z.string().check(
    z.refine(
      (text) => text.endsWith("Z") && parseRfc3339(text) !== undefined,
      "not an RFC 3339 time in UTC",
    ),
  ),
  {
    decode: (text) =>
      text.endsWith("Z") ? text : toRfc3339(parseRfc3339(text) ?? Number.NaN),
    encode: (text) => text,
  },
);
/**
 * A point in time that a member or a guest claims, to be read by `readTime`.
 * An invalid value counts as absent: a wrong date must not cost the file.
 */
export const claimedTime = z.optional(
  z.catch(z.optional(utcInstant), undefined),
);
/** A width or a height in pixels. */
export const extent = z.int().check(z.gte(1));
/** Plaintext bytes in a STREAM chunk. */
export const chunkSize = z.int().check(z.refine(isChunkSize));
/** A text of `least` to `most` characters, counted as code points. */
export function textBetween(least: number, most: number) {
  return z.string().check(z.refine((text) => {
    // A character has at most two code units, so a longer text is refused
    // uncounted.
    if (text.length > 2 * most) return false;
    const { length } = [...text];
    return length >= least && length <= most;
  }, `not ${least} to ${most} characters`));
}
/** Most characters of a comment: code points of its NFC form. */
export const COMMENT_MAX = 1_000;
/** A comment in NFC; a longer text is refused before it is looked at. */
export const commentText = textBetween(1, COMMENT_MAX).check(
  z.refine((text) => text.normalize("NFC") === text, "not in NFC"),
);
/** Most bytes of what a viewer of an album signed; see `album_remark.ts`. */
export const SIGNED_REMARK_MAX_BYTES: number = 8 * 1024;
/** A signed remark of a viewer, in base64. */
export const signedRemark = z.string().check(
  z.maxLength(4 * Math.ceil(SIGNED_REMARK_MAX_BYTES / 3)),
);
/** What a guest calls themselves. */
export const guestName = textBetween(1, 100).check(
  z.refine((text) => !/^\s*$|\p{Cc}/u.test(text), "no name"),
);

/** A file name of any characters: sanitise it before writing to disk. */
export const fileName = textBetween(1, NAME_MAX);
/** A media type. */
export const mediaType = textBetween(1, 255);

/**
 * Throws a {@link DocumentError} for a time that is not in UTC with a `Z`, as
 * all times of signed documents must be.
 */
export function assertUtc(what: string, ...times: string[]): void {
  if (!times.every((time) => time.endsWith("Z"))) {
    throw new DocumentError(`${what}: a time that is not in UTC with a Z`);
  }
}

/** Checks a value by its schema. Throws a {@link DocumentError}. */
export function checked<T extends z.ZodMiniType>(
  schema: T,
  value: unknown,
  what: string,
): z.output<T> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw refusal(what, parsed.error);
  return parsed.data;
}

/** The error that names the first field refused by a schema. */
export function refusal(what: string, cause: z.core.$ZodError): DocumentError {
  const issue = cause.issues[0];
  const where = issue === undefined ? "" : `/${issue.path.join("/")}`;
  return new DocumentError(`${what} ${where}: ${issue?.message ?? ""}`, {
    cause,
  });
}
