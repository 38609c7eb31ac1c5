/**
 * The rows of the index, one for each asset: the server's record of it and its
 * decrypted metadata.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, toBase64, toBase64Url, utf8 } from "../../core/bytes.ts";
import {
  DAY_MS,
  MINUTE_MS,
  parseRfc3339,
  readTime,
  toRfc3339,
} from "../../core/time.ts";
import { BLOB_ROLES } from "../../crypto/blob_role.ts";
import type { StoredBlob } from "../../wire/answers/assets.ts";
import {
  chunkSize,
  count,
  hash,
  instant,
  uuid,
} from "../../client/documents/fields.ts";
import { key } from "../../client/documents/json.ts";
import {
  isFile,
  keepingSchema,
  type Metadata,
  type Remark,
  SHARE_INDEX_KIND,
} from "../../client/documents/metadata.ts";

/** The states of an asset. */
const ROW_STATES = [
  "live",
  /** In the trash. */
  "deleted",
  /** Taken down: the server does not serve it. */
  "withheld",
  /**
   * The server no longer knows the asset, and this account did not delete it.
   */
  "missing",
  /** The owner of the album that it was in deleted it. */
  "removed",
] as const;

/** How well this device knows that the server keeps an asset. */
export const CUSTODY_STATES = [
  /** Nothing was verified on this device. */
  "unverified",
  /** All its receipts were verified. */
  "receipted",
  /** The server has also confirmed that it is durable. */
  "confirmed",
  /** The bytes were also read back and hashed, by the server or here. */
  "read_back",
  /** The server lacks a blob of it. */
  "missing",
  /** A blob's bytes have changed. */
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
  /** The epoch of the album key under which it was made. */
  readonly epoch: number;
  /** The revision of its manifest; absent if it was never opened. */
  readonly revision?: number | undefined;
  /** The file key, if it is not derived from the album's. Secret. */
  readonly key?: Uint8Array | undefined;
  readonly chunk_size: number;
  /** The decrypted metadata; absent if it did not open. */
  readonly metadata?: Metadata | undefined;
  /**
   * What a viewer of the album said: its signature was verified. It is in place
   * of `signed` in the metadata.
   */
  readonly said?: SaidByViewer | undefined;
  /** Why the metadata did not open, as a text for people. */
  readonly fault?: string | undefined;
  /** Chain heads that were seen before this one, oldest first. */
  readonly heads?: readonly string[] | undefined;
  /** An older chain head, which the server shows instead of this one. */
  readonly shown?: string | undefined;
  /** How often it was tried in vain, and when it is due again. */
  readonly tried?: number | undefined;
  readonly retry_at?: string | undefined;
  readonly custody: (typeof CUSTODY_STATES)[number];
  readonly custody_at?: string | undefined;
}

/** A verified remark of a viewer. */
export interface SaidByViewer extends Omit<Remark, "guest"> {
  /** The viewer's user id. */
  readonly by: string;
  readonly id: string;
}

/** The schema of a {@link Row} in the store. */
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
  revision: z.optional(count),
  key: z.optional(key),
  chunk_size: chunkSize,
  metadata: z.optional(keepingSchema),
  said: z.optional(z.object({
    by: z.string(),
    id: z.string(),
    on: z.string(),
    of: z.string(),
    at: z.string(),
    text: z.optional(z.string()),
  })),
  fault: z.optional(z.string()),
  heads: z.optional(z.readonly(z.array(hash))),
  shown: z.optional(hash),
  tried: z.optional(count),
  retry_at: z.optional(instant),
  custody: z.enum(CUSTODY_STATES),
  custody_at: z.optional(instant),
});

/** Encodes a row, to be read by {@link rowSchema}. */
export function encodeRow(row: Row): Bytes {
  return utf8(JSON.stringify(jsonOf(row)));
}

/** Encodes a page of rows. */
export function encodeRows(rows: readonly Row[]): Bytes {
  return utf8(JSON.stringify(rows.map(jsonOf)));
}

/**
 * Encodes a row as the schema would, but without checking it: a first sync
 * writes tens of thousands of rows, all of which were checked just before.
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
        ...(metadata.fragment && { fragment: toBase64Url(metadata.fragment) }),
        derivatives: metadata.derivatives.map((one) => ({
          ...one,
          key: toBase64Url(one.key),
        })),
      },
    }),
  };
}

/**
 * Whether an asset is kept apart from photos: a comment, a heart, or of a kind
 * that this program does not know. `AssetIndex.rows` has none of these, so that
 * no list, count, search or export does.
 */
