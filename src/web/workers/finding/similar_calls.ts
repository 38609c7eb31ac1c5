/**
 * The vault's calls about similar photos.
 *
 * @module
 */
import {
  ApiProblem,
  ConnectionError,
  DocumentError,
  type Library,
  type Row,
} from "../../../library/mod.ts";
import { openDifferent } from "../../../library/finding/dismissed_similar.ts";
import {
  type KnownLooks,
  openKnownLooks,
} from "../../../library/finding/appearance_hashes.ts";
import { hasLinks, takenAt } from "../../../library/rows/rows.ts";
import {
  isLargest,
  isSharpest,
  type Resembling,
  similarGroups,
  toKeep,
  type Weighed,
} from "../../../library/finding/similar.ts";
import { wholeOf } from "../../../library/rows/photo_copies.ts";
import { isFollowing } from "../../../library/sharing/link_notes.ts";
import { isRawType } from "../../../media/raw_types.ts";
import { Moved } from "../../../client/stream/threads/thread_messages.ts";
import { sleep } from "../../browser.ts";
import type { VaultContext } from "../vault/context.ts";
import { FLAGS, isPhotoKind } from "../library/photo_lists.ts";
import {
  kindOf,
  localTime,
  nounOfRows,
  pictureOf,
} from "../library/photo_table.ts";
import type {
  Looked,
  LookedAt,
  SimilarCard,
  SimilarGroup,
  ToLookAt,
} from "./similar_cards.ts";
import { smallPictureOf } from "../media/small_picture.ts";
import { thumbnailOf } from "../media/thumbnail.ts";

/** Small pictures in one call. */
const AT_ONCE = 40;

/** A photo with what is known of it. */
interface Photo extends Resembling {
  readonly row: Row;
  readonly flags: number;
}

