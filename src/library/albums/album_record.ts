/**
 * The record of an album that a device keeps.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromBase64, toBase64 } from "../../core/bytes.ts";
import { type AlbumEntry, ListedAlbum } from "../../wire/answers/albums.ts";
import { open } from "../../wire/open.ts";
import { openDocument } from "../../client/documents/signed.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";

const recordSchema = z.object({
  entry: open(ListedAlbum),
  read: z.boolean(),
  roster: z.optional(z.base64()),
  fault: z.optional(z.string()),
  left_out: z.optional(z.array(z.string())),
});

/** An album's entry and its signed roster, as last seen. */
export interface AlbumRecord {
  readonly entry: AlbumEntry;
  /** Whether all entries of its feed were read, from the first. */
  readonly read: boolean;
  readonly roster: Bytes | undefined;
  /** Why it is frozen, as a text for people. */
  readonly fault: string | undefined;
  /** Members who are out because nothing could be encrypted for them. */
  readonly leftOut: readonly string[];
}

/** Encodes a record. */
export function encodeRecord(
  { entry, read, roster, fault, leftOut }: AlbumRecord,
): Bytes {
  const record = {
    entry,
    read,
    ...(roster === undefined ? {} : { roster: toBase64(roster) }),
    ...(fault === undefined ? {} : { fault }),
    ...(leftOut.length === 0 ? {} : { left_out: [...leftOut] }),
  };
  return encodeJson(recordSchema, record, "album record");
}

/** Reads a record. Throws a DocumentError. */
export function decodeRecord(bytes: Uint8Array): AlbumRecord {
  const { roster, fault, left_out: leftOut = [], ...record } = decodeJson(
    recordSchema,
    bytes,
    "album record",
  );
  return {
    ...record,
    fault,
    leftOut,
    roster: roster === undefined ? undefined : fromBase64(roster),
  };
}

/** The owner that a roster names; its signature is not verified yet. */
export function unverifiedOwner(roster: Uint8Array): string {
  const { payload } = openDocument(roster, "roster");
  const { owner } = payload;
  if (typeof owner === "string") return owner;
  throw new DocumentError("the roster names no owner");
}
