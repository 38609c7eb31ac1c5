/**
 * The vault's calls for the lightbox: decrypted bytes of a photo or video,
 * whole or in parts, and further facts about it.
 *
 * @module
 */
import type { Exposure } from "../../../media/exif/mod.ts";
import { lacksPictures } from "../../../library/adding/drawn_itself.ts";
import { editPhoto } from "../../../library/care/editing_photo.ts";
import {
  FILM_MIME,
  type FilmKind,
  type FilmSides,
} from "../../../library/showing/films.ts";
import type { PhotoEdit } from "../../../client/documents/metadata.ts";
import {
  type LibraryReading,
  presentEntries,
  type Ranges,
  type Row,
  type Wanted,
} from "../../../library/mod.ts";
import type { VaultContext } from "../vault/context.ts";
import { tellStillShown } from "../vault/still_shown.ts";
import type { AnsweredRange, AskedRange } from "./videos/reader.ts";
import { gathered } from "./gathered.ts";
import { playedType } from "./played_type.ts";
import type { SmallPictures } from "./pictures/smaller.ts";
import { sendOver } from "./ports.ts";
import { faultOf } from "../../../client/stream/threads/thread_messages.ts";

/** A blob of an asset: the original, or a derivative. */
export type Part =
  | "original"
  | "thumbnail"
  | "preview"
  | "motion"
  | FilmKind;

/** The facts that a player gets before a video's bytes. */
export interface StreamHead {
  readonly mime: string;
  /** Plaintext bytes of the whole video. */
  readonly size: number;
  readonly first: number;
  readonly last: number;
}

/** The metadata of a photo that a person can change. */
interface Said {
  readonly caption?: string | undefined;
  /** RFC 3339, UTC. */
  readonly takenAt?: string;
  /** Offset of the local time, in minutes east of UTC. */
  readonly takenOffset?: number | undefined;
}

/** An album or a collection that contains a photo. */
export interface ContainingAlbum {
  readonly id: string;
  readonly kind: "album" | "collection";
  readonly title: string;
}

/**
 * A video's first piece is small, so that its first picture appears soon
 * (bytes).
 */
const FIRST_PIECE_BYTES = 256 * 1024;
const PIECE_BYTES = 1024 * 1024;
/** Number of videos that stay opened. */
const OPEN_VIDEOS = 4;
/** How much of a file is read to find its exposure (bytes). */
const FACTS_BYTES = 256 * 1024;

/** A photo, its id on its server, and what reads it. */
interface Found {
  readonly row: Row;
  readonly assetId: string;
  readonly reading: LibraryReading;
}

/** The calls of the group `viewing`. */
export function viewingCalls(context: VaultContext) {
  const photos = new ViewedPhotos(context);
  return {
    ...readingCalls(context, photos),
    ...factsCalls(context, photos),
    ...changingCalls(context, photos),
  };
}

/** The photos that are viewed, of the account or of other servers. */
class ViewedPhotos {
  /** Those that were opened last. */
  readonly #videos = new Map<string, Promise<Ranges>>();

  constructor(private readonly context: VaultContext) {}

  /** The row of a photo of the account. */
  row(id: string): Row {
    const row = this.context.opened().index.get(id);
    if (row === undefined || this.context.view().isShut(row)) {
      throw new Error(`no photo ${id}`);
    }
    return row;
  }

  /** A photo, of the account or of another server, and what reads it. */
  async found(id: string): Promise<Found> {
    const library = this.context.opened();
    if (library.index.get(id) === undefined) {
      const abroad = await this.context.photoAbroad(id);
      if (abroad !== undefined) return abroad;
    }
    return { row: this.row(id), assetId: id, reading: library };
  }

  /** Reads parts of a blob, which stays opened for a while. */
  async ranges(id: string, part: Part = "original"): Promise<Ranges> {
    const { row, assetId, reading } = await this.found(id);
    // The chain head is part of the key, because an asset's original may be
    // replaced.
    const key = `${id}/${row.head}/${part}`;
    const videos = this.#videos;
    const held = videos.get(key) ?? reading.ranges(assetId, wantedOf(part));
    videos.delete(key);
    videos.set(key, held);
    held.catch(() => videos.delete(key));
    for (const [oldest] of videos) {
      if (videos.size <= OPEN_VIDEOS) break;
      videos.delete(oldest);
    }
    return held;
  }
}

/** The calls that read a photo or play a video. */
function readingCalls(context: VaultContext, photos: ViewedPhotos) {
  return {
    /**
     * Reads a whole blob and verifies it. The port gets the number of bytes
     * done, and the message `end` on it cancels the reading.
     */
    async blob(id: string, part: Part, port?: MessagePort): Promise<Blob> {
      const { assetId, reading } = await photos.found(id);
      const ending = new AbortController();
      port?.addEventListener("message", () => ending.abort());
      port?.start();
      const pieces: BlobPart[] = [];
      try {
        const read = reading.read(assetId, wantedOf(part), {
          signal: ending.signal,
          onProgress: (bytes) => port?.postMessage(bytes),
        });
        for await (const piece of gathered(read)) pieces.push(piece);
      } finally {
        port?.close();
      }
      return new Blob(pieces);
    },

    /**
     * Answers a thread that cuts videos, over a port; see `videos/reader.ts`.
     */
    parts(id: string, port: MessagePort, part?: Part): void {
      port.onmessage = async ({ data }: MessageEvent<AskedRange>) => {
        const { first } = data;
        const answer = (answered: AnsweredRange, buffers: ArrayBuffer[] = []) =>
          port.postMessage(answered, buffers);
        try {
          const bytes = new Uint8Array(
            await (await photos.ranges(id, part)).read(data),
          );
          answer({ first, bytes }, [bytes.buffer]);
        } catch (error) {
          answer({ first, fault: faultOf(error) });
        }
      };
    },

    /** Sends a video or a part of it over a port; see `ports.ts`. */
    stream(
      id: string,
      range: { readonly first: number; readonly last?: number },
      port: MessagePort,
      part: Part = "original",
    ): void {
      sendOver<StreamHead>(port, async (signal) => {
        const { metadata } = (await photos.found(id)).row;
        const video = await photos.ranges(id, part);
        const first = Math.min(range.first, video.size);
        const last = Math.min(range.last ?? Infinity, video.size - 1);
        return {
          head: {
            mime: part === "original"
              ? playedType(metadata?.mime ?? "")
              : FILM_MIME,
            size: video.size,
            first,
            last,
          },
          pieces: piecesOf(video, first, last, signal),
        };
      }, (fault) => context.tell("unreadable", { assetId: id, fault }));
    },
  };
}

