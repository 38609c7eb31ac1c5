/**
 * What is written down of a file before its first byte leaves. The asset's id
 * and the salts of its blobs follow from it and from the bytes, so that a second
 * try makes the very same blobs, and other bytes never meet the same salt.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, concatBytes, utf8 } from "../../core/bytes.ts";
import { sha256 } from "../../crypto/sha256.ts";
import { count, uuid } from "../fields.ts";
import { decodeJson, encodeJson, key } from "../json.ts";
import { SALT_BYTES } from "../stream.ts";

const journalSchema = z.object({
  asset_id: uuid,
  epoch: count,
  seed: key,
});

/** A file on its way. */
export interface Journal {
  readonly asset_id: string;
  /** The epoch of the album key that it began under. */
  readonly epoch: number;
  /** 32 random bytes that the salts come of. */
  readonly seed: Uint8Array;
}

/** Where a file's journal lies: by album and plaintext hash. */
export function journalKey(albumId: string, sha256: string): string {
  return `${albumId}/${sha256}`;
}

/** The bytes to keep. */
export function encodeJournal(journal: Journal): Bytes {
  return encodeJson(journalSchema, journal, "upload journal");
}

/** Reads a journal. Throws a DocumentError. */
export function decodeJournal(bytes: Uint8Array): Journal {
  return decodeJson(journalSchema, bytes, "upload journal");
}

/** The salt of a blob: another for every part and every plaintext. */
export function saltOf(
  { seed }: Journal,
  part: string,
  plaintextHash: string,
): Bytes {
  const digest = sha256(
    concatBytes(seed, utf8(`${part}\0${plaintextHash}`)),
  );
  return digest.slice(0, SALT_BYTES);
}
