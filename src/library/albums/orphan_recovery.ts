/**
 * Own photos that depend on someone else: those in an album that the account
 * is no longer in, and those that the owner of an album put into the trash.
 * They go into the library, as long as this device has their keys.
 *
 * @module
 */
import { ApiProblem } from "../../client/api/api.ts";
import { isOfEverything } from "../base/faults.ts";
import type { Library } from "../library.ts";
import { inParallel } from "../base/parallel.ts";
import { isBroken, type Row } from "../rows/rows.ts";

/** What became of own photos. */
export interface BroughtHome {
  /** Assets that were made in the library. */
  readonly kept: readonly string[];
  /** Assets that could not be copied, and why. */
  readonly failed: ReadonlyMap<string, Error>;
}

const AT_ONCE = 4;

/**
 * Copies own photos into the library: those of the albums that are given, or of
 * those that the account is no longer in. What the library has, or has in its
 * trash, is left alone, and nothing is deleted.
 */
export async function bringHome(
  { index, albums, vault, copyInto }: Pick<
    Library,
    "index" | "albums" | "vault" | "copyInto"
  >,
  albumIds?: readonly string[],
): Promise<BroughtHome> {
  const { libraryAlbumId: own, session: { userId } } = vault;
  const isMeant = ({ album }: Row) =>
    album !== undefined && album !== own &&
    (albumIds?.includes(album) ?? albums.get(album) === undefined);
  const isAlsoOwn = (sha256: string) =>
    index.allByPlaintext(sha256).some(({ album, state }) =>
      album === own && (state === "live" || state === "deleted")
    );
  const lonely = [...index.rows()].filter((row) =>
    row.owner === userId && row.state === "live" && isMeant(row) &&
    !isBroken(row) && row.metadata !== undefined &&
    !isAlsoOwn(row.metadata.sha256)
  );
  const kept: string[] = [];
  const failed = new Map<string, Error>();
  await inParallel(lonely, AT_ONCE, async ({ id }) => {
    try {
      const { outcome, row } = await copyInto(id, own);
      if (outcome === "kept") kept.push(row.id);
    } catch (error) {
      if (!(error instanceof Error) || isOfEverything(error)) throw error;
      failed.set(id, error);
    }
  });
  await index.commit();
  return { kept, failed };
}

/**
 * Restores an asset from the trash. An own one that someone else put there,
 * which only they may restore, is copied into the library instead.
 */
export async function restoreOrCopy(
  { index, vault, restore, copyInto }: Pick<
    Library,
    "index" | "vault" | "restore" | "copyInto"
  >,
  assetId: string,
): Promise<"restored" | "copied"> {
  try {
    await restore(assetId);
    return "restored";
  } catch (error) {
    const isOthers = error instanceof ApiProblem &&
      error.code === "error.album.role_forbidden" &&
      index.get(assetId)?.owner === vault.session.userId;
    if (!isOthers) throw error;
  }
  await copyInto(assetId, vault.libraryAlbumId);
  return "copied";
}
