/**
 * The tables as a check walks them: a page at a time, each page one statement
 * and so of one moment.
 *
 * @module
 */
import { sql } from "kysely";
import type { AssetId, BlobHash, UserId } from "../../core/ids.ts";
import { reasonOf } from "../../core/reason.ts";
import { type Db, transaction } from "../../store/sqlite/database.ts";
import type { BlobRole } from "../../store/sqlite/schema.ts";
import { expected, promised } from "../references.ts";
import { MISMARKED, readable, TABLES_SAY } from "../usage.ts";

/** Rows of a page. */
const PAGE = sql.lit(1_000);
/** Receipts are some kilobytes each. */
const RECEIPT_PAGE = sql.lit(200);

/** What SQLite finds wrong with the file, a line each. */
export async function integrityOf(db: Db): Promise<string[]> {
  try {
    const { rows } = await sql<{ integrity_check: string }>`
      pragma integrity_check
    `.execute(db);
    return rows.map(({ integrity_check }) => integrity_check)
      .filter((line) => line !== "ok");
  } catch (error) {
    // Some damage ends its own examination.
    return [reasonOf(error)];
  }
}

/** Rows that refer to none, by table; blobs have their own findings. */
export async function brokenReferences(db: Db) {
  const { rows } = await sql<{ table: string; parent: string; count: number }>`
    select "table", parent, count(*) as count from pragma_foreign_key_check
    where not ("table" = 'holding' and parent = 'blob')
    group by "table", parent
  `.execute(db);
  return rows;
}

/** How many rows a walk will see. */
export async function countRows(
  db: Db,
  table:
    | "holding"
    | "guest_upload"
    | "state_slot"
    | "asset"
    | "usage"
    | "receipt"
    | "blob",
): Promise<number> {
  const row = await db.selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return row.count;
}

export interface HoldingRow {
  readonly owner_id: UserId;
  readonly asset_id: AssetId;
  readonly role: BlobRole;
  readonly hash: BlobHash;
  readonly size: number;
  readonly applied: 0 | 1;
  readonly receipt_seq: number;
  readonly blob_size: number | null;
  readonly has_asset: 0 | 1;
  readonly has_receipt: 0 | 1;
}

export async function pageOfHoldings(
  db: Db,
  after: HoldingRow | undefined,
): Promise<HoldingRow[]> {
  const { owner_id = "", asset_id = "", role = "", hash = "" } = after ?? {};
  const { rows } = await sql<HoldingRow>`
    select holding.owner_id, holding.asset_id, role, holding.hash,
      holding.size, applied, holding.receipt_seq, blob.size as blob_size,
      asset.asset_id is not null as has_asset,
      receipt.receipt_seq is not null as has_receipt
    from holding
    left join blob on blob.hash = holding.hash
    left join asset on asset.asset_id = holding.asset_id
      and asset.owner_id = holding.owner_id
    left join receipt on receipt.receipt_seq = holding.receipt_seq
    where (holding.owner_id, holding.asset_id, role, holding.hash)
      > (${owner_id}, ${asset_id}, ${role}, ${hash})
    order by holding.owner_id, holding.asset_id, role, holding.hash
    limit ${PAGE}
  `.execute(db);
  return rows;
}

/** Contributions of guests that are not adopted yet. */
export function pageOfContributions(
  db: Db,
  after: { readonly upload_id: string } | undefined,
) {
  return db.selectFrom("guest_upload")
    .leftJoin("blob", "blob.hash", "guest_upload.ciphertext_hash")
    .select([
      "upload_id",
      "ciphertext_hash",
      "guest_upload.size",
      "blob.size as blob_size",
      "state",
    ])
    .where(sql<string>`upload_id`, ">", after?.upload_id ?? "")
    .orderBy("upload_id")
    .limit(PAGE)
    .execute();
}

export interface SlotRow {
  readonly place: number;
  readonly user_id: UserId;
  readonly slot: string;
  readonly size: number;
  readonly body_hash: string;
  readonly body: Uint8Array;
}

/** State slots with their bytes, which may be megabytes each. */
export async function pageOfSlots(
  db: Db,
  after: SlotRow | undefined,
): Promise<SlotRow[]> {
  const { rows } = await sql<SlotRow>`
    select rowid as place, user_id, slot, size, body_hash, body from state_slot
    where rowid > ${after?.place ?? 0} order by rowid limit 4`.execute(db);
  return rows;
}

export interface AssetRow {
  readonly asset_id: AssetId;
  readonly chain_head: BlobHash;
  readonly has_manifest: 0 | 1;
  readonly has_provenance: 0 | 1;
  readonly has_original: 0 | 1;
}

export async function pageOfAssets(
  db: Db,
  after: AssetRow | undefined,
): Promise<AssetRow[]> {
  const { rows } = await sql<AssetRow>`
    select asset_id, chain_head, exists (
      select 1 from manifest
      where manifest.asset_id = asset.asset_id
        and manifest_hash = chain_head and manifest.owner_id = asset.owner_id
    ) as has_manifest, exists (
      select 1 from holding
      where holding.owner_id = asset.owner_id
        and holding.asset_id = asset.asset_id
        and role = 'provenance' and hash = chain_head and applied = 1
    ) as has_provenance, exists (
      select 1 from holding
      where holding.owner_id = asset.owner_id
        and holding.asset_id = asset.asset_id
        and role = 'original' and applied = 1
    ) as has_original
    from asset
    where asset_id > ${after?.asset_id ?? ""}
    order by asset_id limit ${PAGE}
  `.execute(db);
  return rows;
}

