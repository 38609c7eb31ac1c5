/**
 * The lists of an open library: which photos each has, and what the account
 * thinks of them. One for each library that is opened.
 *
 * @module
 */
import {
  type Library,
  type LibraryState,
  type Row,
} from "../../client/library/mod.ts";
import { isShown } from "../../client/library/rows.ts";
import { queryOf } from "../../client/library/search.ts";
import { FLAGS, type ListSource } from "./photo_lists.ts";
import { PhotoTable, type TableOptions } from "./photo_table.ts";

/** A row with its flags. */
export type Flagged = readonly [row: Row, flags: number];

/** The lists of a library. */
export class PhotoShelf {
  readonly options: TableOptions;
  readonly #table: PhotoTable;
  #state: LibraryState | undefined;

  constructor(readonly library: Library) {
    this.options = {
      userId: library.vault.session.userId,
      marksOf: (id) => this.#state?.flags[id],
    };
    this.#table = new PhotoTable((id) => library.index.get(id), this.options);
    library.index.watch((id) => this.#table.touch(id));
    for (const { id } of library.index.rows()) this.#table.touch(id);
  }

  /** Fetches what a list needs that is not in the index. */
  async prepare({ kind }: ListSource): Promise<void> {
    if (kind === "collection" && this.#state === undefined) {
      this.#state = await this.library.state.read();
    }
  }

  /** When an asset of the trash ends for good, in milliseconds; NaN unknown. */
  readonly endOf = (_assetId: string): number => NaN;

  /** The rows of a list, in its order. */
  rowsOf(source: ListSource): readonly Flagged[] {
    const all = this.#table.rows();
    switch (source.kind) {
      case "library":
        return this.#timeline((flags) => (flags & FLAGS.hidden) === 0);
      case "hidden":
        return this.#timeline((flags) => (flags & FLAGS.hidden) !== 0);
      case "favourites":
        return all.filter(([row, flags]) =>
          isShown(row) && (flags & FLAGS.favourite) !== 0 &&
          (flags & FLAGS.hidden) === 0
        ).toArray();
      case "album":
        return all.filter(([row]) => isShown(row) && row.album === source.id)
          .toArray();
      case "collection":
        return this.#collection(source.id);
      case "search": {
        const query = queryOf(source.q);
        return this.#timeline((flags) => (flags & FLAGS.hidden) === 0)
          .filter(([row]) => query(row));
      }
      case "trash":
        return all.filter(([row]) => row.state === "deleted").toArray();
    }
  }

  /** One's own photos; what lies in an album and in the library is there once. */
  #timeline(passes: (flags: number) => boolean): readonly Flagged[] {
    const { index, vault } = this.library;
    const inLibrary = (album: string | undefined) =>
      album === undefined || album === vault.libraryAlbumId;
    return this.#table.rows().filter(([row, flags]) => {
      if ((flags & FLAGS.mine) === 0 || !isShown(row) || !passes(flags)) {
        return false;
      }
      if (inLibrary(row.album)) return true;
      const { sha256 = "" } = row.metadata ?? {};
      return !index.allByPlaintext(sha256).some((other) =>
        other.state === "live" && inLibrary(other.album)
      );
    }).toArray();
  }

  /** A collection has an order of its own. */
  #collection(id: string): readonly Flagged[] {
    const collection = this.#state?.collections[id];
    if (collection === undefined || collection.removed === true) return [];
    return collection.assets.flatMap((assetId): Flagged[] => {
      const row = this.library.index.get(assetId);
      if (row === undefined || !isShown(row)) return [];
      return [[row, this.#table.flagsOf(assetId)]];
    });
  }
}
