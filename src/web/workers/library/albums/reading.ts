/**
 * Reading albums as the views show them.
 *
 * @module
 */
import { readTime } from "../../../../core/time.ts";
import { type Album, newestFirst, type Row } from "../../../../library/mod.ts";
import { albumOrderIn } from "../../../../library/albums/album_order.ts";
import { albumPlaceIn } from "../../../../library/albums/album_places.ts";
import { isShown } from "../../../../library/rows/rows.ts";
import type { VaultContext } from "../../vault/context.ts";
import type { AlbumCard } from "./album_cards.ts";
import { favouritesOf, takenOf } from "../collection_calls.ts";
import type { PeopleBook } from "../people_calls.ts";
import { nounOfRows } from "../photo_table.ts";

/** Reads the albums of the library that is open. */
export type AlbumReading = ReturnType<typeof albumReading>;

export function albumReading(context: VaultContext, { nameOf }: PeopleBook) {
  const me = () => context.signedIn().userId;
  /** The place of an album, if they are sorted by hand. */
  const placeOf = (id: string) => {
    const { settings } = context.opened().state.held;
    const place = albumOrderIn(settings) === "hand"
      ? albumPlaceIn(settings, id)
      : undefined;
    return place === undefined ? {} : { place };
  };
  const cardOf = async (
    album: Album,
    rows: readonly Row[],
  ): Promise<AlbumCard> => {
    const own = album.role === "owner";
    const cover = rows.find(({ id }) => id === album.info?.cover) ?? rows[0];
    const owner = own ? undefined : await nameOf(album.owner, album);
    return {
      id: album.id,
      title: album.title ?? "",
      own,
      ...(owner === undefined ? {} : { owner }),
      favourite: favouritesOf(context).has(album.id),
      others: album.members.filter(({ userId }) => userId !== me()).length,
      count: rows.length,
      noun: nounOfRows(rows),
      taken: takenOf(context, rows),
      ...(cover === undefined ? {} : { cover: cover.id }),
      ...placeOf(album.id),
      changed: Math.max(0, ...rows.map(({ at }) => readTime(at) ?? 0)),
      broken: album.fault !== undefined,
      unopened: album.isUnopened,
    };
  };
  const isVisible = (row: Row) => isShown(row) && !context.view().isShut(row);
  const rowsOf = (albumId: string): readonly Row[] =>
    newestFirst(
      [...context.opened().index.rows()]
        .filter((row) => row.album === albumId && isVisible(row)),
    );
  /** Albums that could not be opened yet are shown without waiting for it. */
  const openOthers = (): void => {
    context.opened().albums.reopen().then(
      (isNews) => isNews && context.changed(),
      () => {},
    );
  };
  return { cardOf, isVisible, openOthers, placeOf, rowsOf };
}
