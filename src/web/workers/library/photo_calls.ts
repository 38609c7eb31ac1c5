/**
 * The vault's calls about photos: lists, small pictures, search, and what few
 * visits need (`photo_changes.ts`).
 *
 * @module
 */
import type { Row } from "../../../library/mod.ts";
import type { VaultContext } from "../vault/context.ts";
import {
  buffersOf,
  type ListColumns,
  type ListSource,
  type PhotoInfo,
  type Thumbnail,
} from "./photo_lists.ts";
import { thumbnailOf } from "../media/thumbnail.ts";
import { columnsOf, flagsOf, pictureOf } from "./photo_table.ts";
import { photoInfo } from "./photo_info.ts";
import type { PeopleBook } from "./people_calls.ts";
import type { Suggestions } from "../finding/suggestions.ts";
import {
  later,
  Moved,
} from "../../../client/stream/threads/thread_messages.ts";

/** The revision of a list that has only the newest photos. */
const FIRST_SCREEN = -1;

/** The calls of the group `photos`. */
export function photoCalls(
  context: VaultContext,
  people: () => Promise<PeopleBook>,
) {
  const view = () => context.view();
  const {
    alsoIn,
    archive,
    emptyTrash,
    favourite,
    hide,
    hideEverywhere,
    purge,
    restore,
    seenBy,
    trash,
    trashed,
  } = later(async () =>
    (await import("./photo_changes.ts")).photoChanges(context)
  );
  const rowOf = (id: string): Row => {
    const row = context.opened().index.get(id);
    if (row === undefined || view().isShut(row)) {
      throw new Error(`no photo ${id}`);
    }
    return row;
  };
  const infoOf = async (id: string): Promise<PhotoInfo> => {
    const abroad = context.opened().index.get(id) === undefined
      ? await context.photoAbroad(id)
      : undefined;
    const row = abroad?.row ?? rowOf(id);
    const info = photoInfo(row, flagsOf(row, view().options));
    return abroad === undefined ? info : { ...info, host: abroad.host };
  };

  const ownersOf = async () =>
    (await import("./whose.ts")).openWhose(context, await people());

  /** Whether photos are of albums of other servers, as those of a list are. */
  const isAbroad = async ([id]: readonly string[]): Promise<boolean> =>
    id !== undefined && context.opened().index.get(id) === undefined &&
    await context.photoAbroad(id) !== undefined;

  return {
    alsoIn,
    archive,
    emptyTrash,
    favourite,
    hide,
    hideEverywhere,
    purge,
    restore,
    seenBy,
    trash,
    trashed,
    /** Number of photos in the timeline. */
    count: () => view().rowsOf({ kind: "library" }).length,
    /** The columns of a list; undefined if `have` is still its revision. */
    async list(
      source: ListSource,
      have?: number,
    ): Promise<Moved<ListColumns> | undefined> {
      const { firstScreen } = context;
      if (firstScreen !== undefined) {
        if (source.kind === "library") {
          const columns = columnsOf(firstScreen.rows, FIRST_SCREEN);
          return new Moved(columns, buffersOf(columns));
        }
        await context.opening;
      }
      const held = view();
      if (source.kind === "abroad") {
        const { revision } = context;
        const albums = await context.abroadAlbums();
        await albums.open();
        if (have === revision) return undefined;
        const { options } = held;
        const columns = columnsOf(
          albums.rows(source.id).map((row) => [row, flagsOf(row, options)]),
          revision,
        );
        return new Moved(columns, buffersOf(columns));
      }
      await held.prepare(source);
      // On a new device nothing is there yet: that is not to have no photos.
      while (context.arriving && held.rowsOf(source).length === 0) {
        await context.nextChange();
        await held.prepare(source);
      }
      // Without a connection, initials may be missing, but never the list.
      const nameOwners = held.hasOthers(source)
        ? await ownersOf().catch(() => undefined)
        : undefined;
      if (have === context.revision) return undefined;
      const { revision } = context;
      const { tiles, behind } = held.listed(source);
      const columns = columnsOf(
        tiles,
        revision,
        {
          behind,
          whose: nameOwners?.(tiles),
          ends: source.kind === "trash" ? held.endOf : undefined,
          times: source.kind === "recent" ? held.addedAt : undefined,
          sizes: source.kind === "largest" ? held.bytesOf : undefined,
        },
      );
      return new Moved(columns, buffersOf(columns));
    },
    /**
     * Small pictures, in the order of the request. A picture that could not be
     * fetched without a connection is `later`.
     */
    async thumbnails(
      ids: readonly string[],
    ): Promise<Moved<readonly Thumbnail[]>> {
      const { firstScreen } = context;
      if (firstScreen === undefined && await isAbroad(ids)) {
        const { thumbnailsAbroad } = await import(
          "../abroad/abroad_pictures.ts"
        );
        const all = await thumbnailsAbroad(
          await context.abroadAlbums(),
          ids,
          view().pictures,
        );
        return new Moved(all, all.flatMap(({ bytes }) => bytes?.buffer ?? []));
      }
      const rowAt = firstScreen === undefined
        ? context.opened().index.get
        : (id: string) => firstScreen.rows.find(([row]) => row.id === id)?.[0];
      const wanted = ids.map((id) => {
        const found = rowAt(id);
        const isShut = found !== undefined && firstScreen === undefined &&
          view().isShut(found);
        const row = isShut ? undefined : found;
        return { id, row, picture: row && pictureOf(row) };
      });
      const parts = wanted.flatMap(({ id, picture }) =>
        picture === undefined ? [] : [{ assetId: id, wanted: picture }]
      );
      const all = firstScreen === undefined
        ? context.opened().readMany(parts, { cache: view().pictures })
        : firstScreen.read(parts);
      const read = (await all).values();
      const thumbnails = wanted.map(({ id, row, picture }) => {
        // A photo that is not on the first screen may be in the index.
        const none = row === undefined && firstScreen !== undefined
          ? "later"
          : "none";
        const got = picture === undefined ? none : read.next().value;
        return thumbnailOf(id, got ?? "none");
      });
      const looked = await Promise.all(thumbnails);
      return new Moved(
        looked,
        looked.flatMap(({ bytes }) =>
          bytes === undefined ? [] : [bytes.buffer]
        ),
      );
    },
    /** Suggestions for a search that is being typed. */
    async suggest(typed: string): Promise<Suggestions> {
      const { listsOf, suggestionsFor } = await import(
        "../finding/suggestions.ts"
      );
      // Meanwhile: what is typed next finds all texts read.
      import("../finding/searching.ts")
        .then(({ readForFirstSearch }) => readForFirstSearch(context.opened()))
        // The search itself reads them then.
        .catch(() => {});
      return {
        lists: listsOf(view()),
        found: suggestionsFor(
          view(),
          typed.slice(0, 200),
          context.revision,
        ),
      };
    },
    /** All facts about a photo. */
    info: (id: string): Promise<PhotoInfo> => infoOf(id),
    /** All facts about many photos. */
    infos: (ids: readonly string[]): Promise<readonly PhotoInfo[]> =>
      Promise.all(ids.map(infoOf)),
  };
}
