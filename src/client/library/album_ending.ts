/**
 * Taking photos out of albums, and ending an album of one's own without losing
 * any: what lies in the album alone goes into the library first.
 *
 * @module
 */
import { ApiProblem } from "../api.ts";
import type { Albums } from "./albums.ts";
import { copyInto } from "./copies.ts";
import type { IntakeContext } from "./intake.ts";
import { inParallel } from "./parallel.ts";
import type { Row } from "./rows.ts";

/** What became of an album. */
export interface Discarded {
  /**
   * Photos that others added lie in their trash still, and the album ends when
   * they have left it: call again then.
   */
  readonly ended: boolean;
  /** Photos that went into the library, because they lay in the album alone. */
  readonly kept: number;
}

const AT_ONCE = 4;

/**
 * Takes photos out of the album that they are in. Throws ApiProblem where they
 * are another's, in another's album.
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
 * Ends an album: everybody else is shut out, photos of one's own that lie
 * nowhere else go into the library, and all leave the album.
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
  // What others added just now comes first.
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

/** Into the trash; a copy of what the library has needs no second chance. */
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
      // Held back by the operator: it stays in the trash.
      if (!(error instanceof ApiProblem)) throw error;
    }
  }
  if (asset !== undefined) {
    index.put({ ...row, state: asset.state, seq: asset.sync_seq });
  }
}
