/**
 * Making an album of a private collection, when the first person is invited:
 * until then its photos are in the library alone, and take no room twice.
 *
 * @module
 */
import { ApiProblem } from "../../client/api/api.ts";
import type { AlbumInfo } from "../../client/documents/album_keys.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { keepAlbumPlace } from "./album_places.ts";
import { openFavouriteAlbums } from "./favourite_albums.ts";
import { hiddenFiles, isHidden } from "../showing/hidden_files.ts";
import type { Library } from "../library.ts";
import { inParallel } from "../base/parallel.ts";
import { assertHiddenKnown } from "../trust/trust.ts";

/** The album that was made. */
interface MadeAlbum {
  readonly id: string;
  /** Number of photos that could not be copied into it. */
  readonly failed: number;
}

const AT_ONCE = 4;

/**
 * Makes an album with the live photos of a collection, which goes once all of
 * them are in the album and stays if one could not be copied. Hidden photos stay
 * in the collection: the people of an album would see them. The album of a
 * favourite is one, too, and has the collection's place in the order by hand.
 * Throws UnconfirmedState as long as photos hidden elsewhere may be among them.
 */
export async function albumOfCollection(
  library: Pick<
    Library,
    | "albums"
    | "collections"
    | "copyInto"
    | "flags"
    | "index"
    | "state"
    | "trust"
    | "vault"
  >,
  collectionId: string,
  info: Omit<AlbumInfo, "title">,
  now: () => number,
): Promise<MadeAlbum> {
  await assertHiddenKnown(library);
  const { albums, collections, index } = library;
  const collection = collections.get(collectionId);
  if (collection === undefined) {
    throw new DocumentError(`no collection ${collectionId}`);
  }
  const { title, assets } = collection;
  const { id } = await albums.create({ ...info, title });
  const favourites = openFavouriteAlbums(library.state, now);
  if (favourites.has(collectionId)) await favourites.change(id, true);
  await keepAlbumPlace(library.state, collectionId, id, now());
  const files = hiddenFiles(library);
  const open = assets.filter((asset) => {
    const row = index.get(asset);
    return row === undefined || !isHidden(library, row, files);
  });
  const live = open.filter((asset) => index.get(asset)?.state === "live");
  let failed = 0;
  await inParallel(live, AT_ONCE, async (asset) => {
    try {
      await library.copyInto(asset, id);
    } catch (error) {
      const isOwn = error instanceof DocumentError ||
        (error instanceof ApiProblem && error.status === 404);
      if (!isOwn) throw error;
      failed += 1;
    }
  });
  if (failed === 0) {
    const isAll = open.length === assets.length;
    if (isAll) await collections.remove(collectionId);
    else await collections.takeOut(collectionId, open);
  }
  return { id, failed };
}
