/**
 * Whether the server still has what it signed for
 * (protocol/receipts.md#structural-and-deep-verification). Nothing here writes.
 *
 * @module
 */
import type { z } from "zod";
import { chunks } from "../../core/chunks.ts";
import type { BlobHash, UserId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { BLOB_ROLES } from "../../crypto/receipt.ts";
import type { BlobVerdict as BlobVerdictAnswer } from "../../wire/answers/assets.ts";
import type {
  AssetVerifyRequest,
  StorageVerifyRequest,
} from "../../wire/bodies/assets.ts";
import type { App } from "../app.ts";
import { charge } from "../charge.ts";
import { type Declared, type DeclaredRow, findDeclared } from "./store.ts";
import { yieldToEventLoop } from "../yield_to_event_loop.ts";

/** Files that are looked at together. */
const FILES_AT_ONCE = 32;
/** Addresses that are looked up at once: a few milliseconds. */
const ADDRESSES_AT_ONCE = 300;

type BlobVerdict = z.input<typeof BlobVerdictAnswer>;
type DeepVerdict = NonNullable<BlobVerdict["deep"]>;

/** What the disk says of a blob that the caller holds. */
interface Bytes {
  readonly stored: boolean;
  /** Whether the disk said so, and did not fail to answer. */
  readonly isAnswered: boolean;
  readonly deep?: DeepVerdict;
}

const NOT_STORED: Bytes = { stored: false, isAnswered: true };
const UNANSWERED: Bytes = { stored: false, isAnswered: false };

/** A verdict for each asset, in the order of the request. */
export async function verifyStorage(
  app: App,
  userId: UserId,
  { assets, deep = false }: StorageVerifyRequest,
) {
  const checkedAt = toRfc3339(app.platform.now());
  const declared = assets.flatMap(({ asset_id: assetId, blob_hashes }) =>
    blob_hashes.map((hash) => ({ assetId, hash }))
  );
  const rows = await lookUp(app, userId, declared);
  // In the order of the request: that is how the budget is spent.
  const held = new Map<BlobHash, number>();
  for (const one of declared) {
    const size = rows.get(keyOf(one))?.size;
    if (typeof size === "number") held.set(one.hash, size);
  }
  const bytes = await examine(app, userId, held, deep);
  return {
    verdicts: assets.map((asset) => {
      const blobs = blobVerdicts(asset, rows, bytes);
      return {
        asset_id: asset.asset_id,
        durable: blobs.every(isDurable),
        blobs,
        checked_at: checkedAt,
      };
    }),
  };
}

/** What the tables know; a database that cannot answer knows nothing. */
async function lookUp(
  app: App,
  userId: UserId,
  declared: readonly Declared[],
): Promise<ReadonlyMap<string, DeclaredRow>> {
  try {
    const rows: DeclaredRow[] = [];
    for (const some of chunks(declared, ADDRESSES_AT_ONCE)) {
      if (rows.length > 0) await yieldToEventLoop(app);
      rows.push(...await findDeclared(app.db, userId, some));
    }
    return chooseRoles(rows);
  } catch (cause) {
    app.platform.log.error("storage cannot be verified", {
      cause: String(cause),
    });
    return new Map();
  }
}

/**
 * One row for each asset and address. An asset may hold the same bytes in
 * several roles: one that its manifest holds comes before one that waits.
 */
function chooseRoles(
  rows: readonly DeclaredRow[],
): ReadonlyMap<string, DeclaredRow> {
  const rank = ({ role, applied }: DeclaredRow) =>
    role === null
      ? Infinity
      : BLOB_ROLES.indexOf(role) + (applied === 1 ? 0 : BLOB_ROLES.length);
  const chosen = new Map<string, DeclaredRow>();
  for (const row of rows) {
    const key = keyOf({ assetId: row.asset_id, hash: row.hash });
    const held = chosen.get(key);
    if (held === undefined || rank(row) < rank(held)) chosen.set(key, row);
  }
  return chosen;
}

function keyOf({ assetId, hash }: Declared): string {
  return `${assetId} ${hash}`;
}

/** Looks at every held blob once, however often it was declared. */
async function examine(
  app: App,
  userId: UserId,
  held: ReadonlyMap<BlobHash, number>,
  deep: boolean,
): Promise<ReadonlyMap<string, Bytes>> {
  const blobs = [...held];
  const examined = new Map<string, Bytes>();
  for (let at = 0; at < blobs.length; at += FILES_AT_ONCE) {
    await Promise.all(
      blobs.slice(at, at + FILES_AT_ONCE).map(async ([hash, size]) => {
        examined.set(hash, await look(app, hash, size, deep));
      }),
    );
  }
  if (!deep) return examined;
  // One after the other: a request is not to take the disk for itself.
  for (const [hash, size] of blobs) {
    if (examined.get(hash)?.stored !== true) continue;
    examined.set(hash, await readAgain(app, userId, hash, size));
  }
  return examined;
}

/** Whether a blob's bytes are present; a disk that fails has none. */
async function look(
  app: App,
  hash: BlobHash,
  size: number,
  deep: boolean,
): Promise<Bytes> {
  try {
    const found = await app.blobs.sizeOf(hash);
    if (found === size) return { stored: true, isAnswered: true };
    // Bytes of another length have another hash: nothing has to be read.
    return found === undefined || !deep
      ? NOT_STORED
      : { ...NOT_STORED, deep: "corrupt" };
  } catch (cause) {
    return unanswered(app, hash, cause);
  }
}

/** Hashes a blob again if the account's budget allows it. */
async function readAgain(
  app: App,
  userId: UserId,
  hash: BlobHash,
  size: number,
): Promise<Bytes> {
  const now = app.platform.now();
  if (charge({ app, now }, "deep_verify", [userId], size) !== undefined) {
    return { stored: true, isAnswered: true, deep: "rate_limited" };
  }
  try {
    const found = await app.blobs.digest(hash);
    if (found === undefined) return NOT_STORED;
    const isIntact = found.sha256 === hash;
    const deep = isIntact ? "intact" : "corrupt";
    return { stored: true, isAnswered: true, deep };
  } catch (cause) {
    return unanswered(app, hash, cause);
  }
}

function unanswered(app: App, hash: BlobHash, cause: unknown): Bytes {
  app.platform.log.error("a blob cannot be read", {
    hash,
    cause: String(cause),
  });
  return UNANSWERED;
}

/** One verdict for each declared address, in the order of declaration. */
function blobVerdicts(
  asset: AssetVerifyRequest,
  rows: ReadonlyMap<string, DeclaredRow>,
  bytes: ReadonlyMap<string, Bytes>,
): BlobVerdict[] {
  return asset.blob_hashes.map((hash) => {
    const row = rows.get(keyOf({ assetId: asset.asset_id, hash }));
    const found = bytes.get(hash) ?? UNANSWERED;
    const { stored, deep } = found;
    return {
      hash,
      role: row?.role ?? "unknown",
      stored,
      indexed: row?.indexed === 1,
      retrievable: row !== undefined && isRetrievable(row) &&
        !isLost(row, found),
      ...(deep === undefined ? {} : { deep }),
    };
  });
}

/**
 * Whether nothing withholds a blob. An asset that holds it answers for itself:
 * it must be live and not taken down. Otherwise some asset of the caller's
 * must show it.
 */
function isRetrievable(row: DeclaredRow): boolean {
  return row.role === null
    ? row.shown === 1
    : row.applied === 1 && row.state === "live" && row.withheld_at === null;
}

/**
 * Whether the server found a blob missing or damaged: now, or before and it has
 * not looked at the bytes since.
 */
function isLost(
  { is_damaged }: DeclaredRow,
  { stored, isAnswered, deep }: Bytes,
): boolean {
  if (deep === "intact") return false;
  return deep === "corrupt" || is_damaged === 1 || (isAnswered && !stored);
}

/** Whether a client may rely on it, by everything that was asked for. */
function isDurable({ stored, indexed, retrievable, deep }: BlobVerdict) {
  return stored && indexed && retrievable && deep !== "corrupt";
}
