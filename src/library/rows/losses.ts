/**
 * Own photos that are no longer at the server. One that this account deleted is
 * forgotten. Any other stays as a row, until it is stored again or the person
 * gives it up: `missing`, or `removed` if it was in someone else's album, whose
 * owner may delete any photo in it.
 *
 * @module
 */
import { chunks } from "../../core/chunks.ts";
import { toRfc3339 } from "../../core/time.ts";
import { isFile } from "../../client/documents/metadata.ts";
import type { Albums } from "../albums/albums.ts";
import type { AssetIndex } from "./asset_index.ts";
import type { Deletions } from "../trust/deletions.ts";
import type { Opener } from "./opening.ts";
import {
  isBroken,
  isRolledBack,
  ownBlobs,
  type Row,
  triedAgain,
} from "./rows.ts";

/** Assets that the server is asked about at once. */
const ASKED_AT_ONCE = 50;

/** What judging works with. */
export interface LossContext {
  readonly opener: Opener;
  readonly index: AssetIndex;
  readonly albums: Albums;
  readonly deletions: Deletions;
}

/** What a pass of the feed finds. */
export interface LossReport {
  /** Own assets that are missing from now on. */
  readonly missing: Set<string>;
  /** Own assets that the owners of their albums deleted. */
  readonly removed: Set<string>;
  /** Deleted assets that were seen to be gone. */
  readonly gone: Set<string>;
}

/** Handles an own asset that the server does not have any more. */
export async function goneAtServer(
  context: LossContext,
  row: Row,
  report: LossReport,
  where: "gone" | "in the trash" = "gone",
): Promise<void> {
  const { index, deletions, opener } = context;
  const { platform } = opener.vault.session;
  // The device that deleted it noted that before it asked the server.
  if (!deletions.has(row.id)) await deletions.read();
  if (deletions.has(row.id)) {
    if (where === "in the trash") return;
    report.gone.add(row.id);
    return index.remove(row.id);
  }
  // An index of a link is no photo, and is replaced whenever the link changes.
  if (row.metadata !== undefined && !isFile(row.metadata)) {
    return where === "gone" ? index.remove(row.id) : undefined;
  }
  if (row.state === "removed") return index.put(row);
  if (isInOthersAlbum(context, row)) {
    report.removed.add(row.id);
    return index.put({ ...row, state: "removed" });
  }
  const again = triedAgain(row, platform.now());
  if (row.state === "missing") return index.put({ ...row, ...again });
  report.missing.add(row.id);
  index.put({
    ...row,
    state: "missing",
    custody: "missing",
    custody_at: toRfc3339(platform.now()),
    ...again,
  });
}

/**
 * Handles an own asset that was fetched, if the server shows it in the trash.
 * The trash is this account's alone: an asset that was not there before, and
 * that nothing of the account put there, is missing, as one that is gone.
 */
export async function foundInTrash(
  context: LossContext,
  id: string,
  before: Row | undefined,
  report: LossReport,
): Promise<void> {
  const { opener, index, deletions } = context;
  const row = index.get(id);
  const { userId } = opener.vault.session;
  if (row?.state !== "deleted" || row.owner !== userId) return;
  await deletions.backInTrash([id]);
  if (before === undefined || before.state === "deleted") return;
  // One that was missing stays so.
  const was = before.state === "missing" || before.state === "removed"
    ? before.state
    : row.state;
  await goneAtServer(context, { ...row, state: was }, report, "in the trash");
}

/** Handles an entry that says that an asset was deleted for ever. */
export async function purged(
  context: LossContext,
  row: Row | undefined,
  report: LossReport,
): Promise<void> {
  const { index, opener } = context;
  if (row === undefined) return;
  if (row.owner !== opener.vault.session.userId) index.remove(row.id);
  else await goneAtServer(context, row, report);
}

/**
 * Notes own assets of which the server says that it lost a blob. It is asked
 * whether that is still so: by now a device may have given the blob back. The
 * next check asks what is wrong.
 */
export async function noteDamage(
  { index, opener }: LossContext,
  ids: Iterable<string>,
): Promise<void> {
  const { account, userId } = opener.vault.session;
  const rows = [...ids].flatMap((id) => index.get(id) ?? []).filter((row) =>
    row.owner === userId && row.state === "live" && !isBroken(row)
  );
  for (const some of chunks(rows, ASKED_AT_ONCE)) {
    const asked = some.map((row) => ({
      asset_id: row.id,
      blob_hashes: ownBlobs(row).map(({ hash }) => hash),
    }));
    const verdicts = await account.verifyStorage(asked);
    for (const [i, row] of some.entries()) {
      const isWhole = verdicts[i]?.blobs.every((blob) => blob.retrievable);
      if (!isWhole) index.put({ ...row, custody: "damaged" });
    }
  }
}

/**
 * Whether an asset is in an album whose verified roster is someone else's, also
 * if the account is no longer in it. What is in the library or in an own album
 * no one else may delete.
 */
function isInOthersAlbum(
  { albums, opener }: LossContext,
  { album }: Row,
): boolean {
  const { libraryAlbumId, session } = opener.vault;
  if (album === undefined || album === libraryAlbumId) return false;
  const owner = albums.ownerOf(album);
  return owner !== undefined && owner !== session.userId;
}

/** Own photos that the server lost or denies, or of which it shows an older
 * version. */
export function lostRows(index: AssetIndex, userId: string): readonly Row[] {
  return [...index.rows()].filter((row) =>
    row.owner === userId && (row.state === "missing" || isRolledBack(row))
  );
}

/** Own live photos of which the server lost or damaged a blob. */
export function brokenRows(index: AssetIndex, userId: string): readonly Row[] {
  return [...index.rows()].filter((row) =>
    row.owner === userId && row.state === "live" && isBroken(row) &&
    !isRolledBack(row)
  );
}

/**
 * Own assets with these bytes, in the library and in albums, that the server
 * lost or of which it lost or damaged a blob.
 */
export function lostOf(
  index: AssetIndex,
  userId: string,
  sha256: string,
): readonly Row[] {
  return index.allByPlaintext(sha256).filter((row) =>
    row.owner === userId &&
    (row.state === "missing" || (row.state === "live" && isBroken(row)))
  );
}
