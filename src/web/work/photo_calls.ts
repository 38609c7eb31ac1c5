/**
 * The vault's calls about photos: lists, small pictures, search, flags and the
 * trash.
 *
 * @module
 */
import { ApiProblem, type Row } from "../../client/library/mod.ts";
import { inParallel } from "../../client/library/parallel.ts";
import type { VaultContext } from "./context.ts";
import {
  buffersOf,
  type ListColumns,
  type ListSource,
  type PhotoInfo,
  type Thumbnail,
} from "./photo_lists.ts";
import { columnsOf, flagsOf, pictureOf } from "./photo_table.ts";
import { photoInfo } from "./photo_info.ts";
import { listsOf, type Suggestions, suggestionsFor } from "./suggestions.ts";
import { type Fault, faultOf, Moved } from "../../client/threads/wire.ts";

/** The revision of a list that has only the newest photos. */
const FRONT = -1;
/** Parallel requests when each photo needs one. */
const AT_ONCE = 4;

/** The calls of the group `photos`. */
export function photoCalls(context: VaultContext) {
  const shelf = () => context.shelf();
  const rowOf = (id: string): Row => {
    const row = context.opened().index.get(id);
    if (row === undefined) throw new Error(`no photo ${id}`);
    return row;
  };
  const infoOf = (id: string): PhotoInfo => {
    const row = rowOf(id);
    return photoInfo(row, flagsOf(row, shelf().options));
  };

  /**
   * Works on several photos at a time; a refusal of one does not stop the
   * others.
   */
  const each = async (
    ids: readonly string[],
    work: (id: string) => Promise<void>,
  ): Promise<{ readonly failed: number; readonly fault?: Fault }> => {
    let [failed, fault]: [number, Fault | undefined] = [0, undefined];
    await inParallel(ids, AT_ONCE, async (id) => {
      try {
        await work(id);
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        [failed, fault] = [failed + 1, faultOf(error)];
      }
    }).finally(() => context.changed());
    return { failed, ...(fault === undefined ? {} : { fault }) };
  };

  return {
    /** Number of photos in the timeline. */
    count: () => shelf().rowsOf({ kind: "library" }).length,
    /** The columns of a list; undefined if `have` is still its revision. */
    async list(
      source: ListSource,
      have?: number,
    ): Promise<Moved<ListColumns> | undefined> {
      const { front } = context;
      if (front !== undefined) {
        if (source.kind === "library") {
          const columns = columnsOf(front.rows, FRONT);
          return new Moved(columns, buffersOf(columns));
        }
        await context.opening;
      }
      const held = shelf();
      await held.prepare(source);
      // On a new device nothing is there yet: that is not to have no photos.
      while (context.arriving && held.rowsOf(source).length === 0) {
        await context.nextChange();
        await held.prepare(source);
      }
      if (have === context.revision) return undefined;
      const { revision } = context;
      const columns = columnsOf(
        held.rowsOf(source),
        revision,
        source.kind === "trash" ? held.endOf : undefined,
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
      const { front } = context;
      const rowAt = front === undefined
        ? context.opened().index.get
        : (id: string) => front.rows.find(([row]) => row.id === id)?.[0];
      const wanted = ids.map((id) => {
        const row = rowAt(id);
        return { id, row, picture: row && pictureOf(row) };
      });
      const parts = wanted.flatMap(({ id, picture }) =>
        picture === undefined ? [] : [{ assetId: id, wanted: picture }]
      );
      const all = front === undefined
        ? context.opened().readMany(parts, { cache: shelf().pictures })
        : front.read(parts);
      const read = (await all).values();
      const thumbnails = wanted.map(({ id, row, picture }): Thumbnail => {
        // A photo that is not in the front may be in the index.
        const none = row === undefined && front !== undefined
          ? "later"
          : "none";
        const got = picture === undefined ? none : read.next().value;
        if (typeof got === "string") return { id, missing: got };
        if (got === undefined) return { id, missing: "none" };
        const mime = picture === "original"
          ? row?.metadata?.mime
          : row?.metadata?.derivatives
            .find(({ kind }) => kind === "thumbnail")?.mime;
        return { id, bytes: got, mime: mime ?? "image/jpeg" };
      });
      return new Moved(
        thumbnails,
        thumbnails.flatMap(({ bytes }) =>
          bytes === undefined ? [] : [bytes.buffer]
        ),
      );
    },
    /** Suggestions for a search that is being typed. */
    suggest: (typed: string): Suggestions => ({
      lists: listsOf(shelf()),
      found: suggestionsFor(
        context.opened(),
        shelf().rowsOf({ kind: "library" }),
        typed.slice(0, 200),
      ),
    }),
    /** Marks photos as favourites, or removes the mark. */
    async favourite(ids: readonly string[], favourite: boolean) {
      await context.opened().flags.change(ids, { favourite });
      context.changed();
    },
    /**
     * Hides photos, so that only the list `hidden` shows them, or shows them
     * again.
     */
    async hide(ids: readonly string[], hidden: boolean) {
      await context.opened().flags.change(ids, { hidden });
      context.changed();
    },
    /** Moves photos to the trash; resolves to the number that failed. */
    trash: (ids: readonly string[]) =>
      each(ids, (id) => context.opened().trash(id)),
    restore: (ids: readonly string[]) =>
      each(ids, (id) => context.opened().restore(id)),
    /** Those of the photos that are in the trash. */
    trashed: (ids: readonly string[]): readonly string[] =>
      ids.filter((id) => context.opened().index.get(id)?.state === "deleted"),
    /** Deletes photos in the trash for ever. */
    purge: (ids: readonly string[]) =>
      each(ids, (id) => context.opened().purge(id)),
    async emptyTrash() {
      const emptied = await context.opened().emptyTrash();
      context.changed();
      return emptied;
    },
    /** All facts about a photo. */
    info: (id: string): PhotoInfo => infoOf(id),
    /** All facts about many photos. */
    infos: (ids: readonly string[]): readonly PhotoInfo[] => ids.map(infoOf),
  };
}
