/**
 * Taking files into a library, and changing and moving what is there.
 *
 * @module
 */
import type { Amendment } from "./adding/amend.ts";
import type { Ahead, TakenUp } from "./adding/background_upload.ts";
import { hashOn } from "./adding/sealed_part.ts";
import type { TakeAllOptions, TakenAll } from "./adding/take_all.ts";
import type { Kept, NewFile, UploadOptions } from "./adding/upload.ts";
import type { Discarded } from "./albums/album_ending.ts";
import { later, type LibraryContext, rowIn } from "./library_context.ts";
import type { LibraryLinks } from "./library_links.ts";
import type { Row } from "./rows/rows.ts";

/** The functions of a library that add and change photos. */
export interface LibraryAdding {
  /** Takes a file in; see `upload.ts`. */
  take(file: NewFile, options?: UploadOptions): Promise<Kept>;
  /** Seals a file for something else to send; see `background_upload.ts`. */
  sealAhead(
    file: NewFile,
    note: string,
    options?: UploadOptions,
  ): Promise<Ahead | undefined>;
  /** Looks what became of files that something else was to send. */
  takeUp(isOver: boolean): Promise<readonly TakenUp[]>;
  /** Takes many files in, several at a time; see `take_all.ts`. */
  takeAll<F extends NewFile>(
    files: AsyncIterable<F> | Iterable<F>,
    options?: TakeAllOptions<F>,
  ): Promise<TakenAll>;
  /** SHA-256 of a plaintext, with this platform's implementation. */
  hash(source: NewFile["source"], options?: UploadOptions): Promise<string>;
  /** Changes the metadata of an own asset; see `amend.ts`. */
  amend(assetId: string, amendment: Amendment): Promise<Row>;
  /** Puts an asset into an album without sending its bytes again. */
  copyInto(
    assetId: string,
    albumId: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Kept>;
  /**
   * Takes photos out of an album: they go to the trash, or are deleted for ever
   * if the library has an own copy of them, as hidden ones get before.
   */
  takeOutOf(assetIds: readonly string[]): Promise<void>;
  /**
   * Takes own photos out of an album that is left; returns how many stay. See
   * `album_ending.ts`.
   */
  takeOwnAlong(albumId: string): Promise<number>;
  /** Ends an own album and keeps its photos; see `album_ending.ts`. */
  discardAlbum(albumId: string): Promise<Discarded>;
}

/**
 * Makes the functions that add and change photos. Links that show what a file
 * replaces move to it; `sync` follows the feed.
 */
export function openAdding(
  context: LibraryContext,
  links: LibraryLinks,
  sync: () => Promise<unknown>,
): LibraryAdding {
  const { albums, flags, state, vault: { session: { platform } } } = context;
  const take = async (file: NewFile, options?: UploadOptions) => {
    const { moveLinks, takeIn } = await later();
    const kept = await takeIn(context, file, options);
    if (!kept.replaced?.length) return kept;
    const { row: { id } } = kept;
    const assets = kept.replaced.map((hash) => [hash, id] as const);
    const unreached = await moveLinks(
      { ...links, state },
      Object.fromEntries(assets),
    );
    return { ...kept, unreached };
  };
  return {
    take,
    sealAhead: async (file, note, options) =>
      await (await later()).sealAhead(context, file, note, options),
    takeUp: async (isOver) => await (await later()).takeUp(context, isOver),
    takeAll: async (files, options) =>
      await (await later()).takeAll(take, files, options),
    hash: (source, options) => hashOn(platform, source, options),
    amend: async (id, amendment) =>
      await (await later()).amendAsset(context, rowIn(context, id), amendment),
    copyInto: async (id, albumId, options) =>
      await (await later())
        .copyInto(context, rowIn(context, id), albumId, options),
    takeOutOf: async (assetIds) =>
      await (await later()).takeOutOf({ context, flags, state }, assetIds),
    takeOwnAlong: async (albumId) =>
      await (await later()).takeOwnAlong({ context, flags }, albumId),
    discardAlbum: async (albumId) =>
      await (await later()).discardAlbum(
        { context, albums, flags, sync },
        albumId,
      ),
  };
}