/** The counters of an account, in the order in which they are compared. */
export const USAGE_COUNTERS = [
  "used_bytes",
  "reserved_bytes",
  "trash_bytes",
  "open_uploads",
  "live_assets",
  "held_blobs",
  "pending_blobs",
] as const;

type UsageCounter = typeof USAGE_COUNTERS[number];

/** What an account's row says, and what the tables add up to. */
export type UsageRow =
  & { readonly user_id: UserId; readonly mismarked: number }
  & { readonly [K in UsageCounter]: number }
  & { readonly [K in `${UsageCounter}_counted`]: number };

export async function pageOfUsage(
  db: Db,
  after: UsageRow | undefined,
): Promise<UsageRow[]> {
  const columns = USAGE_COUNTERS.map((name) =>
    sql`${readable(sql.ref(name))} as ${sql.ref(name)},
      ${TABLES_SAY[name]} as ${sql.ref(`${name}_counted`)}`
  );
  const { rows } = await sql<UsageRow>`
    select user_id, ${MISMARKED} as mismarked, ${sql.join(columns)}
    from usage
    where user_id > ${after?.user_id ?? ""}
    order by user_id limit ${PAGE}
  `.execute(db);
  return rows;
}

/** What is counted of a month's blobs, and what they add up to. */
interface MonthRow {
  readonly month: string;
  readonly count: number;
  readonly bytes: number;
  readonly counted: number;
  readonly summed: number;
}

/**
 * Writes down of every month what its blobs add up to. Returns of how many it
 * was wrong.
 */
export function recountMonths(db: Db): Promise<number> {
  return transaction(db, async (tx) => {
    const wrong = await miscountedMonths(tx);
    for (const { month, counted, summed } of wrong) {
      const said = { count: counted, bytes: summed };
      await tx.insertInto("blob_month")
        .values({ month, ...said })
        .onConflict((conflict) => conflict.column("month").doUpdateSet(said))
        .execute();
    }
    return wrong.length;
  });
}

/** Months of which the count of blobs is not what the blobs add up to. */
export async function miscountedMonths(db: Db): Promise<MonthRow[]> {
  const { rows } = await sql<MonthRow>`
    with added (month, counted, summed) as (
      select strftime('%Y-%m', stored_at / 1000, 'unixepoch'),
        count(*), sum(size)
      from blob group by 1
    ), compared as (
      select month, coalesce(count, 0) as count, coalesce(bytes, 0) as bytes,
        coalesce(counted, 0) as counted, coalesce(summed, 0) as summed
      from blob_month full join added using (month)
    )
    select * from compared where count <> counted or bytes <> summed
    order by month
  `.execute(db);
  return rows;
}

/** Receipts in the order of the chain, up to the one that was last. */
export function pageOfReceipts(
  db: Db,
  after: { readonly receipt_seq: number } | undefined,
  last: number,
) {
  return db.selectFrom("receipt")
    .select(["receipt_seq", "asset_id", "upload_id", "receipt_hash", "body"])
    .where("receipt_seq", ">", after?.receipt_seq ?? 0)
    .where("receipt_seq", "<=", last)
    .orderBy("receipt_seq")
    .limit(RECEIPT_PAGE)
    .execute();
}

export async function lastReceiptSeq(db: Db): Promise<number> {
  const row = await db.selectFrom("receipt")
    .select(({ fn }) => fn.max("receipt_seq").as("last"))
    .executeTakeFirst();
  return row?.last ?? 0;
}

export function pageOfBlobs(
  db: Db,
  after: { readonly hash: BlobHash } | undefined,
) {
  return db.selectFrom("blob")
    .leftJoin("lost_blob", "lost_blob.hash", "blob.hash")
    .select(["blob.hash", "blob.size", "lost_blob.is_damaged"])
    .where(sql<string>`blob.hash`, ">", after?.hash ?? "")
    .orderBy("blob.hash")
    .limit(PAGE)
    .execute();
}

/**
 * Whether a blob is referenced. Collection removes the file of an unreferenced
 * blob before its row, so the file may be missing at any time.
 */
export async function isHeld(db: Db, hash: BlobHash): Promise<boolean> {
  const { rows } = await sql<{ held: 0 | 1 }>`
    select ${promised(sql`${hash}`)} as held`.execute(db);
  return rows[0]?.held === 1;
}

/**
 * Which of these addresses may lie in the blob directory: they have a row, or
 * a session or write under way is about to give them one.
 */
export async function knownHashes(
  db: Db,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ hash: string }>`
    select value as hash from json_each(${JSON.stringify(hashes)}) as name
    where exists (select 1 from blob where hash = name.value)
      or ${expected(sql`name.value`)}`.execute(db);
  return new Set(rows.map(({ hash }) => hash));
}

/** Which of these are sessions or writes under way. */
export async function knownUploads(
  db: Db,
  uploadIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select value as id from json_each(${JSON.stringify(uploadIds)}) as name
    where exists (select 1 from upload where upload_id = name.value)
      or exists (select 1 from guest_upload where upload_id = name.value)
      or exists (select 1 from pending_blob where upload_id = name.value)
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}
