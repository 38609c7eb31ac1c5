/**
 * Fields of the documents between clients, signed or encrypted, read as
 * strictly as if an enemy had written them. Apart from `signed.ts`, so that a
 * page which verifies no signature does not load the signatures.
 *
 * @module
 */
import * as z from "zod/mini";
import { isBlobHash, isUuid } from "../core/ids.ts";
import { parseRfc3339, toRfc3339 } from "../core/time.ts";
import { MAX_CHUNK_SIZE } from "./stream.ts";

/** A document that is not what it should be; the message says which and why. */
export class DocumentError extends Error {
  override readonly name: string = "DocumentError";
}

/** A document that a newer program made: its `v` is above what is known here. */
export class NewerDocumentError extends DocumentError {
  override readonly name: string = "NewerDocumentError";
}

/** A canonical UUID. */
export const uuid = z.string().check(
  // Plain texts outside the server: its brands are its own.
  z.refine((text): boolean => isUuid(text), "not a UUID"),
);
/** A content address or another SHA-256: 64 lowercase hex characters. */
export const hash = z.string().check(
  z.refine((text): boolean => isBlobHash(text), "not a SHA-256 in hex"),
);
/** Bytes of any length, wherever their memory lies. */
export const anyBytes = z.custom<Uint8Array>((value) =>
  value instanceof Uint8Array
);
/** A point in time. */
export const instant = z.string().check(
  z.refine((text) => parseRfc3339(text) !== undefined, "not an RFC 3339 time"),
);
/**
 * A point in time as a program writes it: in UTC, with a `Z`. What others wrote
 * with an offset is read as the same instant.
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
/** Bytes, milliseconds, an index. */
export const count = z.int().check(z.gte(0));
/** Pixels. */
export const extent = z.int().check(z.gte(1));
/** Plaintext bytes in a STREAM chunk. */
export const chunkSize = z.int().check(z.gte(1), z.lte(MAX_CHUNK_SIZE));
/** A text of so many characters, which are code points. */
export function textBetween(least: number, most: number) {
  return z.string().check(z.refine((text) => {
    // No character has more than two code units: what is longer is not counted.
    if (text.length > 2 * most) return false;
    const { length } = [...text];
    return length >= least && length <= most;
  }, `not ${least} to ${most} characters`));
}
/** A file name, of any characters: sanitise it before writing to disk. */
export const fileName = textBetween(1, 1_024);
/** A media type. */
export const mediaType = textBetween(1, 255);

/**
 * Refuses to sign a time that is not written as all times of signed documents
 * are: in UTC, with a `Z`. Throws a {@link DocumentError}.
 */
export function assertUtc(what: string, ...times: string[]): void {
  if (!times.every((time) => time.endsWith("Z"))) {
    throw new DocumentError(`${what}: a time that is not in UTC with a Z`);
  }
}

/** The value as its schema has it. Throws a {@link DocumentError}. */
export function checked<T extends z.ZodMiniType>(
  schema: T,
  value: unknown,
  what: string,
): z.output<T> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw refusal(what, parsed.error);
  return parsed.data;
}

/** Names the first field that a schema refused. */
export function refusal(what: string, cause: z.core.$ZodError): DocumentError {
  const issue = cause.issues[0];
  const where = issue === undefined ? "" : `/${issue.path.join("/")}`;
  return new DocumentError(`${what} ${where}: ${issue?.message ?? ""}`, {
    cause,
  });
}
