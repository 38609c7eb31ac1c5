/**
 * What a restore says of losses and of links that live again.
 *
 * @module
 */
import { counted } from "../../core/sizes.ts";
import { toRfc3339 } from "../../core/time.ts";
import type { Loss } from "../../features/backup/restored_blobs.ts";
import type { LiveLink } from "../../features/backup/store.ts";

const BECAUSE: Readonly<Record<Loss["because"], string>> = {
  missing: "missing in the backup",
  damaged: "damaged in the backup",
  unreadable: "the backup's disk cannot read it",
  before: "lost before the backup",
};

export function lossJson({ hash, size, because, holders }: Loss) {
  return {
    hash,
    size,
    because,
    holders: holders.map(({ owner_id, address, asset_id, role }) => ({
      owner_id,
      address,
      asset_id,
      role,
    })),
  };
}

export function lossLines({ hash, because, holders }: Loss): string[] {
  return holders.map(({ role, asset_id, owner_id, address }) =>
    `lost: ${role}` + (asset_id === null ? "" : ` of asset ${asset_id}`) +
    ` of ${address ?? owner_id}: ${hash} (${BECAUSE[because]})`
  );
}

export function linkJson(
  { opaque_id, user_id, created_at, expires_at }: LiveLink,
) {
  return {
    opaque_id,
    user_id,
    created_at: toRfc3339(created_at),
    expires_at: expires_at === null ? null : toRfc3339(expires_at),
  };
}

export function linkLines(
  kind: string,
  links: readonly LiveLink[],
  revoked: boolean,
): string[] {
  if (links.length === 0) return [];
  if (revoked) return [`${counted(links.length, kind)} revoked`];
  return [
    `${counted(links.length, kind)} live again, including those that ` +
    "were revoked since (--revoke-shares revokes all):",
    ...links.map(({ opaque_id, user_id, address, created_at, expires_at }) =>
      `  ${opaque_id}  of ${address ?? user_id}  since ` +
      toRfc3339(created_at) +
      (expires_at === null ? "" : `  until ${toRfc3339(expires_at)}`)
    ),
  ];
}
