/**
 * Derivatives that an asset lets go of with a manifest, because an edit replaced
 * them (protocol/manifests.md#releases).
 *
 * @module
 */
import { z } from "zod";
import type { FieldError } from "../../core/catalogue.ts";
import type { AssetId, BlobHash, UserId } from "../../core/ids.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { blobHash } from "../../wire/bodies/fields.ts";
import type { Call } from "../call.ts";
import { type HeldBlob, listHoldings } from "./store.ts";

/** A manifest releases at most so many. */
const RELEASES_MAX = 16;

/**
 * What contradicts itself in a list of released derivatives: too many of them,
 * one twice, or one that the same request brings.
 */
export function contradictoryReleases(
  releases: readonly BlobHash[],
  brought: readonly (BlobHash | null | undefined)[],
): FieldError[] {
  if (releases.length > RELEASES_MAX) {
    const message = `must be at most ${RELEASES_MAX}`;
    return [{ path: "/releases", message }];
  }
  return releases.flatMap((hash, index) => {
    const message = releases.indexOf(hash) < index
      ? "is named before"
      : brought.includes(hash)
      ? "comes with this request"
      : undefined;
    return message === undefined ? [] : [at(index, message)];
  });
}

/** The released blobs; refuses what is no derivative that the asset holds. */
export async function requireReleased(
  { raise }: Call<"error.manifest.mismatch">,
  db: Db,
  { ownerId, assetId, releases }: {
    readonly ownerId: UserId;
    readonly assetId: AssetId;
    readonly releases: readonly BlobHash[];
  },
): Promise<readonly HeldBlob[]> {
  if (releases.length === 0) return [];
  const held = (await listHoldings(db, ownerId, assetId))
    .filter(({ role, applied }) => role === "derivative" && applied === 1);
  const errors = releases.flatMap((hash, index) =>
    held.some((one) => one.hash === hash)
      ? []
      : [at(index, "is not a derivative of this asset")]
  );
  if (errors.length > 0) {
    throw raise("error.manifest.mismatch", { extra: { errors } });
  }
  return held.filter(({ hash }) => releases.includes(hash));
}

function at(index: number, message: string): FieldError {
  return { path: `/releases/${index}`, message };
}

/** A list of releases as an upload session keeps it; null for none. */
export function storedReleases(
  releases: readonly BlobHash[] | null | undefined,
): string | null {
  return (releases ?? []).length === 0 ? null : JSON.stringify(releases);
}

/** The list that {@link storedReleases} kept. */
export function readReleases(stored: string | null): readonly BlobHash[] {
  return stored === null ? [] : z.array(blobHash).parse(JSON.parse(stored));
}
