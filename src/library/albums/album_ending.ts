/**
 * Taking photos out of albums, and ending an own album without losing photos:
 * those that are only in the album go into the library first.
 *
 * @module
 */
import { ApiProblem } from "../../client/api/api.ts";
import type { Albums } from "./albums.ts";
import { noteTakenOut } from "./filling.ts";
import type { SharedState } from "../vault/shared_state.ts";
import { movedRow } from "../adding/asset_state.ts";
import { copyInto } from "../adding/copies.ts";
import { isOfEverything } from "../base/faults.ts";
import type { PhotoFlags } from "../showing/flags.ts";
import type { UploadContext } from "../adding/upload.ts";
import { inParallel } from "../base/parallel.ts";
import { isBroken, isUnopened, type Row } from "../rows/rows.ts";

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
 * Takes photos out of their album. Hidden ones that are only there go into the
 * library first: the trash shows what is hidden, and lets go of it. Throws
 * ApiProblem for someone else's photos in someone else's album.
 */
export async function takeOutOf(
  { context, flags, state }: Pick<Ending, "context" | "flags"> & {
    readonly state: SharedState;
  },
  assetIds: readonly string[],
): Promise<void> {
  const { index, vault } = context;
  const rows = assetIds.flatMap((id) => index.get(id) ?? []);
  // Before: a device that hears that one is gone must not add it again.
  await noteTakenOut({ state, vault }, rows);
  await inParallel(assetIds, AT_ONCE, async (id) => {
    const row = index.get(id);
    if (row === undefined) return;
    const isOwn = row.owner === context.vault.session.userId;
    if (isOwn && row.state === "live" && flags.of(row).hidden) {
      await intoLibrary({ context, flags }, row);
    }
    await takeOut(context, row);
  });
  await index.commit();
}

/**
 * Takes all own photos out of someone else's album, before the person leaves it:
 * each goes into the library with its marks, unless it is there. Returns the
 * number of those that cannot be read here, which stay in the album. Throws
 * ApiProblem where the album's owner lets this account delete nothing.
 */
export async function takeOwnAlong(
  { context, flags }: Pick<Ending, "context" | "flags">,
  albumId: string,
): Promise<number> {
  const { index, vault } = context;
  const own = [...index.rows()].filter(({ album, owner, state }) =>
    album === albumId && owner === vault.session.userId && state === "live"
  );
  const readable = own.filter((row) => !isUnopened(row) && !isBroken(row));
  await inParallel(readable, AT_ONCE, async (row) => {
    await intoLibrary({ context, flags }, row);
    await takeOut(context, row);
  });
  await index.commit();
  return own.length - readable.length;
}

/** The parts of a library that ending an album needs. */
interface Ending {
  readonly context: UploadContext;
  readonly albums: Albums;
  readonly flags: PhotoFlags;
  readonly sync: () => Promise<unknown>;
}

/**
 * Ends an album: everybody else is shut out, own photos that are nowhere else
 * go into the library with their marks, and all photos leave the album.
 */
export async function discardAlbum(
  { context, albums, flags, sync }: Ending,
  albumId: string,
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
      if (await intoLibrary({ context, flags }, row)) kept += 1;
    }
    await takeOut(context, row);
  });
  // What was said of them goes with the album.
  const said = index.apart().filter(({ album }) => album === albumId);
  await inParallel(said, AT_ONCE, (row) => dropApart(context, row));
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

/** Copies an own photo into the library with its marks; whether it was new. */
async function intoLibrary(
  { context, flags }: Pick<Ending, "context" | "flags">,
  row: Row,
): Promise<boolean> {
  const into = context.vault.libraryAlbumId;
  const { outcome, row: copy } = await copyInto(context, row, into);
  if (outcome !== "kept") return false;
  // Otherwise the timeline would show a hidden photo.
  const marks = flags.of(row);
  if (Object.values(marks).includes(true)) {
    await flags.change([copy.id], marks);
  }
  return true;
}

/**
 * Moves a photo to the trash. It is deleted for ever only if the library has an
 * own copy of it, and the server has just confirmed every blob of that copy.
 */
async function takeOut(context: UploadContext, row: Row): Promise<void> {
  const { index, vault, deletions } = context;
  const { account, userId } = vault.session;
  const duplicate = row.owner === userId
    ? await duplicateOf(context, row)
    : undefined;
  // A photo that stays in the library was not thrown away.
  const { metadata: _, ...bare } = row;
  await deletions.record([duplicate === undefined ? row : bare]);
  if (row.state === "live") {
    index.put(movedRow(row, await account.deleteAsset(row.id)));
  }
  if (duplicate === undefined || !await isThere(context, duplicate)) return;
  try {
    await account.purgeAsset(row.id);
    index.remove(row.id);
  } catch (error) {
    // The operator holds it: it stays in the trash.
    if (!(error instanceof ApiProblem)) throw error;
  }
}

/** Deletes what is in an album and no photo; others' goes to their trash. */
async function dropApart(context: UploadContext, row: Row): Promise<void> {
  const { index, vault, deletions } = context;
  const { account, userId } = vault.session;
  const { metadata: _, ...bare } = row;
  await deletions.record([bare]);
  try {
    if (row.state === "live") await account.deleteAsset(row.id);
    if (row.owner === userId) await account.purgeAsset(row.id);
    index.remove(row.id);
  } catch (error) {
    // The operator holds it, or it is gone: the others go nevertheless.
    if (!(error instanceof ApiProblem) || isOfEverything(error)) throw error;
  }
}

/** The own copy of a photo in the library, as this device knows it. */
function duplicateOf(
  { index, vault }: UploadContext,
  row: Row,
): Row | undefined {
  const { metadata } = row;
  if (metadata === undefined) return undefined;
  return index.allByPlaintext(metadata.sha256).find((one) =>
    one.id !== row.id && one.state === "live" && one.fault === undefined &&
    one.album === vault.libraryAlbumId && one.owner === row.owner &&
    !isBroken(one)
  );
}

/**
 * Whether the server has all of an asset, asked just now: this device's index
 * may be older than what another device did.
 */
async function isThere(
  { vault }: UploadContext,
  row: Row,
): Promise<boolean> {
  const { account } = vault.session;
  try {
    const { state, chain_head: head, blobs } = await account.asset(row.id);
    if (state !== "live" || head !== row.head) return false;
    const hashes = row.blobs.map(({ hash }) => hash);
    const has = new Set(blobs.map(({ hash }) => hash));
    if (!hashes.every((hash) => has.has(hash))) return false;
    const asked = [{ asset_id: row.id, blob_hashes: hashes }];
    const [verdict] = await account.verifyStorage(asked);
    const seen = new Map(verdict?.blobs.map((blob) => [blob.hash, blob]));
    return verdict?.asset_id === row.id && verdict.durable &&
      hashes.every((hash) => {
        const blob = seen.get(hash);
        return blob?.stored === true && blob.indexed && blob.retrievable;
      });
  } catch (error) {
    if (isOfEverything(error)) throw error;
    return false;
  }
}
