/**
 * Who needs a blob, as SQL over a row's hash: collection, backups and checks
 * ask the same of it.
 *
 * @module
 */
import { type RawBuilder, sql } from "kysely";
import type { AssetId, BlobHash, UserId } from "../core/ids.ts";
import type { Db } from "../store/sqlite/database.ts";

type Hash = RawBuilder<unknown>;
type Condition = RawBuilder<boolean>;

/** An asset or a guest's file has the blob, so its bytes were promised. */
export function promised(hash: Hash): Condition {
  return sql`(exists (select 1 from holding where holding.hash = ${hash})
    or exists (select 1 from guest_upload
      where guest_upload.ciphertext_hash = ${hash}
        and guest_upload.state = 'finalized'))`;
}

/**
 * The blob may come, or has come and is not anybody's yet: an open session, a
 * guest's session or contribution, or a note of a write under way names it.
 */
export function expected(hash: Hash): Condition {
  return sql`(exists (select 1 from upload
      where upload.ciphertext_hash = ${hash} and upload.state = 'open')
    or exists (select 1 from guest_upload
      where guest_upload.ciphertext_hash = ${hash})
    or exists (select 1 from pending_blob where pending_blob.hash = ${hash}))`;
}

/**
 * The blob is in use, or may soon be: a committed row precedes each placing of
 * a blob, be it an open session, a guest's or a note. Without such a row, the
 * blob has to be placed again before anything can use it.
 */
export function referenced(hash: Hash): Condition {
  return sql`(exists (select 1 from holding where holding.hash = ${hash})
    or ${expected(hash)})`;
}

/** An asset that holds an earlier manifest. */
export interface Holder {
  readonly owner_id: UserId;
  readonly asset_id: AssetId;
  readonly chain_head: BlobHash;
  readonly size: number;
}

/**
 * The assets that hold a blob, if it is an earlier manifest to each of them;
 * none if anybody needs it for anything else, be it in the trash, for a legal
 * hold or for what is taken down.
 */
export async function historyOf(
  db: Db,
  hash: BlobHash,
): Promise<readonly Holder[]> {
  const { rows } = await sql<Holder & { readonly is_history: 0 | 1 }>`
    select holding.owner_id, holding.asset_id, asset.chain_head, holding.size,
      coalesce(
        role = 'provenance' and applied = 1 and asset.state = 'live'
          and asset.chain_head <> holding.hash and asset.held_at is null
          and asset.withheld_at is null
          and not exists (select 1 from guest_upload
            where guest_upload.ciphertext_hash = holding.hash),
        0
      ) as is_history
    from holding
    left join asset on asset.asset_id = holding.asset_id
      and asset.owner_id = holding.owner_id
    where holding.hash = ${hash}
  `.execute(db);
  return rows.every(({ is_history }) => is_history === 1) ? rows : [];
}
