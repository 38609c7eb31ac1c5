/**
 * Making zips while they are read. Nothing is compressed, because photographs
 * and films are compressed already.
 *
 * @module
 */
import { makeZip } from "client-zip";
import {
  foldedName,
  nextName,
  safeName,
} from "../../client/exports/file_names.ts";
import { sidecarJson } from "../../client/exports/sidecar_json.ts";
import { xmpOf } from "../../client/exports/xmp_writer.ts";
import {
  DamagedBlob,
  type Library,
  presentEntries,
  type Row,
  takenAt,
} from "../../client/library/mod.ts";
import { localDay } from "../../client/library/search.ts";
import { DocumentError } from "../../client/library/mod.ts";
import type { VaultContext } from "./context.ts";
import { piecesOf } from "../../client/stream.ts";

/**
 * A file up to this size is read completely before it is put into the zip
 * (bytes).
 */
const HELD_BYTES = 64 * 1024 * 1024;
/** The earliest time that zips can express. */
const ZIP_EPOCH_MS = Date.UTC(1980, 0, 2);

/** Options of making a zip. */
export interface ZipOptions {
  /**
   * Whether it is an export: with folders by album, year and month, and
   * sidecars beside each file.
   */
  readonly isExport: boolean;
  /** The number of the part, if an export has several; the first is 1. */
  readonly part?: number;
  /** The name by which the page follows it and cancels it. */
  readonly job?: string;
}

/** Hears what becomes of the files of a zip. */
export interface ZipWatcher {
  /** It could not be read, and is not in the zip. */
  readonly unread: (name: string) => void;
  /** So many bytes of a file were read. */
  readonly read: (bytes: number) => void;
  /** A file is in the zip. */
  readonly written: () => void;
}

interface Entry {
  readonly name: string;
  readonly lastModified: Date;
  readonly input:
    | string
    | Uint8Array<ArrayBuffer>[]
    | AsyncIterable<Uint8Array>;
}

/** The bytes of a zip. */
export async function zipStream(
  context: VaultContext,
  rows: readonly Row[],
  options: ZipOptions,
  signal: AbortSignal,
  watcher: ZipWatcher,
): Promise<AsyncIterable<Uint8Array>> {
  const library = context.opened();
  const listing = options.isExport
    ? await listingOf(context, library, rows)
    : undefined;
  const entries = entriesOf(library, rows, options, listing, signal, watcher);
  const inputs = (async function* () {
    for await (const { input, ...entry } of entries) {
      context.presence.worked();
      yield { ...entry, input: Array.isArray(input) ? new Blob(input) : input };
    }
  })();
  return piecesOf(makeZip(inputs, { buffersAreUTF8: true }));
}

async function* entriesOf(
  library: Library,
  rows: readonly Row[],
  { isExport, part = 1 }: ZipOptions,
  listing: ((paths: Paths, unread: readonly string[]) => string) | undefined,
  signal: AbortSignal,
  watcher: ZipWatcher,
): AsyncGenerator<Entry, void> {
  const taken = new Set<string>();
  const paths = new Map<string, string>();
  const unread: string[] = [];
  const titles = new Map(
    library.albums.list().map(({ id, title }) => [id, title ?? id.slice(0, 8)]),
  );
  for (const row of rows) {
    const { metadata } = row;
    if (metadata === undefined) continue;
    signal.throwIfAborted();
    const name = safeName(metadata.name);
    const path = freePath(
      isExport ? folderOf(row, titles) + name : name,
      taken,
    );
    const lastModified = new Date(Math.max(takenAt(row), ZIP_EPOCH_MS));
    const read = counted(
      library.read(row.id, "original", { signal }),
      watcher,
    );
    try {
      const input = metadata.size <= HELD_BYTES
        ? await Array.fromAsync(read, (piece) => new Uint8Array(piece))
        : read;
      yield { name: path, lastModified, input };
    } catch (error) {
      // Nothing of the file is in the zip yet, so the others can follow.
      const isLost = error instanceof DamagedBlob ||
        error instanceof DocumentError;
      if (!isLost) throw error;
      unread.push(metadata.name);
      watcher.unread(metadata.name);
      continue;
    }
    watcher.written();
    paths.set(row.id, path);
    if (!isExport) continue;
    yield { name: `${path}.json`, lastModified, input: sidecarJson(row) };
    yield { name: `${path}.xmp`, lastModified, input: xmpOf(metadata) };
  }
  if (listing === undefined) return;
  yield {
    name: part === 1
      ? "strongroom-export.json"
      : `strongroom-export-${part}.json`,
    lastModified: new Date(Math.max(ZIP_EPOCH_MS, ...rows.map(takenAt))),
    input: listing(paths, unread),
  };
}

async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  watcher: ZipWatcher,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    watcher.read(piece.length);
    yield piece;
  }
}

type Paths = ReadonlyMap<string, string>;

/**
 * The folder of a file of an export: the one that it was in when it was added,
 * or by year and month. What is in an album alone is under the album's title.
 */
function folderOf(row: Row, titles: ReadonlyMap<string, string>): string {
  const title = titles.get(row.album ?? "");
  if (title !== undefined) return `albums/${safeName(title)}/`;
  const folders = (row.metadata?.path ?? "").split("/")
    .filter((one) => one !== "");
  if (folders.length > 0) return `photos/${folders.map(safeName).join("/")}/`;
  const [year, month] = localDay(row).toISOString().split("-");
  return `photos/${year}/${month}/`;
}

/** Takes the path, or a similar one if it is taken. */
export function freePath(path: string, taken: Set<string>): string {
  for (let number = 1;; number++) {
    const tried = nextName(path, number);
    const folded = foldedName(tried);
    if (taken.has(folded)) continue;
    taken.add(folded);
    return tried;
  }
}

/** The listing of the export, as `strongroom export-all` writes it. */
async function listingOf(
  context: VaultContext,
  library: Library,
  rows: readonly Row[],
) {
  const { userId, address } = context.signedIn();
  const { collections } = await library.state.read();
  // A photo is in the zip once, and may be in several albums.
  const inAlbums = new Map<string, string[]>();
  for (const { album = "", metadata } of library.list()) {
    if (metadata === undefined) continue;
    const hashes = inAlbums.get(album) ?? [];
    inAlbums.set(album, hashes);
    hashes.push(metadata.sha256);
  }
  return (paths: Paths, unread: readonly string[]) => {
    const pathOf = new Map(rows.flatMap(({ id, metadata }) => {
      const path = paths.get(id);
      return metadata === undefined || path === undefined
        ? []
        : [[metadata.sha256, path] as const];
    }));
    const listed = {
      exported_at: new Date(context.platform.now()).toISOString(),
      server: context.server,
      user_id: userId,
      address,
      files: rows.map(({ id, album, owner, metadata }) => ({
        asset_id: id,
        path: paths.get(id),
        album_id: album,
        owner,
        name: metadata?.name,
        size: metadata?.size,
        sha256: metadata?.sha256,
      })),
      collections: presentEntries(collections).map((
        [id, { title, assets }],
      ) => ({ collection_id: id, title, assets })),
      albums: library.albums.list().map((
        { id, title, role, owner, members },
      ) => ({
        album_id: id,
        title,
        role,
        owner,
        members,
        files: (inAlbums.get(id) ?? []).flatMap((hash) =>
          pathOf.get(hash) ?? []
        ).sort(),
      })),
      ...(unread.length === 0 ? {} : { unread }),
    };
    return `${JSON.stringify(listed, null, 2)}\n`;
  };
}
