/**
 * What has had its time, and what references a blob after that: the predicates
 * of collection, as SQL (protocol/manifests.md#collection).
 *
 * @module
 */
import { type RawBuilder, sql } from "kysely";
import type { UploadId } from "../../core/ids.ts";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import { leftTrash, type TrashHorizon, trashHorizon } from "../trash.ts";
import type { Limits } from "../service_context.ts";

/** What a write notes before it places a blob counts for so long. */
const PENDING_MS = HOUR_MS;

/** The instants (ms) up to which things are old enough to go. */
export interface Horizon extends TrashHorizon {
  /** Of the last activity on an asset with unapplied blobs. */
  readonly idleUntil: number;
  /** Of the note of a pending blob, and of the bytes of a stray upload. */
  readonly strayUntil: number;
}

export function horizonAt(
  now: number,
  { trashMs, uploadTtlMs }: Pick<Limits, "trashMs" | "uploadTtlMs">,
): Horizon {
  return {
    ...trashHorizon(now, trashMs),
    idleUntil: now - Math.max(DAY_MS, uploadTtlMs),
    strayUntil: now - PENDING_MS,
  };
}

type Condition = RawBuilder<boolean>;

/**
 * Nothing has happened for long enough to an asset with unapplied blobs, it is
 * not in the trash, where it may be restored with what came for it there, and
 * no legal hold keeps them. Any session of the asset that is still there is
 * something that happens. Asked once an asset: it looks at all that is held.
 */
export function idleAsset(
  { now, idleUntil }: Horizon,
  ownerId: RawBuilder<unknown>,
  assetId: RawBuilder<unknown>,
): Condition {
  return sql`(not exists (select 1 from upload
      where upload.user_id = ${ownerId} and upload.asset_id = ${assetId}
        and upload.expires_at > ${now})
    and not exists (select 1 from holding as other
      where other.owner_id = ${ownerId} and other.asset_id = ${assetId}
        and other.finalized_at > ${idleUntil})
    and not exists (select 1 from asset
      where asset.asset_id = ${assetId} and asset.owner_id = ${ownerId}
        and (asset.held_at is not null or asset.state = 'deleted'
          or asset.updated_at > ${idleUntil})))`;
}

/**
 * A row of `holding` was never applied, or is kept no longer by the legal hold
 * that kept it, and its asset is idle.
 */
export function idleHolding(horizon: Horizon): Condition {
  const idle = idleAsset(
    horizon,
    sql`holding.owner_id`,
    sql`holding.asset_id`,
  );
  return sql`(holding.applied = 0 and ${idle})`;
}

/** What `referenced` says once collection has deleted all that is due. */
export function referencedAfter(
  hash: RawBuilder<unknown>,
  horizon: Horizon,
): Condition {
  return sql`(exists (select 1 from holding
      where holding.hash = ${hash} and not ${idleHolding(horizon)}
        and not exists (select 1 from asset
          where asset.asset_id = holding.asset_id
            and asset.owner_id = holding.owner_id
            and ${leftTrash(horizon)}))
    or exists (select 1 from upload where upload.ciphertext_hash = ${hash}
      and upload.state = 'open' and upload.expires_at > ${horizon.now})
    or exists (select 1 from guest_upload
      where guest_upload.ciphertext_hash = ${hash}
        and guest_upload.expires_at > ${horizon.now})
    or exists (select 1 from pending_blob where pending_blob.hash = ${hash}
      and pending_blob.noted_at > ${horizon.strayUntil}))`;
}

/** An upload of whatever kind that may still write or place its file. */
export function working(uploadId: UploadId): Condition {
  return sql`(exists (select 1 from upload
      where upload.upload_id = ${uploadId} and upload.state = 'open')
    or exists (select 1 from guest_upload
      where guest_upload.upload_id = ${uploadId})
    or exists (select 1 from pending_blob
      where pending_blob.upload_id = ${uploadId}))`;
}
