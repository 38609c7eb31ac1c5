/**
 * The lists of an open library: the photos of each, with the account's flags.
 * Each opened library has one view.
 *
 * @module
 */
import { readTime } from "../../../core/time.ts";
import {
  ConnectionError,
  type Library,
  type LibraryState,
  type PartCache,
  type Row,
} from "../../../library/mod.ts";
import { isOwnAlbum } from "../../../library/albums/album_rights.ts";
import {
  type Flags,
  isInArchive,
  isInTimeline,
} from "../../../library/showing/flags.ts";
import { isShown } from "../../../library/rows/rows.ts";
import type { Stacked } from "../../../library/showing/stacks.ts";
import { standsForWhole } from "../../../library/rows/photo_copies.ts";
import { IN_TIMELINE } from "../../../library/vault/shared_state.ts";
import type { HiddenPhotos } from "./hidden_photos.ts";
import { FLAGS, type ListSource } from "./photo_lists.ts";
import { pictureCache } from "../media/picture_cache.ts";
import { type Flagged, PhotoTable, type TableOptions } from "./photo_table.ts";

export type { Flagged } from "./photo_table.ts";

/** Assets asked for in one request. */
const TRASH_PAGE = 200;
/** Photos and videos in the list of the largest. */
const MOST_LARGE = 500;
/** The same in the list of what was added last. */
const MOST_RECENT = 1_000;
/** Lists in which each photo is there for itself. */
const UNSTACKED: ReadonlySet<ListSource["kind"]> = new Set([
  "trash",
  "search",
  "largest",
  "recent",
  "stack",
]);

/** The lists of a library. */
export class LibraryView {
  readonly options: TableOptions;
  /** The cache of small pictures. */
  readonly pictures: PartCache;
  readonly #table: PhotoTable;
  #state: LibraryState;
  #ends = new Map<string, number>();
  /** Loaded with the first search. */
  #searching: typeof import("../finding/searching.ts") | undefined;
  /** Loaded with the first list of what takes most. */
  #largest: typeof import("../../../library/care/largest.ts") | undefined;
  /** Loaded once a photo hints at a stack. */
  #stacking: typeof import("../../../library/showing/stacks.ts") | undefined;
  /** Loaded with the first memory. */
  #remembering: typeof import("../finding/memories_loader.ts") | undefined;
  /** Loaded once a timeline is to show others' photos. */
  #shared:
    | typeof import("../../../library/albums/timeline_albums.ts")
    | undefined;
  /** Loaded with the first person. */
  #facing: typeof import("../finding/faces_loader.ts") | undefined;
  /** The files that each person is in. */
  #files = new Map<string, ReadonlySet<string>>();

  /** `changed` is told when a list may have more. */
  constructor(
    readonly library: Library,
    /** The photos that a PIN locks. */
    readonly hidden: HiddenPhotos,
    readonly changed: () => void,
  ) {
    this.options = {
      userId: library.vault.session.userId,
      thoughtOf: library.flags.of,
    };
    this.pictures = pictureCache(this.options.userId);
    this.#state = library.state.held;
    this.#table = new PhotoTable((id) => library.index.get(id), this.options);
    library.index.watch((id) => this.#table.touch(id));
    for (const { id } of library.index.rows()) this.#table.touch(id);
  }

  /** Fetches what a list needs and this device does not have. */
  async prepare(source: ListSource): Promise<void> {
    const { kind } = source;
    this.#settle();
    if (this.hasOthers(source)) {
      // Where it cannot be loaded now, the own photos are there alone.
      this.#shared ??= await import(
        "../../../library/albums/timeline_albums.ts"
      ).catch(() => undefined);
    }
    if (kind === "search") {
      this.#searching ??= await import("../finding/searching.ts");
    }
    if (this.#table.hintsAtStacks) {
      // Where it cannot be loaded now, each photo is there for itself.
      this.#stacking ??= await import("../../../library/showing/stacks.ts")
        .catch(() => undefined);
    }
    if (kind === "memory") {
      this.#remembering ??= await import("../finding/memories_loader.ts");
      await this.#remembering.prepare(this.library);
    }
    if (kind === "person") {
      this.#facing ??= await import("../finding/faces_loader.ts");
      const { id } = source;
      this.#files.set(id, await this.#facing.filesOf(this.library, id));
    }
    if (kind === "largest") {
      this.#largest ??= await import("../../../library/care/largest.ts");
    }
    if (kind !== "trash") return;
    const known = this.library.trashed().every(({ id }) => this.#ends.has(id));
    if (known) return;
    try {
      this.#ends = await endsOf(this.library);
    } catch (error) {
      // Without a connection the trash is shown without the days left.
      if (!(error instanceof ConnectionError)) throw error;
    }
  }

  /**
   * When an asset in the trash is deleted for ever (ms); NaN if it is not
   * known.
   */
  readonly endOf = (assetId: string): number => this.#ends.get(assetId) ?? NaN;

  /** Whether a photo is not to be shown now, because it is locked. */
  readonly isShut = (row: Row): boolean =>
    this.hidden.isShut(this.library, row);

  /** The rows that may be shown and pass, newest first. */
  #rows(passes: (row: Row, flags: number) => boolean): readonly Flagged[] {
    const isLocked = !this.hidden.lock.isOpen;
    const rows: Flagged[] = [];
    for (const [row, flags] of this.#table.rows()) {
      if (!passes(row, flags) || (isLocked && this.isShut(row))) continue;
      rows.push([row, flags]);
    }
    return rows;
  }

