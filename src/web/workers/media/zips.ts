/**
 * Making zips while they are read. Nothing is compressed, because photographs
 * and videos are compressed already.
 *
 * @module
 */
import { makeZip } from "client-zip";
import { concatBytes } from "../../../core/bytes.ts";
import { sha256Hex } from "../../../crypto/sha256.ts";
import {
  foldedName,
  nextName,
  safeName,
} from "../../../media/exports/file_names.ts";
import {
  EXPORT_FILES,
  exportListing,
  exportPath,
  hashesByAlbum,
  videoName,
  videoOf,
  withMarks,
} from "../../../library/showing/export_layout.ts";
import { sidecarJson } from "../../../media/exports/sidecar_json.ts";
import { xmpOf } from "../../../media/exports/xmp_writer.ts";
import {
  DamagedBlob,
  type Library,
  presentEntries,
  type Row,
  takenAt,
} from "../../../library/mod.ts";
import { DocumentError } from "../../../library/mod.ts";
import type { PlaceNames } from "../../../library/finding/place_names.ts";
import type { VaultContext } from "../vault/context.ts";
import { placeNames } from "../finding/place_names.ts";
import { piecesOf } from "../../../client/stream/chunks.ts";

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
   * sidecars next to each file.
   */
  readonly isExport: boolean;
  /** The number of the part, if an export has several; the first is 1. */
  readonly part?: number;
  /** The name by which the page follows it and cancels it. */
  readonly job?: string;
}

/** Hears what becomes of the files of a zip. */
interface ZipWatcher {
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
  const named = options.isExport ? await namesOf(rows) : {};
  const entries = entriesOf(
    library,
    rows,
    { ...options, ...named },
    listing,
    signal,
    watcher,
  );
  const inputs = (async function* () {
    for await (const { input, ...entry } of entries) {
      context.presence.worked();
      yield { ...entry, input: Array.isArray(input) ? new Blob(input) : input };
    }
  })();
  return piecesOf(makeZip(inputs, { buffersAreUTF8: true }));
}

/** Without a connection nothing is exported anyway. */
async function namesOf(
  rows: readonly Row[],
): Promise<{ readonly names?: PlaceNames }> {
  const isPlaced = rows.some(({ metadata }) => metadata?.place !== undefined);
  return isPlaced ? { names: await placeNames() } : {};
}

async function* entriesOf(
  library: Library,
  rows: readonly Row[],
  { isExport, part = 1, names }: ZipOptions & { readonly names?: PlaceNames },
  listing: Listing | undefined,
  signal: AbortSignal,
  watcher: ZipWatcher,
): AsyncGenerator<Entry, void> {
  const taken = new Set<string>();
  const paths = new Map<string, string>();
  const videos = new Map<string, string>();
  const sums: [sha256: string, path: string][] = [];
  const unread: string[] = [];
  const titles = new Map(
    library.albums.list().map(({ id, title }) => [id, title ?? id.slice(0, 8)]),
  );
  for (const row of rows) {
    const { metadata } = row;
    if (metadata === undefined) continue;
    signal.throwIfAborted();
    const path = freePath(
      isExport ? exportPath(row, titles) : safeName(metadata.name),
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
      if (!isLost(error)) throw error;
      unread.push(metadata.name);
      watcher.unread(metadata.name);
      continue;
    }
    paths.set(row.id, path);
    sums.push([metadata.sha256, path]);
    const video = videoOf(row);
    if (video !== undefined) {
      const beside = freePath(
        videoName(path, video, metadata.name),
        taken,
      );
      try {
        const bytes = await heldVideo(library, row, signal, watcher);
        yield { name: beside, lastModified, input: [bytes] };
        videos.set(row.id, beside);
        sums.push([sha256Hex(bytes), beside]);
      } catch (error) {
        if (!isLost(error)) throw error;
        const lost = videoName(metadata.name, video);
        unread.push(lost);
        watcher.unread(lost);
      }
    }
    watcher.written();
    if (!isExport) continue;
    const told = withMarks(row, library.flags.of(row));
    const { metadata: known = metadata } = told;
    const locality = names?.localityOf(known.place);
    const beside = (ending: string, input: string): Entry => ({
      name: `${path}.${ending}`,
      lastModified,
      input,
    });
    yield beside("json", sidecarJson(told, locality));
    yield beside("xmp", xmpOf(known, locality));
  }
  if (listing === undefined) return;
  const lastModified = new Date(Math.max(ZIP_EPOCH_MS, ...rows.map(takenAt)));
  const ofPart = (name: string) =>
    part === 1 ? name : name.replace(/(?=\.\w+$)/, `-${part}`);
  yield {
    name: ofPart(EXPORT_FILES.list),
    lastModified,
    input: listing(paths, videos, unread),
  };
  yield {
    name: ofPart(EXPORT_FILES.sums),
    lastModified,
    input: sums.map(([sha256, path]) => `${sha256}  ${path}\n`).join(""),
  };
}

/** Whether an error is of one file alone, so that the others can follow. */
function isLost(error: unknown): boolean {
  return error instanceof DamagedBlob || error instanceof DocumentError;
}

/** The video of a live photo, which is short. */
async function heldVideo(
  library: Library,
  { id }: Row,
  signal: AbortSignal,
  watcher: ZipWatcher,
): Promise<Uint8Array<ArrayBuffer>> {
  const read = library.read(id, { derivative: "motion" }, { signal });
  return concatBytes(...await Array.fromAsync(counted(read, watcher)));
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
type Listing = (
  paths: Paths,
  videos: Paths,
  unread: readonly string[],
) => string;

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
): Promise<Listing> {
  const { userId, address } = context.signedIn();
  const { collections } = await library.state.read();
  // A photo is in the zip once, and may be in several albums.
  const hashes = hashesByAlbum(library.list());
  return (paths, videos, unread) =>
    exportListing({
      exportedAt: context.platform.now(),
      server: context.server,
      userId,
      address,
      rows: rows.map((row) => withMarks(row, library.flags.of(row))),
      paths,
      videos,
      collections: presentEntries(collections)
        .map(([id, one]) => ({ ...one, id })),
      albums: library.albums.list().map((album) => ({
        ...album,
        hashes: hashes.get(album.id) ?? [],
      })),
      unread,
    });
}
