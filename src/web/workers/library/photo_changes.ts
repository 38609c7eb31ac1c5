/**
 * The vault's calls that change photos: flags, hiding and the trash. They are
 * loaded with the first change.
 *
 * @module
 */
import { ApiProblem, type Row } from "../../../library/mod.ts";
import { inParallel } from "../../../library/base/parallel.ts";
import type { StillSeen } from "../../../library/sharing/hiding.ts";
import { hasLinks } from "../../../library/rows/rows.ts";
import { returningOf, wholeOf } from "../../../library/rows/photo_copies.ts";
import {
  type Fault,
  faultOf,
} from "../../../client/stream/threads/thread_messages.ts";
import type { VaultContext } from "../vault/context.ts";

/** Where photos are, other than in the list that they were chosen in. */
export interface AlsoIn {
  readonly library: boolean;
  /** The titles of albums. */
  readonly albums: readonly string[];
  /** Whether there are links: no link shows what is in the trash. */
  readonly links: boolean;
}

/** Where others see photos that are being hidden. */
export interface SeenBy {
  /** The titles of albums; empty for one that has none. */
  readonly albums: readonly string[];
  /** The titles of links, without picture frames. */
  readonly links: readonly string[];
  readonly frames: readonly string[];
  /** Whether there are links that this device cannot read. */
  readonly unread: boolean;
  /** Whether the person can take them out of any of these. */
  readonly canTakeOut: boolean;
}

/** Parallel requests when each photo needs one. */
const AT_ONCE = 4;

const hiding = () => import("../../../library/sharing/hiding.ts");

function seenByOf({ albums, links, unread }: StillSeen): SeenBy {
  const titles = (areFrames: boolean) =>
    links.filter(({ isFrame }) => isFrame === areFrames)
      .map(({ title = "" }) => title);
  return {
    albums: albums.map(({ title = "" }) => title),
    links: titles(false),
    frames: titles(true),
    unread,
    canTakeOut: links.length > 0 || albums.some(({ own }) => own.length > 0),
  };
}