export function isApart({ metadata }: Pick<Row, "metadata">): boolean {
  return metadata !== undefined && !isFile(metadata) &&
    metadata.kind !== SHARE_INDEX_KIND;
}

/** Whether a gallery shows an asset: a live file whose metadata opened. */
export function isShown({ state, metadata }: Row): boolean {
  return state === "live" && metadata !== undefined && isFile(metadata);
}

/** Whether the account has share links: each has an index among the rows. */
export function hasLinks(
  index: { readonly rows: () => Iterable<Row> },
): boolean {
  for (const { state, metadata } of index.rows()) {
    if (state === "live" && metadata?.kind === SHARE_INDEX_KIND) return true;
  }
  return false;
}

/**
 * Whether an asset is live and its newest metadata does not open here. It may
 * be shown still, by the metadata that it had before.
 */
export function isUnopened({ state, metadata, fault }: Row): boolean {
  return state === "live" && (metadata === undefined || fault !== undefined);
}

/** The first pause between two attempts, and the longest (ms). */
const RETRY_MS = MINUTE_MS;
const LONGEST_RETRY_MS = DAY_MS;

/** Notes one more attempt in vain: the pause doubles, up to a day. */
export function triedAgain(
  { tried = 0 }: Pick<Row, "tried">,
  now: number,
): { readonly tried: number; readonly retry_at: string } {
  const pause = Math.min(RETRY_MS * 2 ** tried, LONGEST_RETRY_MS);
  return { tried: tried + 1, retry_at: toRfc3339(now + pause) };
}

/**
 * Whether the server is to be asked again about an asset that did not open or
 * that it did not know.
 */
export function isDue(row: Row, now: number): boolean {
  const isWrong = isUnopened(row) || row.state === "missing" ||
    isRolledBack(row);
  if (!isWrong) return false;
  const at = parseRfc3339(row.retry_at ?? "") ?? 0;
  // A clock that was set back does not put it off for ever.
  return at <= now || at > now + LONGEST_RETRY_MS;
}

/** Whether the server shows an older version of an asset than before. */
export function isRolledBack({ state, shown }: Row): boolean {
  return state === "live" && shown !== undefined;
}

/** Whether the server is known to have lost or changed a blob of it. */
export function isBroken({ custody }: Pick<Row, "custody">): boolean {
  return custody === "missing" || custody === "damaged";
}

/**
 * The blobs that an asset consists of. The server keeps small pictures as long
 * as their original, also those that a later manifest replaced
 * (protocol/manifests.md): nothing is lost with these.
 */
export function ownBlobs({ blobs, metadata }: Row): readonly StoredBlob[] {
  if (metadata === undefined) return blobs;
  const named = new Set(metadata.derivatives.map(({ hash }) => hash));
  return blobs.filter(({ role, hash }) =>
    role !== "derivative" || named.has(hash)
  );
}

/** The blob of a role that an asset has only once. */
export function blobOf(
  row: Row,
  role: "original" | "metadata" | "provenance",
): StoredBlob | undefined {
  return row.blobs.findLast((blob) => blob.role === role);
}

/** When it was taken, or else when it was stored (ms); always a number. */
export function takenAt(row: Row): number {
  return readTime(row.metadata?.taken_at) ?? readTime(row.at) ?? 0;
}

/**
 * Compares two photos for an order with the newest first. Within a second the
 * name decides, because cameras count upwards and not all of them tell parts of
 * seconds; then the part of the second; then the id, so that the order is the
 * same on every device and in every list.
 */
export function compareNewest(
  a: { readonly at: number; readonly row: Row | undefined },
  b: { readonly at: number; readonly row: Row | undefined },
): number {
  const seconds = Math.floor(b.at / 1_000) - Math.floor(a.at / 1_000);
  if (seconds !== 0) return seconds;
  const [nameA, nameB] = [nameOf(a.row), nameOf(b.row)];
  if (nameA !== nameB) return nameA > nameB ? -1 : 1;
  return b.at - a.at || ((a.row?.id ?? "") < (b.row?.id ?? "") ? -1 : 1);
}

function nameOf(row: Row | undefined): string {
  return row?.metadata?.name ?? "";
}

/** Rows by when they were taken, newest first. */
export function newestFirst<R extends Row>(rows: Iterable<R>): R[] {
  return Array.from(rows, (row) => ({ row, at: takenAt(row) }))
    .sort(compareNewest)
    .map(({ row }) => row);
}

/** The local day and time at which it was taken, as if it were UTC. */
export function localDay(row: Row): Date {
  const offset = row.metadata?.taken_offset ?? 0;
  return new Date(takenAt(row) + offset * 60_000);
}
