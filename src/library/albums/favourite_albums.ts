/**
 * Favourite albums: the albums, collections too, that a person wants first in
 * every list. The marks are settings in the account's state
 * (protocol/client-cryptography.md#state-slots), so all devices of the account
 * know them and no other member of an album does.
 *
 * @module
 */
import { changedAt, type LibraryState } from "../../client/documents/state.ts";
import type { SharedState } from "../vault/shared_state.ts";

/** The setting that marks an album or a collection. */
const FAVOURITE = "favourite-album/";

/** The favourites among an account's albums and collections. */
export interface FavouriteAlbums {
  /**
   * Whether an album or a collection is one, as this device last saw it; makes
   * no request.
   */
  has(id: string): boolean;
  /** Marks an album or a collection, or takes the mark away. */
  change(id: string, isFavourite: boolean): Promise<void>;
  /** The same albums, favourites first; both parts keep their order. */
  first<T extends { readonly id: string }>(albums: readonly T[]): readonly T[];
}

/** Opens the favourite albums in an account's state. */
export function openFavouriteAlbums(
  state: SharedState,
  now: () => number,
): FavouriteAlbums {
  const has = (id: string) => isFavourite(state.held, id);
  return {
    has,
    async change(id, isOne) {
      if (has(id) === isOne) return;
      const name = `${FAVOURITE}${id}`;
      await state.change((held) => {
        const at = changedAt(held.settings[name], now());
        const settings = { ...held.settings, [name]: { value: isOne, at } };
        return { ...held, settings };
      });
    },
    first: (albums) => favouritesFirst(albums, ({ id }) => has(id)),
  };
}

/** Albums with the favourites first; both parts keep their order. */
export function favouritesFirst<T>(
  albums: readonly T[],
  isOne: (album: T) => boolean,
): readonly T[] {
  return albums.toSorted((a, b) => Number(isOne(b)) - Number(isOne(a)));
}

function isFavourite({ settings }: LibraryState, id: string): boolean {
  const said = settings[`${FAVOURITE}${id}`];
  return said?.value === true && said.removed !== true;
}