  /** Bytes of a photo in the list of the largest. */
  readonly bytesOf = (row: Row): number => this.#largest?.bytesOf(row) ?? 0;

  /** When a photo was added, in the local time of this device as if it were UTC. */
  readonly addedAt = ({ at }: Row): number => {
    const added = readTime(at) ?? 0;
    return added - new Date(added).getTimezoneOffset() * 60_000;
  };

  /** Takes over changes of the account's flags. */
  #settle(): void {
    const { held } = this.library.state;
    if (held === this.#state) return;
    const before = this.#state;
    this.#state = held;
    for (const { flags } of [before, held]) {
      for (const id of Object.keys(flags)) {
        if (before.flags[id] !== held.flags[id]) this.#table.touch(id);
      }
    }
  }

  /** A list as it is shown: each stack of it is one. */
  listed(source: ListSource): Stacked<Flagged> {
    const rows = this.rowsOf(source);
    const { state, vault } = this.library;
    const stacking = this.#stacking;
    return stacking === undefined || UNSTACKED.has(source.kind) ||
        !stacking.wantsStacks(state.held.settings)
      ? { tiles: rows, behind: new Map() }
      : stacking.stacked(rows, ([row]) => row, vault.libraryAlbumId);
  }

  /** The rows of a list, in its order. */
  rowsOf(source: ListSource): readonly Flagged[] {
    switch (source.kind) {
      case "library":
        return this.#shared !== undefined && this.hasOthers(source)
          ? this.#withOthers(this.#shared)
          : this.#timeline((flags) => isInTimeline(marksOf(flags)));
      case "archive":
        return this.#timeline((flags) => isInArchive(marksOf(flags)));
      case "hidden":
        return this.#timeline((flags) => (flags & FLAGS.hidden) !== 0);
      case "favourites":
        return this.#rows((row, flags) =>
          isShown(row) && (flags & FLAGS.favourite) !== 0 &&
          (flags & FLAGS.hidden) === 0
        );
      case "largest": {
        const own = this.#timeline((flags) => (flags & FLAGS.hidden) === 0);
        return this.#largest?.largest(own, ([row]) => row, MOST_LARGE) ??
          [];
      }
      case "recent":
        return this.#timeline((flags) => isInTimeline(marksOf(flags)))
          .map((flagged) => ({ flagged, at: this.addedAt(flagged[0]) }))
          .sort((a, b) => b.at - a.at)
          .slice(0, MOST_RECENT)
          .map(({ flagged }) => flagged);
      case "album":
        return this.#album(source.id);
      case "collection":
        return this.#collection(source.id);
      case "memory": {
        const timeline = this.rowsOf({ kind: "library" });
        return this.#remembering?.ofMemory(this.library, timeline, source.id) ??
          [];
      }
      case "stack":
        return this.#stack(source.id);
      case "person":
        return this.#facing?.rowsWith(
          this.found(),
          this.#files.get(source.id) ?? new Set(),
        ) ?? [];
      case "search": {
        if (source.q.trim() === "") return [];
        if (this.#searching === undefined) throw new Error("not prepared");
        return this.#searching.searchIn(
          this.library,
          this.found(),
          source.q,
          this.changed,
        );
      }
      case "area": {
        const [west = 0, south = 0, east = 0, north = 0] = source.bounds
          .split(",").map(Number);
        const { album } = source;
        const rows = this.rowsOf(
          album === undefined
            ? { kind: "library" }
            : { kind: "album", id: album },
        );
        return rows.filter(([{ metadata }]) => {
          const { latitude = NaN, longitude = NaN } = metadata?.place ?? {};
          return latitude >= south && latitude <= north &&
            longitude >= west && longitude <= east;
        });
      }
      // They are in no index of the account's.
      case "abroad":
        return [];
      case "trash":
        return this.#rows((row) =>
          row.state === "deleted" && standsForWhole(this.library, row)
        );
    }
  }

  /**
   * The own photos; one that is in an album and in the library is shown once.
   */
  #timeline(passes: (flags: number) => boolean): readonly Flagged[] {
    return this.#rows((row, flags) =>
      (flags & FLAGS.mine) !== 0 && isShown(row) && passes(flags) &&
      standsForWhole(this.library, row)
    );
  }

  /** Whether a list may have photos of others that it is to tell apart. */
  hasOthers(source: ListSource): boolean {
    // Most people have no such setting.
    return source.kind === "library" && source.withOthers === true &&
      Object.entries(this.library.state.held.settings)
        .some(([name, { value }]) =>
          name.startsWith(IN_TIMELINE) && value === true
        );
  }

  /** The timeline with photos of others, each file once. */
  #withOthers(
    { othersIn }: typeof import("../../../library/albums/timeline_albums.ts"),
  ): readonly Flagged[] {
    const isOthers = othersIn(this.library);
    return this.#rows((row, flags) =>
      isInTimeline(marksOf(flags)) &&
      ((flags & FLAGS.mine) === 0
        ? isOthers(row)
        : isShown(row) && standsForWhole(this.library, row))
    );
  }

  /** All that can be found: the own photos, and others' in shared albums. */
  found(): readonly Flagged[] {
    const own = new Set(this.#timeline(() => true).map(([{ id }]) => id));
    return this.#rows((row, flags) =>
      own.has(row.id) || ((flags & FLAGS.mine) === 0 && isShown(row))
    );
  }

  /** The rows of an album. */
  #album(id: string): readonly Flagged[] {
    const own = isOwnAlbum(this.library, id) ? FLAGS.ownAlbum : 0;
    const rows = this.#rows((row) => isShown(row) && row.album === id)
      .map(([row, flags]): Flagged => [row, flags | own]);
    const { order } = this.library.albums.get(id)?.info ?? {};
    return order === "oldest" ? rows.toReversed() : rows;
  }

  /**
   * The rows of the stack that a photo is of. Hidden ones are with hidden ones
   * alone, and archived ones with archived ones.
   */
  #stack(id: string): readonly Flagged[] {
    const { index, vault } = this.library;
    const row = index.get(id);
    if (row === undefined) return [];
    const alike = FLAGS.hidden | FLAGS.archived;
    const flags = this.#table.flagsOf(id) & alike;
    const rows = this.#rows((one, held) =>
      isShown(one) && (held & alike) === flags
    );
    const stacking = this.#stacking;
    return stacking === undefined
      ? rows.filter(([one]) => one.id === id)
      : stacking.stackOf(rows, ([one]) => one, row, vault.libraryAlbumId);
  }

  /** The rows of a collection, by date like those of an album. */
  #collection(id: string): readonly Flagged[] {
    const { assets } = this.library.collections.get(id) ?? { assets: [] };
    const within = new Set(assets);
    return this.#rows((row) => within.has(row.id) && isShown(row));
  }
}

function marksOf(flags: number): Flags {
  return {
    hidden: (flags & FLAGS.hidden) !== 0,
    archived: (flags & FLAGS.archived) !== 0,
  };
}

/** When each asset in the trash is deleted for ever. */
async function endsOf({ vault }: Library): Promise<Map<string, number>> {
  const { account } = vault.session;
  const ends = new Map<string, number>();
  let after: string | number | undefined;
  do {
    const page = await account.trash(after, TRASH_PAGE);
    for (const { asset_id: id, expires_at: end } of page.assets) {
      ends.set(id, readTime(end) ?? 0);
    }
    after = page.next_after ?? undefined;
  } while (after !== undefined);
  return ends;
}