/** The calls that say more about a photo than its row does. */
function factsCalls(context: VaultContext, photos: ViewedPhotos) {
  return {
    /** The exposure of a picture, read from the file. */
    async exposure(id: string): Promise<Exposure | undefined> {
      const { metadata } = (await photos.found(id)).row;
      if (metadata?.mime.startsWith("image/") !== true) return undefined;
      const file = await photos.ranges(id);
      // The facts needed here are at the beginning of the file.
      const size = Math.min(file.size, FACTS_BYTES);
      const head = size === 0
        ? new Uint8Array()
        : await file.read({ first: 0, last: size - 1 });
      const { readMediaFacts } = await import("../../../media/exif/mod.ts");
      const facts = await readMediaFacts({
        size,
        read: (offset, length) =>
          Promise.resolve(head.slice(offset, offset + length)),
      });
      return facts.exposure;
    },

    /** The albums and collections that contain the photo. */
    async containing(id: string): Promise<readonly ContainingAlbum[]> {
      const library = context.opened();
      const { metadata } = (await photos.found(id)).row;
      const same = library.index.allByPlaintext(metadata?.sha256 ?? "");
      const albums = new Set(
        same.filter(({ state }) => state === "live").map(({ album }) => album),
      );
      const { collections } = await library.state.read();
      return [
        ...library.albums.list()
          .filter((album) => albums.has(album.id))
          .map(({ id, title = "" }) => ({ id, kind: "album", title } as const)),
        ...presentEntries(collections)
          .filter(([, { assets }]) => assets.includes(id))
          .map(([id, { title }]) => ({
            id,
            kind: "collection",
            title,
          } as const)),
      ];
    },

    /**
     * What a search calls the person who added a photo; undefined if it has no
     * name for them.
     */
    async addedBy(id: string): Promise<string | undefined> {
      const { contributorsOf } = await import(
        "../../../library/finding/search_known.ts"
      );
      return contributorsOf(context.opened()).get(photos.row(id).owner);
    },
  };
}

/** The calls that change a photo. */
function changingCalls(context: VaultContext, photos: ViewedPhotos) {
  return {
    /** Puts small pictures next to a photo of one's own that lacks them. */
    async complete(
      id: string,
      { width, height, smaller, thumbhash }: SmallPictures,
    ): Promise<void> {
      const { metadata } = photos.row(id);
      const isDone = metadata === undefined || smaller.length === 0 ||
        !lacksPictures(metadata);
      if (isDone) return;
      await context.opened().amend(id, {
        about: {
          thumbhash,
          ...(metadata.width === undefined ? { width, height } : {}),
        },
        derivatives: smaller,
      });
      context.changed();
    },

    /** See `editing_photo.ts`. */
    async edit(
      id: string,
      edit: PhotoEdit | undefined,
      made: SmallPictures,
    ): Promise<void> {
      photos.row(id);
      await editPhoto(context.opened(), id, edit, made)
        .finally(() => context.changed());
      await tellStillShown(context);
    },
    /** Notes that the person has read which links still show a photo. */
    async toldStillShown(opaqueIds: readonly string[]): Promise<void> {
      await context.opened().stillShown.told(opaqueIds);
      await tellStillShown(context);
    },

    /** See `film_calls.ts`. */
    async filmsWithout(ids: readonly string[], kind: FilmKind) {
      const { filmCalls } = await import("./film_calls.ts");
      return filmCalls(context).without(ids, kind);
    },
    async keepFilm(
      id: string,
      film: Blob,
      sides: FilmSides,
      kind: FilmKind,
      port: MessagePort,
    ): Promise<void> {
      const { filmCalls } = await import("./film_calls.ts");
      await filmCalls(context).keep(id, film, sides, kind, port);
    },

    /** See `new_derivatives.ts`. */
    async renew(id: string, original: Blob, made: SmallPictures) {
      const { renewPhoto } = await import("./new_derivatives.ts");
      await renewPhoto(context, photos.row(id), original, made);
    },

    /** Changes what is said of it. */
    async amend(id: string, said: Said): Promise<void> {
      const dated = said.takenAt !== undefined;
      await context.opened().amend(id, {
        about: {
          ...("caption" in said ? { caption: said.caption } : {}),
          ...(dated
            ? {
              taken_at: said.takenAt,
              taken_offset: said.takenOffset,
              taken_source: "person",
            }
            : {}),
        },
      });
      context.changed();
    },
  };
}

function wantedOf(part: Part): Wanted {
  return part === "original" ? part : { derivative: part };
}

async function* piecesOf(
  video: Ranges,
  first: number,
  last: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  let length = FIRST_PIECE_BYTES;
  for (let at = first; at <= last; at += length, length = PIECE_BYTES) {
    const until = Math.min(at + length - 1, last);
    yield await video.read({ first: at, last: until }, signal);
  }
}
