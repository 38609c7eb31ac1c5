/**
 * The vault's calls about private collections, which only the account's own
 * devices know.
 *
 * @module
 */
import { albumOfCollection } from "../../../library/albums/collection_album.ts";
import {
  type FavouriteAlbums,
  openFavouriteAlbums,
} from "../../../library/albums/favourite_albums.ts";
import {
  hiddenFiles,
  isHidden,
} from "../../../library/showing/hidden_files.ts";
import { isShown, type Row } from "../../../library/rows/rows.ts";
import { whereWhen } from "../../../library/finding/where_when.ts";
import { ownName } from "../vault/own_name.ts";
import type { CollectionPage } from "./albums/album_cards.ts";
import type { VaultContext } from "../vault/context.ts";
import { nounOfRows } from "./photo_table.ts";
import { namesFor } from "../finding/place_names.ts";

/** The photos of a collection that lists show, in its order. */
export function shownOf(
  context: VaultContext,
  assets: readonly string[],
): readonly Row[] {
  return assets.flatMap((id) => {
    const row = context.opened().index.get(id);
    return row !== undefined && isShown(row) && !context.view().isShut(row)
      ? [row]
      : [];
  });
}

/**
 * Where and when photos were taken. The places follow once their names are here;
 * pages are told then.
 */
export function takenOf(context: VaultContext, rows: readonly Row[]) {
  const names = namesFor(rows, context.view().changed);
  return whereWhen(rows, names);
}

/** The account's favourites among albums and collections. */
export function favouritesOf(context: VaultContext): FavouriteAlbums {
  return openFavouriteAlbums(context.opened().state, context.platform.now);
}

/** The calls of the group `collections`. */
export function collectionCalls(context: VaultContext) {
  const changing = async <T>(change: () => Promise<T>): Promise<T> => {
    const made = await change();
    context.changed();
    return made;
  };
  const lists = () => context.opened().collections;
  return {
    /** One collection; undefined if there is none with this id. */
    page(id: string): CollectionPage | undefined {
      const found = lists().get(id);
      if (found === undefined) return undefined;
      const shown = shownOf(context, found.assets);
      const noun = nounOfRows(shown);
      const taken = takenOf(context, shown);
      const favourite = favouritesOf(context).has(id);
      const files = hiddenFiles(context.opened());
      const open =
        shown.filter((row) => !isHidden(context.opened(), row, files)).length;
      const { title } = found;
      return { id, title, favourite, count: shown.length, open, noun, taken };
    },
    create: (title: string, assets: readonly string[] = []) =>
      changing(async () => (await lists().create(title, assets)).id),
    rename: (id: string, title: string) =>
      changing(() => lists().rename(id, title)),
    add: (id: string, assets: readonly string[]) =>
      changing(() => lists().add(id, assets)),
    takeOut: (id: string, assets: readonly string[]) =>
      changing(() => lists().takeOut(id, assets)),
    /** Moves photos to the beginning of the list, in the given order. */
    moveFirst: (id: string, assets: readonly string[]) =>
      changing(() => {
        const moved = new Set(assets);
        const before = lists().get(id)?.assets.find((one) => !moved.has(one));
        return lists().move(id, assets, before);
      }),
    remove: (id: string) => changing(() => lists().remove(id)),
    /** Makes an album of it, so that people can be invited. */
    toAlbum: (id: string) =>
      changing(async () =>
        await albumOfCollection(
          context.opened(),
          id,
          await ownName(context),
          context.platform.now,
        )
      ),
  };
}
