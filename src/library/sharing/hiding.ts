/**
 * Who still sees photos that a person hides: hiding is for the person alone, and
 * what was shared before stays shared. Taking them out of where others see them.
 *
 * @module
 */
import { isOfEverything } from "../base/faults.ts";
import type { Library } from "../library.ts";
import { hasLinks, type Row } from "../rows/rows.ts";
import { isFollowing, isFrame } from "./link_notes.ts";

/** What of a library shows photos to others, and takes them out there. */
type Showing = Pick<
  Library,
  | "vault"
  | "index"
  | "albums"
  | "state"
  | "shares"
  | "shareContents"
  | "changeShare"
  | "keepShareAt"
  | "revokeShare"
  | "takeOutOf"
>;

/** An album that others see photos in. */
interface SeenInAlbum {
  /** Undefined if this device does not know it, or it has no title. */
  readonly title: string | undefined;
  /** The person's own assets there: those of others are not theirs to take. */
  readonly own: readonly string[];
}

/** A link that shows photos. */
interface SeenByLink {
  readonly opaqueId: string;
  readonly title: string | undefined;
  readonly isFrame: boolean;
  /** Whether it follows a list, and soon leaves hidden photos out. */
  readonly follows: boolean;
  /** Content addresses of the photos, also in items that cannot be read here. */
  readonly shown: readonly string[];
  /** The assets of what else it shows, also by items that cannot be read. */
  readonly others: readonly string[];
  /** Whether nothing else would stay in it. */
  readonly isAll: boolean;
}

/** Where others see photos. */
export interface StillSeen {
  readonly albums: readonly SeenInAlbum[];
  readonly links: readonly SeenByLink[];
  /** Whether there are links that this device cannot read. */
  readonly unread: boolean;
}

/**
 * Where others see photos: in albums that have other members, and by links and
 * picture frames, those that have expired too, because they can be prolonged.
 */
export async function stillSeen(
  library: Showing,
  assetIds: readonly string[],
): Promise<StillSeen> {
  const rows = wherever(library, assetIds);
  return {
    albums: albumsWith(library, rows),
    ...await linksWith(library, rows),
  };
}

/**
 * Takes photos out of where others see them, and says where they are seen yet.
 * What is hidden and only in an album is kept in the library; a link that shows
 * nothing else ends. What the server refuses does not stop the rest.
 */
export async function takeOutWhereSeen(
  library: Showing,
  assetIds: readonly string[],
): Promise<StillSeen> {
  const { albums, links } = await stillSeen(library, assetIds);
  const steps = [
    ...links.map((link) => () => takeFromLink(library, link)),
    ...albums.flatMap(({ own }) => own)
      .map((id) => () => library.takeOutOf([id])),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      if (isOfEverything(error) || !(error instanceof Error)) throw error;
    }
  }
  return await stillSeen(library, assetIds);
}

/** The photos, with all that the account put elsewhere of the same files. */
function wherever(
  { index, vault }: Showing,
  assetIds: readonly string[],
): readonly Row[] {
  const { userId } = vault.session;
  const found = assetIds.flatMap((id) => {
    const row = index.get(id);
    if (row === undefined) return [];
    const { owner, metadata } = row;
    if (owner !== userId || metadata === undefined) return [row];
    const same = index.allByPlaintext(metadata.sha256).filter((one) =>
      one.owner === userId && one.metadata?.size === metadata.size
    );
    return [row, ...same];
  });
  return [...new Map(found.map((row) => [row.id, row])).values()]
    .filter(({ state }) => state === "live");
}

function albumsWith(
  { albums, vault }: Showing,
  rows: readonly Row[],
): readonly SeenInAlbum[] {
  const { userId } = vault.session;
  const isSeen = (albumId: string) => {
    if (albumId === vault.libraryAlbumId) return false;
    // Others may be in one that this device does not know.
    const members = albums.get(albumId)?.members;
    return members?.some((one) => one.userId !== userId) ?? true;
  };
  const byAlbum = Map.groupBy(rows, ({ album }) => album);
  return [...byAlbum].flatMap(([id, there]) =>
    id === undefined || !isSeen(id) ? [] : [{
      title: albums.get(id)?.title,
      own: there.filter(({ owner }) => owner === userId).map(({ id }) => id),
    }]
  );
}

async function linksWith(
  library: Showing,
  rows: readonly Row[],
): Promise<Pick<StillSeen, "links" | "unread">> {
  const { index, state } = library;
  const blobs = new Set(rows.flatMap((row) => row.blobs.map((b) => b.hash)));
  const links: SeenByLink[] = [];
  let unread = false;
  if (!hasLinks(index)) return { links, unread };
  for (const link of await library.shares()) {
    const { opaque_id: opaqueId, metadata_hash: hash, title } = link;
    try {
      const contents = await library.shareContents(opaqueId, hash);
      const { items } = contents;
      // It may be in what this device cannot read.
      unread ||= contents.unread.length > 0;
      const shown = items.filter((item) => blobs.has(item.hash));
      const named = contents.unread.flatMap(({ named }) =>
        [...named].filter((one) => blobs.has(one))
      );
      if (shown.length + named.length === 0) continue;
      const stay = contents.unread.filter(({ named }) =>
        ![...named].some((one) => blobs.has(one))
      );
      links.push({
        opaqueId,
        title,
        isFrame: isFrame(state.held.links[opaqueId]),
        follows: isFollowing(state.held.links[opaqueId]),
        shown: [...new Set([...shown.map(({ hash }) => hash), ...named])],
        others: [
          ...new Set([
            ...items.flatMap(({ hash, assetId }) =>
              assetId === undefined || blobs.has(hash) ? [] : [assetId]
            ),
            ...stay.flatMap(({ assetIds }) => assetIds),
          ]),
        ],
        isAll: shown.length === items.length && stay.length === 0,
      });
    } catch (error) {
      if (isOfEverything(error) || !(error instanceof Error)) throw error;
      unread = true;
    }
  }
  return { links, unread };
}

async function takeFromLink(
  library: Showing,
  { opaqueId, follows, shown, others, isAll }: SeenByLink,
): Promise<void> {
  // It may be empty, and shows again what its list gets.
  if (follows) await library.keepShareAt(opaqueId, others);
  else if (isAll) await library.revokeShare(opaqueId);
  else await library.changeShare(opaqueId, { remove: shown });
}
