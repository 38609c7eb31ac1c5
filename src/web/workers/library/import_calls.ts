/**
 * The vault's calls for importing from another program: what of an export is in
 * the library, what the export tells of it beyond that, and its albums.
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../../core/bytes.ts";
import type { Motion } from "../../../media/exports/live_photos.ts";
import {
  addedBy,
  type SidecarFacts,
} from "../../../media/exports/sidecar_facts.ts";
import { keepAlbums } from "../../../library/albums/exported_albums.ts";
import { placeOfVideo } from "../../../library/showing/live_pairs.ts";
import { lostOf } from "../../../library/rows/losses.ts";
import { isThrownAway } from "../../../library/adding/thrown_away.ts";
import type { VaultContext } from "../vault/context.ts";

/** An album of an export: its key there, and its title. */
export interface AlbumOfExport {
  readonly key: string;
  readonly title: string;
}

/** What the library knows of a file. */
type Held =
  | { readonly is: "new" }
  | { readonly is: "known"; readonly assetId: string }
  /** The person deleted it on purpose. */
  | { readonly is: "deleted" };

/** An import that was begun. */
export interface BegunImport {
  /** The names of what was chosen. */
  readonly names: readonly string[];
}

const PLACE = { space: "program", key: "import" } as const;

/** The calls of the group `imports`. */
export function importCalls(context: VaultContext) {
  const { platform } = context;
  return {
    /** Which of these sizes a file of the library has. */
    sizes(sizes: readonly number[]): boolean[] {
      const library = context.opened();
      const here = new Set(
        library.list().map(({ metadata }) => metadata?.size),
      );
      return sizes.map((size) => here.has(size));
    },

    /** What the library knows of the file with these bytes. */
    held(sha256: string): Held {
      const library = context.opened();
      const { index, vault } = library;
      const own = vault.libraryAlbumId;
      const isLost = lostOf(index, vault.session.userId, sha256).length > 0;
      const known = isLost ? undefined : index.byPlaintext(sha256, own);
      if (known !== undefined) return { is: "known", assetId: known.id };
      return isThrownAway(library, sha256, own)
        ? { is: "deleted" }
        : { is: "new" };
    },

    /** Adds what an export tells of a photo of the library; whether it did. */
    async tellMore(assetId: string, facts: SidecarFacts): Promise<boolean> {
      const library = context.opened();
      const row = library.index.get(assetId);
      const added = row?.metadata === undefined ||
          row.owner !== library.vault.session.userId
        ? undefined
        : addedBy(row.metadata, facts);
      if (added === undefined) return false;
      await library.amend(assetId, { about: added });
      context.changed();
      return true;
    },

    /** What becomes of the video of a still of the library. */
    async video(
      assetId: string,
      size: number,
      sha256: string,
    ): Promise<"known" | "lacking" | "separate"> {
      const library = context.opened();
      const row = library.index.get(assetId);
      return row === undefined ? "separate" : await placeOfVideo(
        library,
        row,
        { size, sha256: () => Promise.resolve(sha256) },
      );
    },

    /** Adds the video that a still lacks. */
    async addVideo(assetId: string, motion: Motion): Promise<void> {
      await context.opened().amend(assetId, { derivatives: [motion] });
      context.changed();
    },

    /** Puts photos into the collections that the albums become. */
    async keepAlbums(
      albums: readonly (AlbumOfExport & { readonly ids: readonly string[] })[],
    ): Promise<number> {
      const library = context.opened();
      const kept = await keepAlbums(
        { library, platform },
        new Map(albums.map(({ key, title }) => [key, title])),
        new Map(albums.map(({ key, ids }) => [key, ids])),
      );
      if (kept > 0) context.changed();
      return kept;
    },

    /** Remembers what an import is of, until {@link end}. */
    begin: (begun: BegunImport): Promise<void> =>
      context.opened().store.write([
        { ...PLACE, value: utf8(JSON.stringify(begun)) },
      ]),

    /** The import is done, or is not wanted any more. */
    end: (): Promise<void> =>
      context.opened().store.write([{ ...PLACE, value: null }]),

    /** An import that was begun in this browser and did not end. */
    async begun(): Promise<BegunImport | undefined> {
      const { space, key } = PLACE;
      const value = await context.opened().store.get(space, key);
      return value === undefined
        ? undefined
        : JSON.parse(fromUtf8(value) ?? "null") ?? undefined;
    },
  };
}