/** The calls of the group `similar`. */
export function similarCalls(context: VaultContext) {
  let held: { readonly library: Library; known: KnownLooks } | undefined;
  /** Content addresses that were handed out since the page opened. */
  const handedOut = new Set<string>();
  /** What is damaged, and may be repaired by the next visit. */
  const damaged = new Set<string>();
  /** Blobs that links show, by the hashes of the links' indexes. */
  const shownBy = new Map<string, readonly string[]>();

  const looks = async (): Promise<KnownLooks> => {
    const library = context.opened();
    if (held?.library !== library) {
      held = { library, known: await openKnownLooks(library.store) };
    }
    return held.known;
  };
  const different = () => {
    const { state } = context.opened();
    return openDifferent(state, context.platform.now);
  };
  /**
   * The person's own photos, videos and files, but for hidden ones: those are
   * shown in their own list and nowhere else.
   */
  /** On a new device nothing is there yet: that is not to have no photos. */
  const arrived = async () => {
    while (context.arriving && flagged().length === 0) {
      await context.nextChange();
    }
  };
  const flagged = () => [
    ...context.view().rowsOf({ kind: "library" }),
    ...context.view().rowsOf({ kind: "archive" }),
  ];
  /** Photos whose small picture this device has not looked at. */
  const unseen = (known: KnownLooks) =>
    flagged().flatMap(([row]) => {
      const blob = smallBlobOf(row);
      return blob === undefined || damaged.has(blob.hash) ||
          known.of(blob.hash) !== undefined
        ? []
        : [{ row, ...blob }];
    });

  const linkedBlobs = async (): Promise<ReadonlySet<string>> => {
    const { index, shares, shareContents, state } = context.opened();
    if (!hasLinks(index)) return new Set();
    const linked: string[] = [];
    try {
      for (const { opaque_id: id, metadata_hash: hash } of await shares()) {
        // What such a link shows follows an album or the favourites.
        if (isFollowing(state.held.links[id])) continue;
        const items = shownBy.get(hash) ??
          (await shareContents(id, hash)).items.map((item) => item.hash);
        shownBy.set(hash, items);
        linked.push(...items);
      }
    } catch (error) {
      // Links are only named here; deleting says of all links what happens.
      const isUnread = error instanceof ConnectionError ||
        error instanceof ApiProblem || error instanceof DocumentError;
      if (!isUnread) throw error;
    }
    return new Set(linked);
  };

  /** Tells the titles of what a photo would go from. */
  const placing = () => {
    const library = context.opened();
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
  };

  const groupOf = (
    photos: readonly Photo[],
    placesOf: (row: Row) => readonly string[],
    linked: ReadonlySet<string>,
  ): SimilarGroup => {
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
  };

  return {
    /**
     * How many photos were looked at; begins from the newest again. All of them
     * only once a new device knows of all.
     */
    async status(): Promise<LookedAt> {
      for (;;) {
        await arrived();
        handedOut.clear();
        const left = unseen(await looks());
        const of = flagged().filter(([row]) => smallBlobOf(row) !== undefined);
        // While photos are still to come, that is not all.
        if (left.length > 0 || !context.arriving) {
          return {
            done: of.length - left.length,
            of: of.length,
            bytes: left.reduce((sum, { size }) => sum + size, 0),
          };
        }
        await context.nextChange();
      }
    },
    /**
     * The next small pictures to look at; `isAway` if some could not be
     * fetched. None are left once there are none and it is not away.
     */
    async next(): Promise<
      Moved<{
        readonly pictures: readonly ToLookAt[];
        /** Those of which nothing can be seen. */
        readonly without: number;
        readonly isAway: boolean;
        readonly isOver: boolean;
      }>
    > {
      const known = await looks();
      const library = context.opened();
      const batch = unseen(known).filter(({ hash }) => !handedOut.has(hash))
        .slice(0, AT_ONCE);
      for (const { hash } of batch) handedOut.add(hash);
      const { get } = context.view().pictures;
      const read = await library.readMany(
        batch.map(({ row, wanted }) => ({ assetId: row.id, wanted })),
        // Pictures that no one looks at take no place of those that someone
        // does.
        { cache: { get, put: () => Promise.resolve() } },
      );
      const pictures: ToLookAt[] = [];
      const nothing = new Map<string, null>();
      let [isAway, without] = [false, 0];
      for (const [i, { row, hash }] of batch.entries()) {
        const { bytes, mime, missing } = await thumbnailOf(
          row.id,
          read[i] ?? "none",
        );
        if (bytes !== undefined && mime !== undefined) {
          pictures.push({ blob: hash, bytes, mime });
        } else if (missing === "later") isAway = true;
        else {
          without++;
          if (missing === "none") nothing.set(hash, null);
          else damaged.add(hash);
        }
      }
      await known.add(nothing);
      return new Moved(
        { pictures, without, isAway, isOver: batch.length === 0 },
        pictures.map(({ bytes }) => bytes.buffer),
      );
    },
    /** Stores what small pictures look like. */
    async note(found: readonly Looked[]): Promise<void> {
      const known = await looks();
      await known.add(
        new Map(found.map(({ blob, looks }) => [blob, looks ?? null])),
      );
    },
    /** The groups that are known so far, the newest first. */
    async groups(): Promise<readonly SimilarGroup[]> {
      await arrived();
      const known = await looks();
      const photos = flagged().flatMap(([row, flags]): Photo[] => {
        const { metadata } = row;
        if (metadata === undefined) return [];
        const blob = smallBlobOf(row);
        return [{
          row,
          flags,
          id: row.id,
          content: `${metadata.sha256}/${metadata.size}`,
          taken: takenAt(row),
          isRaw: isRawType(metadata.mime),
          looks: (blob && known.of(blob.hash)) ?? undefined,
        }];
      });
      const { has } = different();
      const [groups, linked] = await Promise.all([
        similarGroups(photos, { areDifferent: has, pause: () => sleep(0) }),
        linkedBlobs(),
      ]);
      const placesOf = placing();
      return groups.map((group) => groupOf(group, placesOf, linked));
    },
    /** Says that photos are different, or takes that back. */
    async setDifferent(
      ids: readonly string[],
      areDifferent: boolean,
    ): Promise<void> {
      await different().change(ids, areDifferent);
      context.changed();
    },
  };
}

/** The small picture of a photo; undefined if it is no photo, or has none. */
function smallBlobOf(row: Row): ReturnType<typeof smallPictureOf> {
  return isPhotoKind(kindOf(row)) ? smallPictureOf(row) : undefined;
}
