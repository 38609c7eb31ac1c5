/**
 * The vault's calls about all albums and collections, and their order.
 *
 * @module
 */
import { readTime } from "../../../../core/time.ts";
import { newestFirst } from "../../../../library/mod.ts";
import {
  type AlbumOrder,
  albumOrderIn,
  inAlbumOrder,
  withAlbumOrder,
} from "../../../../library/albums/album_order.ts";
import {
  type Beside,
  withAlbumMoved,
  withFirstPlaces,
} from "../../../../library/albums/album_places.ts";
import type { VaultContext } from "../../vault/context.ts";
import type { AlbumsOverview, CollectionCard } from "./album_cards.ts";
import { favouritesOf, shownOf, takenOf } from "../collection_calls.ts";
import { ownChanges } from "../own_changes.ts";
import { nounOfRows } from "../photo_table.ts";
import type { EndingAlbums } from "./ending.ts";
import type { AlbumReading } from "./reading.ts";

/** The calls of the group `albums` about all of them. */
export function overviewCalls(
  context: VaultContext,
  { cardOf, isVisible, openOthers, placeOf }: AlbumReading,
  ending: EndingAlbums,
) {
  /** One order after the other: arrow keys choose several in a moment. */
  let sorting: Promise<unknown> = Promise.resolve();
  const afterSorting = <T>(change: () => Promise<T>): Promise<T> => {
    const sorted = sorting.catch(() => {}).then(change);
    sorting = sorted;
    return sorted;
  };

  /** The ids of all albums and collections, in the order that they are in. */
  const idsShown = async (): Promise<readonly string[]> => {
    const { albums, collections, order } = await calls.overview();
    return inAlbumOrder([...albums, ...collections], order)
      .map(({ id }) => id);
  };

  const calls = {
    /**
     * Albums and collections in the order that the person chose: favourites
     * first, unless they are sorted by hand.
     */
    async overview(): Promise<AlbumsOverview> {
      const library = context.opened();
      // On a new device nothing is there yet: that is not to have none.
      if (library.index.size === 0) await context.caughtUp.promise;
      openOthers();
      await ending.endAgain();
      const byAlbum = Map.groupBy(
        newestFirst([...library.index.rows()].filter(isVisible)),
        ({ album }) => album,
      );
      const listed = library.albums.list()
        .filter(({ id, tombstoned }) => !tombstoned && !ending.isEnding(id));
      const albums = await Promise.all(
        listed.map((album) => cardOf(album, byAlbum.get(album.id) ?? [])),
      );
      const favourites = favouritesOf(context);
      const collections = library.collections.list().map(
        ({ id, title, assets, at }): CollectionCard => {
          const shown = shownOf(context, assets);
          const [cover] = shown;
          return {
            id,
            title,
            favourite: favourites.has(id),
            count: shown.length,
            noun: nounOfRows(shown),
            taken: takenOf(context, shown),
            changed: readTime(at) ?? 0,
            ...placeOf(id),
            ...(cover ? { cover: cover.id } : {}),
          };
        },
      );
      const order = albumOrderIn(library.state.held.settings);
      return {
        order,
        albums: inAlbumOrder(albums, order),
        collections: inAlbumOrder(collections, order),
      };
    },
    /**
     * Sorts albums and collections in another order, on all devices. Sorting by
     * hand begins with the order before it.
     */
    sortBy(order: AlbumOrder): Promise<void> {
      return afterSorting(async () => {
        const now = context.platform.now();
        const ids = order === "hand" ? await idsShown() : [];
        await context.opened().state.change((held) => {
          const settings = withAlbumOrder(held.settings, order, now);
          return { ...held, settings: withFirstPlaces(settings, ids, now) };
        });
        context.changed();
      });
    },
    /**
     * Moves an album or a collection next to another one, in the order by hand.
     */
    async move(id: string, beside: Beside): Promise<void> {
      const changes = await ownChanges(context);
      const send = await afterSorting(async () => {
        const now = context.platform.now();
        const { albums, collections } = await calls.overview();
        const all = [...albums, ...collections];
        return await changes.note((held) => ({
          ...held,
          settings: withAlbumMoved(held.settings, all, id, beside, now),
        }));
      });
      await send();
    },
  };
  return calls;
}
