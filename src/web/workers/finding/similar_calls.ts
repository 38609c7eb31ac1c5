/**
 * The vault's calls about similar photos.
 *
 * @module
 */
import type { Library, Row } from "../../../library/mod.ts";
import { openDifferent } from "../../../library/finding/dismissed_similar.ts";
import {
  type KnownLooks,
  openKnownLooks,
} from "../../../library/finding/appearance_hashes.ts";
import { takenAt } from "../../../library/rows/rows.ts";
import { similarGroups } from "../../../library/finding/similar.ts";
import { isRawType } from "../../../media/raw_types.ts";
import { Moved } from "../../../client/stream/threads/thread_messages.ts";
import { sleep } from "../../browser.ts";
import type { VaultContext } from "../vault/context.ts";
import { isPhotoKind } from "../library/photo_lists.ts";
import { kindOf } from "../library/photo_table.ts";
import type {
  Looked,
  LookedAt,
  SimilarGroup,
  ToLookAt,
} from "./similar_cards.ts";
import { linkedBlobs } from "./linked_blobs.ts";
import { groupOf, placing, type SimilarPhoto } from "./similar_groups.ts";
import { smallPictureOf } from "../media/small_picture.ts";
import { thumbnailOf } from "../media/thumbnail.ts";

/** Small pictures in one call. */
const AT_ONCE = 40;

/** The calls of the group `similar`. */
export function similarCalls(context: VaultContext) {
  const photos = ownPhotos(context);
  return { ...lookingCalls(context, photos), ...groupCalls(context, photos) };
}

type OwnPhotos = ReturnType<typeof ownPhotos>;

/** The photos that are compared, and what is known of their looks. */
function ownPhotos(context: VaultContext) {
  let held: { readonly library: Library; known: KnownLooks } | undefined;
  const looks = async (): Promise<KnownLooks> => {
    const library = context.opened();
    if (held?.library !== library) {
      held = { library, known: await openKnownLooks(library.store) };
    }
    return held.known;
  };
  /** On a new device nothing is there yet: that is not to have no photos. */
  const arrived = async () => {
    while (context.arriving && flagged().length === 0) {
      await context.nextChange();
    }
  };
  /**
   * The person's own photos, videos and files, but for hidden ones: those are
   * shown in their own list and nowhere else.
   */
  const flagged = () => [
    ...context.view().rowsOf({ kind: "library" }),
    ...context.view().rowsOf({ kind: "archive" }),
  ];
  return { looks, arrived, flagged };
}

/** The calls about looking at photos. */
function lookingCalls(
  context: VaultContext,
  { looks, arrived, flagged }: OwnPhotos,
) {
  /** Content addresses that were handed out since the page opened. */
  const handedOut = new Set<string>();
  /** What is damaged, and may be repaired by the next visit. */
  const damaged = new Set<string>();
  /** Photos whose small picture this device has not looked at. */
  const unseen = (known: KnownLooks) =>
    flagged().flatMap(([row]) => {
      const blob = smallBlobOf(row);
      return blob === undefined || damaged.has(blob.hash) ||
          known.of(blob.hash) !== undefined
        ? []
        : [{ row, ...blob }];
    });
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
     * fetched. An empty list that is not away is the end.
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
  };
}

/** The calls about the groups that were found. */
function groupCalls(
  context: VaultContext,
  { looks, arrived, flagged }: OwnPhotos,
) {
  const linked = linkedBlobs(context);
  const different = () => {
    const { state } = context.opened();
    return openDifferent(state, context.platform.now);
  };
  return {
    /** The groups that are known so far, the newest first. */
    async groups(): Promise<readonly SimilarGroup[]> {
      await arrived();
      const known = await looks();
      const photos = flagged().flatMap(([row, flags]): SimilarPhoto[] => {
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
      const [groups, inLinks] = await Promise.all([
        similarGroups(photos, { areDifferent: has, pause: () => sleep(0) }),
        linked(),
      ]);
      const placesOf = placing(context.opened());
      return groups.map((group) => groupOf(group, placesOf, inLinks));
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
