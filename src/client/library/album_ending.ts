/**
 * Taking photos out of albums, and ending an own album without losing photos:
 * those that are only in the album go into the library first.
 *
 * @module
 */
import { ApiProblem } from "../api.ts";
import type { Albums } from "./albums.ts";
import { copyInto } from "./copies.ts";
import type { IntakeContext } from "./intake.ts";
import { inParallel } from "./parallel.ts";
import type { Row } from "./rows.ts";

/** The outcome of ending an album. */
export interface Discarded {
  /**
   * False while photos that others added are still in their trash. Call again
   * once they have left it.
   */
  readonly ended: boolean;
  /**
   * Number of photos that went into the library because they were only in the
   * album.
   */
  readonly kept: number;
}

const AT_ONCE = 4;

/**
 * Takes photos out of their album. Throws ApiProblem for somebody else's photos
 * in somebody else's album.
 */
export async function takeOutOf(
  context: IntakeContext,
  assetIds: readonly string[],
): Promise<void> {
  const { index } = context;
  await inParallel(assetIds, AT_ONCE, async (id) => {
    const row = index.get(id);
    if (row !== undefined) await takeOut(context, row);
  });
  await index.commit();
}

/**
 * Ends an album: everybody else is shut out, own photos that are nowhere else
 * go into the library, and all photos leave the album.
 */
export async function discardAlbum(
  context: IntakeContext,
  albums: Albums,
  albumId: string,
  sync: () => Promise<unknown>,
): Promise<Discarded> {
  const { index, vault } = context;
  const { userId } = vault.session;
  await albums.shutOutAll(albumId);
  // Fetches what others added just before they were shut out.
  await sync();
  const rows = [...index.rows()].filter(({ album }) => album === albumId);
  let kept = 0;
  await inParallel(rows, AT_ONCE, async (row) => {
    if (row.state === "live" && row.owner === userId) {
      const into = vault.libraryAlbumId;
      const { outcome } = await copyInto(context, row, into);
      if (outcome === "kept") kept += 1;
    }
    await takeOut(context, row);
  });
  await index.commit();
  try {
    await albums.end(albumId);
    return { ended: true, kept };
  } catch (error) {
    const waits = error instanceof ApiProblem &&
      error.code === "error.album.not_empty";
    if (!waits) throw error;
    return { ended: false, kept };
  }
}

/**
 * Moves a photo to the trash; a copy of a photo in the library is deleted for
 * ever.
 */
async function takeOut(context: IntakeContext, row: Row): Promise<void> {
  const { index, vault } = context;
  const { account, userId } = vault.session;
  const asset = row.state === "live"
    ? await account.deleteAsset(row.id)
    : undefined;
  const twin = row.metadata === undefined
    ? undefined
    : index.byPlaintext(row.metadata.sha256, vault.libraryAlbumId);
  if (row.owner === userId && twin !== undefined && twin.id !== row.id) {
    try {
      await account.purgeAsset(row.id);
      index.remove(row.id);
      return;
    } catch (error) {
      // The operator holds it: it stays in the trash.
      if (!(error instanceof ApiProblem)) throw error;
    }
  }
  if (asset !== undefined) {
    index.put({ ...row, state: asset.state, seq: asset.sync_seq });
  }
}
