/**
 * The journal entry that is written before a file's first byte is sent. It
 * determines the asset's id, which the key of its original follows from, and
 * the keys of its derivatives. So a second attempt makes the same blobs.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, concatBytes, utf8 } from "../../core/bytes.ts";
import { sha256 } from "../../crypto/sha256.ts";
import { count, uuid } from "../../client/documents/fields.ts";
import { decodeJson, encodeJson, key } from "../../client/documents/json.ts";
import { type LibraryPlatform, newId } from "../base/platform.ts";

const journalSchema = z.object({
  asset_id: uuid,
  epoch: count,
  seed: key,
});

/** The journal entry of a file that is being taken in. */
export interface Journal {
  readonly asset_id: string;
  /** The epoch of the album key under which it began. */
  readonly epoch: number;
  /** 32 random bytes from which the derivatives' keys are derived. Secret. */
  readonly seed: Uint8Array;
}

/** A journal for a file that begins now. */
export function newJournal(platform: LibraryPlatform, epoch: number): Journal {
  const seed = new Uint8Array(platform.random(32));
  return { asset_id: newId(platform), epoch, seed };
}

/** The key of a file's journal, by album and plaintext hash. */
export function journalKey(albumId: string, sha256: string): string {
  return `${albumId}/${sha256}`;
}

/** Encodes a journal. */
export function encodeJournal(journal: Journal): Bytes {
  return encodeJson(journalSchema, journal, "upload journal");
}

/** Reads a journal. Throws a DocumentError. */
export function decodeJournal(bytes: Uint8Array): Journal {
  return decodeJson(journalSchema, bytes, "upload journal");
}

/** The key of a derivative, different for every part and every plaintext. */
export function partKeyOf(
  { seed }: Journal,
  part: string,
  plaintextHash: string,
): Bytes {
  return sha256(concatBytes(seed, utf8(`${part}/key\0${plaintextHash}`)));
}
