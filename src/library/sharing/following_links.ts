/**
 * Links that follow a list of the library: picture frames, and links that show
 * what comes later. Each device of the account that is open, and has the list,
 * brings them up to date.
 *
 * @module
 */
import { type KeptLink, present } from "../../client/documents/state.ts";
import { isInHand } from "../albums/album_rights.ts";
import { ConnectionError } from "../../client/api/transport.ts";
import { loaded } from "../base/lazy_loading.ts";
import type { Library } from "../library.ts";
import type { Row } from "../rows/rows.ts";
import { hiddenFiles, isHidden } from "../showing/hidden_files.ts";
import { LinkPacing } from "./link_pacing.ts";
import { type FollowedList, isFollowing, listOf } from "./link_notes.ts";
import { canBePlaceless } from "./placeless.ts";
import type { Bounds } from "./taking_remarks.ts";

/** Most photos of a frame, the newest first: it keeps all of them. */
const MOST_IN_FRAME = 5_000;
/** Most photos of a link: an index has no more items. */
const MOST_IN_LINK = 10_000;

/** What of a link decides which photos of its list it shows. */
type Gives = Pick<KeptLink, "gives">;

/**
 * The assets of a list that a link can show, newest first: no hidden photo,
 * whether hidden photos are locked here or not. Of a frame one of each stack.
 * Undefined if this device cannot tell what is in the list. `shown` is the
 * library, newest first, where it is at hand.
 */
export async function assetsOf(
  library: Library,
  list: FollowedList,
  { gives }: Gives = {},
  shown: () => readonly Row[] = () => library.list(),
): Promise<readonly string[] | undefined> {
  const isInList = membersOf(library, list);
  if (isInList === undefined) return undefined;
  const hidden = hiddenFiles(library);
  const rows = shown().filter((row) => isInList(row));
  const listed = gives === undefined ? await oneOfEach(library, rows) : rows;
  return listed
    .filter((row) =>
      isInHand(library, row) && !isHidden(library, row, hidden) &&
      // What was not restored is not shown in links, whatever the server says.
      !library.deletions.has(row.id) &&
      !library.deletions.isSaidRestored(row.id) &&
      (gives?.places === "kept" || canBePlaceless(row))
    )
    .slice(0, gives === undefined ? MOST_IN_FRAME : MOST_IN_LINK)
    .map(({ id }) => id);
}

function membersOf(
  library: Library,
  list: FollowedList,
): ((row: Row) => boolean) | undefined {
  const { albums, collections, flags } = library;
  switch (list.kind) {
    case "favourites":
      return (row) => flags.of(row).favourite === true;
    case "collection": {
      // One that was deleted has nothing in it.
      const within = new Set(collections.get(list.id)?.assets);
      return ({ id }) => within.has(id);
    }
    case "album": {
      const album = albums.get(list.id);
      if (album?.tombstoned === true) return () => false;
      // Not of an album that is frozen, or not known here yet.
      return album === undefined || album.fault !== undefined
        ? undefined
        : (row) => row.album === list.id;
    }
  }
}

async function oneOfEach(
  { state, vault }: Library,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const { stacked, wantsStacks } = await import("../showing/stacks.ts");
  return wantsStacks(state.held.settings)
    ? stacked(rows, (row) => row, vault.libraryAlbumId).tiles
    : rows;
}

/** For each library, when its links are changed. */
const paces = new WeakMap<Library, LinkPacing>();

/** For each library, the rounds that were asked for. */
const rounds = new WeakMap<Library, Promise<void>>();

/**
 * Brings the links up to date whose lists have changed, or of whose photos
 * guests said something; takes in what guests and viewers said. A device on
 * which hidden photos may be visible adds nothing to them (`keepShareAt`). Two
 * rounds of a library are one after the other. Throws ConnectionError; other
 * failures are tried again later.
 */
export function followLinks(library: Library, bounds?: Bounds): Promise<void> {
  const before = rounds.get(library) ?? Promise.resolve();
  const round = before.then(() => follow(library, bounds));
  rounds.set(library, round.catch(() => {}));
  return round;
}

async function follow(library: Library, bounds?: Bounds): Promise<void> {
  const { saidBy, takeRemarks } = await loaded(import("./guest_remarks.ts"));
  const { keepViewerLinks } = await loaded(import("./viewer_links.ts"));
  try {
    await keepViewerLinks(library, await takeRemarks(library, bounds));
  } catch (error) {
    // What a later round takes in keeps no photo from a link.
    if (error instanceof ConnectionError) throw error;
  }
  const { now } = library.vault.session.platform;
  const pacing = paces.get(library) ?? new LinkPacing(now);
  paces.set(library, pacing);
  let indexes: ReadonlyMap<string, string> | undefined;
  // It sorts all photos: once, however many links there are.
  let rows: readonly Row[] | undefined;
  const shown = () => rows ??= library.list();
  for (const [opaqueId, link] of present(library.state.held.links)) {
    const said = saidBy(library, opaqueId);
    const isStill = said !== undefined && link.gives?.still === true;
    const list = isFollowing(link) ? listOf(link.follows) : undefined;
    if (list === undefined && !isStill) continue;
    const assets = list === undefined
      ? []
      : await assetsOf(library, list, link, shown);
    if (assets === undefined) continue;
    // Once it is known what is hidden, the link gets what was held back.
    const heads = [
      library.trust.mayMissHidden,
      JSON.stringify(link.gives),
      JSON.stringify([said?.reacts, ...said?.remarks ?? []]),
      ...assets.map((id) => `${id} ${library.index.get(id)?.head}`),
    ].join();
    const remarks = [...said?.remarks.values() ?? []].flat();
    const photos = {
      shown: [...assets, ...remarks.map(({ id }) => id)],
      heads,
    };
    indexes ??= indexesOf(library);
    if (!pacing.isDue(opaqueId, photos, indexes.get(opaqueId))) continue;
    try {
      const links = await library.shares();
      const isThere = links.some((one) => one.opaque_id === opaqueId);
      const isChanged = isThere && await library.keepShareAt(
        opaqueId,
        list === undefined ? "as_shown" : assets,
        said,
      );
      indexes = indexesOf(library);
      rows = undefined;
      pacing.settled(opaqueId, photos, isChanged, indexes.get(opaqueId));
    } catch (error) {
      // Another device changes it at this moment, or the server refuses it: a
      // later round looks again.
      pacing.failed(opaqueId);
      if (error instanceof ConnectionError) throw error;
    }
  }
}

/** The indexes of each link that are in the library, by the links' ids. */
function indexesOf({ index }: Library): ReadonlyMap<string, string> {
  const indexes = new Map<string, string>();
  for (const { id, metadata } of index.rows()) {
    const link = metadata?.link;
    if (link === undefined) continue;
    indexes.set(link, `${indexes.get(link) ?? ""} ${id}`);
  }
  return indexes;
}
