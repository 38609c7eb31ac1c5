/**
 * Groups of similar photos as they are shown: what each photo would go from,
 * and which are to be kept.
 *
 * @module
 */
import type { Library, Row } from "../../../library/mod.ts";
import {
  isLargest,
  isSharpest,
  type Resembling,
  toKeep,
  type Weighed,
} from "../../../library/finding/similar.ts";
import { wholeOf } from "../../../library/rows/photo_copies.ts";
import { FLAGS } from "../library/photo_lists.ts";
import {
  kindOf,
  localTime,
  nounOfRows,
  pictureOf,
} from "../library/photo_table.ts";
import type { SimilarCard, SimilarGroup } from "./similar_cards.ts";

/** A photo with what is known of it. */
export interface SimilarPhoto extends Resembling {
  readonly row: Row;
  readonly flags: number;
}

/** Tells the titles of what a photo would go from. */
export function placing(
  library: Library,
): (row: Row) => readonly string[] {
  const { albums, collections, vault } = library;
  const collected = new Map<string, string[]>();
  for (const { title, assets } of collections.list()) {
    for (const id of assets) {
      const titles = collected.get(id);
      if (titles === undefined) collected.set(id, [title]);
      else titles.push(title);
    }
  }
  return ({ id }: Row): readonly string[] => {
    const outside = wholeOf(library, id, "live")
      .flatMap(({ album }) =>
        album === undefined || album === vault.libraryAlbumId ? [] : [album]
      );
    return [
      ...[...new Set(outside)].map((album) => albums.get(album)?.title ?? ""),
      ...collected.get(id) ?? [],
    ];
  };
}

/** A group as it is shown, and which of its photos are to be kept. */
export function groupOf(
  photos: readonly SimilarPhoto[],
  placesOf: (row: Row) => readonly string[],
  linked: ReadonlySet<string>,
): SimilarGroup {
  const weighed = photos.map((photo) => {
    const { row, flags, looks } = photo;
    const { metadata } = row;
    const places = placesOf(row);
    const isLinked = row.blobs.some(({ hash }) => linked.has(hash));
    const isArchived = (flags & FLAGS.archived) !== 0;
    return {
      photo,
      places,
      isLinked,
      isArchived,
      id: row.id,
      content: photo.content,
      taken: photo.taken,
      isFavourite: (flags & FLAGS.favourite) !== 0,
      isUsed: places.length > 0 || isLinked || isArchived,
      pixels: (metadata?.width ?? 0) * (metadata?.height ?? 0),
      bytes: metadata?.size ?? 0,
      sharpness: looks?.sharpness,
    } satisfies Weighed & Record<string, unknown>;
  });
  const kept = toKeep(weighed);
  return {
    isSame: new Set(photos.map(({ content }) => content)).size === 1,
    noun: nounOfRows(photos.map(({ row }) => row)),
    photos: weighed.map((one): SimilarCard => {
      const { row } = one.photo;
      const { name = "", width, height, size = 0 } = row.metadata ?? {};
      return {
        id: row.id,
        kind: kindOf(row),
        name,
        taken: localTime(row),
        ...(width === undefined ? {} : { width }),
        ...(height === undefined ? {} : { height }),
        size,
        hasPicture: pictureOf(row) !== undefined,
        isFavourite: one.isFavourite,
        isArchived: one.isArchived,
        isLinked: one.isLinked,
        albums: one.places,
        isLargest: isLargest(one, weighed),
        isSharpest: isSharpest(one, weighed),
        isKept: kept.has(row.id),
      };
    }),
  };
}
