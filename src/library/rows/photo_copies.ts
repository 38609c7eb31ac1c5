/**
 * A photo as people see it: the library's own asset and its copies in albums are
 * one, so deleting, restoring and purging it takes all of them.
 *
 * @module
 */
import type { AssetIndex } from "./asset_index.ts";
import type { Row } from "./rows.ts";
import type { Vault } from "../vault/vault.ts";

/** What is known of copies. */
interface CopiesContext {
  readonly vault: Pick<Vault, "session" | "libraryAlbumId">;
  readonly index: Pick<AssetIndex, "get" | "allByPlaintext">;
}

/**
 * The photo in this state with its own copies of the same state, the library's
 * own first. Two assets of the library with the same bytes are two photos: the
 * copies in albums stay as long as one of them does.
 */
export function wholeOf(
  { vault, index }: CopiesContext,
  assetId: string,
  state: Row["state"],
): readonly Row[] {
  const row = index.get(assetId);
  if (row?.state !== state) return [];
  const { metadata, owner } = row;
  if (owner !== vault.session.userId || metadata === undefined) return [row];
  const isCopy = isOutside(vault, row);
  const others = index.allByPlaintext(metadata.sha256).filter((one) =>
    one.id !== row.id && one.state === state && one.owner === owner &&
    one.metadata?.size === metadata.size
  );
  const own = others.filter((one) => !isOutside(vault, one));
  const copies = others.filter((one) => isOutside(vault, one));
  if (isCopy) return [...own, row, ...copies];
  return own.length > 0 ? [row] : [row, ...copies];
}

/**
 * What comes back of a photo in the trash: all of it, but for copies in albums
 * that have it again, which would show it twice. Those stay in the trash.
 */
export function returningOf(
  context: CopiesContext,
  assetId: string,
): readonly Row[] {
  const { vault, index } = context;
  return wholeOf(context, assetId, "deleted").filter((row) => {
    const { id, owner, album, metadata } = row;
    return id === assetId || !isOutside(vault, row) ||
      !index.allByPlaintext(metadata?.sha256 ?? "").some((one) =>
        one.state === "live" && one.album === album && one.owner === owner
      );
  });
}

/**
 * Whether lists of own photos show the row: of a photo in the library not the
 * copies in albums.
 */
export function standsForWhole(
  { vault, index }: CopiesContext,
  row: Row,
): boolean {
  if (!isOutside(vault, row)) return true;
  return !index.allByPlaintext(row.metadata?.sha256 ?? "").some((other) =>
    other.state === row.state && !isOutside(vault, other)
  );
}

/** Rows without the copies in albums of which the library's own are among them. */
export function photosAmong(
  vault: CopiesContext["vault"],
  rows: readonly Row[],
): readonly Row[] {
  const byPlaintext = Map.groupBy(rows, ({ metadata }) => metadata?.sha256);
  const index = {
    get: () => undefined,
    allByPlaintext: (sha256: string) => byPlaintext.get(sha256) ?? [],
  };
  return rows.filter((row) => standsForWhole({ vault, index }, row));
}

/** Whether a row is in an album rather than in the library. */
function isOutside(
  { libraryAlbumId }: CopiesContext["vault"],
  { album }: Row,
): boolean {
  return album !== undefined && album !== libraryAlbumId;
}