/** Makes these calls of the group `photos`. */
export function photoChanges(context: VaultContext) {
  const view = () => context.view();
  const flags = async () => {
    const { ownChanges } = await import("./own_changes.ts");
    return (await ownChanges(context)).flags;
  };
  /** What is being deleted and restored, each photo with its copies. */
  const underWay = new Set<Promise<unknown>>();

  /**
   * Works on several photos at a time; a refusal of one does not stop the
   * others.
   */
  const each = async (
    ids: readonly string[],
    work: (id: string) => Promise<void>,
  ): Promise<{ readonly failed: number; readonly fault?: Fault }> => {
    let [failed, fault]: [number, Fault | undefined] = [0, undefined];
    const done = inParallel(ids, AT_ONCE, async (id) => {
      try {
        await work(id);
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        [failed, fault] = [failed + 1, faultOf(error)];
      }
    }).finally(() => {
      underWay.delete(done);
      context.changed();
    });
    underWay.add(done);
    await done;
    return { failed, ...(fault === undefined ? {} : { fault }) };
  };

  const whole = (id: string, state: Row["state"]) =>
    wholeOf(context.opened(), id, state);
  const live = (id: string) => whole(id, "live");
  /** Photos and their copies in albums; also of those that the server lost. */
  const withCopies = (ids: readonly string[]) => [
    ...new Set(ids.flatMap((id) => [id, ...live(id).map((row) => row.id)])),
  ];
  const deleted = (id: string) => whole(id, "deleted");
  const returning = (id: string) => returningOf(context.opened(), id);
  /** Works on photos with their copies, of which each is worked on once. */
  const eachWhole = (
    ids: readonly string[],
    wholeWith: (id: string) => readonly Row[],
    work: (id: string) => Promise<void>,
  ) => {
    const begun = new Set<string>();
    return each(ids, async (photo) => {
      for (const { id } of wholeWith(photo)) {
        if (begun.has(id)) continue;
        begun.add(id);
        await work(id);
      }
    });
  };

  return {
    /** Marks photos as favourites, or removes the mark. */
    async favourite(ids: readonly string[], favourite: boolean) {
      await (await flags()).change(ids, { favourite });
    },
    /**
     * Hides photos, so that only the list `hidden` shows them, or shows them
     * again, each with its copies in albums.
     */
    async hide(ids: readonly string[], hidden: boolean) {
      await (await flags()).change(withCopies(ids), { hidden });
    },
    /** Where others see photos, and go on to once they are hidden. */
    async seenBy(ids: readonly string[]): Promise<SeenBy> {
      await Promise.allSettled(underWay);
      const { stillSeen } = await hiding();
      return seenByOf(await stillSeen(context.opened(), ids));
    },
    /**
     * Hides photos and takes them out of where others see them; resolves to
     * where they still do.
     */
    async hideEverywhere(ids: readonly string[]): Promise<SeenBy> {
      const { takeOutWhereSeen } = await hiding();
      const library = context.opened();
      await library.flags.change(withCopies(ids), { hidden: true });
      try {
        return seenByOf(await takeOutWhereSeen(library, ids));
      } finally {
        context.changed();
      }
    },
    /**
     * Puts photos into the archive, each with its copies in albums, or back
     * into the timeline.
     */
    async archive(ids: readonly string[], archived: boolean) {
      await (await flags()).change(withCopies(ids), { archived });
    },
    /**
     * Where else the photos are that {@link trash} would take from there:
     * whether in the library, and the titles of albums. It waits for what comes
     * back just then: a photo is shown again before its copies are.
     */
    async alsoIn(ids: readonly string[]): Promise<AlsoIn> {
      await Promise.allSettled(underWay);
      const { albums, vault, index } = context.opened();
      const given = new Set(ids);
      const others = ids.flatMap((id) => whole(id, "live"))
        .filter(({ id }) => !given.has(id));
      const places = new Set(others.map(({ album }) => album));
      const isLibrary = (id: string | undefined) =>
        id === undefined || id === vault.libraryAlbumId;
      return {
        library: [...places].some(isLibrary),
        albums: [...places].flatMap((id) =>
          id === undefined || isLibrary(id) ? [] : [albums.get(id)?.title ?? ""]
        ),
        links: hasLinks(index),
      };
    },
    /**
     * Moves photos to the trash, with their copies in albums; resolves to the
     * number that failed.
     */
    async trash(ids: readonly string[]) {
      // Noted in one request, so that the deletions need not make one each.
      await context.opened().noteDeletions(
        ids.flatMap((id) => whole(id, "live")).map(({ id }) => id),
      );
      return await eachWhole(ids, live, (id) => context.opened().trash(id));
    },
    restore: (ids: readonly string[]) =>
      eachWhole(ids, returning, (id) => context.opened().restore(id)),
    /** Those of the photos that are in the trash. */
    trashed: (ids: readonly string[]): readonly string[] =>
      ids.filter((id) => context.opened().index.get(id)?.state === "deleted"),
    /** Deletes photos in the trash for ever. */
    purge: (ids: readonly string[]) =>
      eachWhole(ids, deleted, (id) => context.opened().purge(id)),
    /**
     * Empties the trash; resolves to the number of photos that are gone, each
     * with its copies in albums. Hidden photos that are locked stay: no one
     * sees that they are there.
     */
    async emptyTrash(): Promise<number> {
      const shown = view().rowsOf({ kind: "trash" }).map(([{ id }]) => id);
      if (context.opened().trashed().some((row) => view().isShut(row))) {
        const { failed } = await eachWhole(
          shown,
          deleted,
          (id) => context.opened().purge(id),
        );
        return shown.length - failed;
      }
      const inTrash = () => view().rowsOf({ kind: "trash" }).length;
      const before = inTrash();
      await context.opened().emptyTrash();
      context.changed();
      return Math.max(0, before - inTrash());
    },
  };
}
