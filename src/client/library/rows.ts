/**
 * One row of the index for each asset: what the server says of it, and what its
 * metadata says once it was opened.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, toBase64, toBase64Url, utf8 } from "../../core/bytes.ts";
import { BLOB_ROLES } from "../../crypto/blob_role.ts";
import type { StoredBlob } from "../answers.ts";
import { chunkSize, count, hash, instant, uuid } from "../fields.ts";
import { key } from "../json.ts";
import { isFile, type Metadata, metadataSchema } from "../metadata.ts";

/** Where an asset stands. */
export const ROW_STATES = [
  "live",
  /** In the trash. */
  "deleted",
  /** By take-down: the server serves it to nobody. */
  "withheld",
  /** It was here, and the server knows nothing of it any more. */
  "missing",
] as const;

/** How sure this device is that the server keeps it. */
export const CUSTODY_STATES = [
  /** Nothing was verified on this device. */
  "unverified",
  /** Every receipt of it was verified. */
  "receipted",
  /** The server also said that it is durable. */
  "confirmed",
  /** The bytes were also read back, by the server or here. */
  "read_back",
  /** The server lacks a blob of it. */
  "missing",
  /** A blob is not what it was. */
  "damaged",
] as const;

/** An asset as this device knows it. */
export interface Row {
  readonly id: string;
  readonly album?: string | undefined;
  readonly owner: string;
  /** The chain head: SHA-256 of the newest manifest. */
  readonly head: string;
  readonly seq: number;
  readonly state: (typeof ROW_STATES)[number];
  readonly at: string;
  readonly blobs: readonly StoredBlob[];
  /** The epoch of the album key that it was made under. */
  readonly epoch: number;
  /** The file key, where it is not derived from the album's. Secret. */
  readonly key?: Uint8Array | undefined;
  readonly chunk_size: number;
  /** What the encrypted metadata says; absent where it did not open. */
  readonly metadata?: Metadata | undefined;
  /** Why the metadata did not open, for people. */
  readonly fault?: string | undefined;
  readonly custody: (typeof CUSTODY_STATES)[number];
  readonly custody_at?: string | undefined;
}

/** The shape of a {@link Row} as the store has it. */
export const rowSchema: z.ZodMiniType<Row> = z.object({
  id: uuid,
  album: z.optional(uuid),
  owner: z.string(),
  head: hash,
  seq: z.int().check(z.gte(0)),
  state: z.enum(ROW_STATES),
  at: instant,
  blobs: z.array(z.object({ hash, role: z.enum(BLOB_ROLES), size: count })),
  epoch: count,
  key: z.optional(key),
  chunk_size: chunkSize,
  metadata: z.optional(metadataSchema),
  fault: z.optional(z.string()),
  custody: z.enum(CUSTODY_STATES),
  custody_at: z.optional(instant),
});

/** The bytes of a row as {@link rowSchema} reads them. */
export function encodeRow(row: Row): Bytes {
  return utf8(JSON.stringify(jsonOf(row)));
}

/** The bytes of a page of rows. */
export function encodeRows(rows: readonly Row[]): Bytes {
  return utf8(JSON.stringify(rows.map(jsonOf)));
}

/**
 * What the schema would write, without looking at all of it again: a first sync
 * writes tens of thousands, and every one of them was just read.
 */
function jsonOf(row: Row): unknown {
  const { key, metadata } = row;
  return {
    ...row,
    ...(key && { key: toBase64Url(key) }),
    ...(metadata && {
      metadata: {
        ...metadata,
        ...(metadata.thumbhash && { thumbhash: toBase64(metadata.thumbhash) }),
      },
    }),
  };
}

/** Whether a gallery shows it: a live file whose metadata opened. */
export function isShown({ state, metadata }: Row): boolean {
  return state === "live" && metadata !== undefined && isFile(metadata);
}

/** Whether the server was seen to lack, or to have changed, a part of it. */
export function isBroken({ custody }: Pick<Row, "custody">): boolean {
  return custody === "missing" || custody === "damaged";
}

/** The blob of a role that a row has one of. */
export function blobOf(
  row: Row,
  role: "original" | "metadata" | "provenance",
): StoredBlob | undefined {
  return row.blobs.findLast((blob) => blob.role === role);
}

/** When it was taken, as far as anything says so (milliseconds). */
export function takenAt(row: Row): number {
  return Date.parse(row.metadata?.taken_at ?? row.at);
}
