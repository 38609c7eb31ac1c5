/**
 * The files of a folder, each with its thumbnail where there is one, and
 * reading them piece by piece.
 *
 * @module
 */
import { basename, join } from "node:path";
import { type Extent, extentOf, mediaTypeOf } from "./media.ts";

/** Pieces that files are read and written in (bytes). */
const PIECE_BYTES = 1024 * 1024;
/** An image's extent stands before this, whatever metadata it carries. */
const HEAD_BYTES = 256 * 1024;

const THUMBNAILS = "thumbnails";
const NOT_SAMPLES: readonly string[] = ["LICENSES.md"];

/** A file to keep. */
export interface SourceFile {
  readonly path: string;
  /** Path inside the folder, for people. */
  readonly shown: string;
  /** The last part of the path. */
  readonly name: string;
  readonly mime: string;
  readonly size: number;
  readonly extent?: Extent;
  readonly thumbnail?: Thumbnail;
}

/** The image of the same base name in the `thumbnails` folder next to a file. */
export interface Thumbnail {
  readonly path: string;
  readonly mime: string;
  readonly size: number;
  readonly extent: Extent;
}

/** A folder that cannot be used; the message is one line for people. */
export class FolderFault extends Error {
  override readonly name = "FolderFault";
}

/**
 * Every file under a folder in the order of their paths. Each is opened once,
 * so that an unreadable one is found before anything is begun. Throws a
 * {@link FolderFault}.
 */
export async function readFolder(folder: string): Promise<SourceFile[]> {
  const info = await statOf(folder);
  if (info === undefined) throw new FolderFault(`there is no folder ${folder}`);
  if (!info.isDirectory) throw new FolderFault(`${folder} is not a folder`);
  const files: SourceFile[] = [];
  const unreadable: string[] = [];
  for (const shown of (await listFiles(folder, "")).toSorted()) {
    try {
      const file = await describe(folder, shown);
      if (file !== undefined) files.push(file);
    } catch (error) {
      unreadable.push(`${shown} (${reasonOf(error)})`);
    }
  }
  const [first, ...more] = unreadable;
  if (first !== undefined) {
    const others = more.length === 0 ? "" : `, and ${more.length} more`;
    throw new FolderFault(`cannot read ${first}${others} in ${folder}`);
  }
  if (files.length === 0) throw new FolderFault(`${folder} holds no files`);
  return files;
}

/** What went wrong with a file, in a few words. */
function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "it is not there";
  if (error instanceof Deno.errors.PermissionDenied) return "not permitted";
  return error instanceof Error ? error.message : String(error);
}

async function listFiles(folder: string, under: string): Promise<string[]> {
  const found: string[] = [];
  let entries: Deno.DirEntry[];
  try {
    entries = await Array.fromAsync(Deno.readDir(join(folder, under)));
  } catch (error) {
    throw new FolderFault(
      `cannot read folder ${join(folder, under)} (${reasonOf(error)})`,
    );
  }
  for (const { name, isDirectory } of entries) {
    const shown = under === "" ? name : `${under}/${name}`;
    // A link to a folder is not followed: it may lead back.
    if (isDirectory) {
      if (name !== THUMBNAILS) found.push(...await listFiles(folder, shown));
    } else if (!NOT_SAMPLES.includes(name)) found.push(shown);
  }
  return found;
}

/** Undefined for what is no file: a folder behind a link, a socket, a device. */
async function describe(
  folder: string,
  shown: string,
): Promise<SourceFile | undefined> {
  const path = join(folder, shown);
  const info = await Deno.stat(path);
  if (!info.isFile) return undefined;
  const name = basename(path);
  const extent = extentOf(await readHead(path));
  const thumbnail = await findThumbnail(path);
  return {
    path,
    shown,
    name,
    mime: mediaTypeOf(name),
    size: info.size,
    ...(extent === undefined ? {} : { extent }),
    ...(thumbnail === undefined ? {} : { thumbnail }),
  };
}

async function findThumbnail(path: string): Promise<Thumbnail | undefined> {
  const name = basename(path);
  const base = name.replace(/\.[^.]+$/, "");
  for (const candidate of new Set([`${base}.jpg`, `${base}.png`, name])) {
    const thumbnail = join(path, "..", THUMBNAILS, candidate);
    const info = await statOf(thumbnail);
    if (info?.isFile !== true) continue;
    const extent = extentOf(await readHead(thumbnail));
    if (extent === undefined) continue;
    const mime = mediaTypeOf(candidate);
    return { path: thumbnail, mime, size: info.size, extent };
  }
  return undefined;
}

async function statOf(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new FolderFault(`cannot read ${path} (${reasonOf(error)})`);
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  using file = await Deno.open(path);
  return await readFully(file, new Uint8Array(HEAD_BYTES));
}

/** A file's bytes in pieces that are each valid until the next. */
export async function* piecesOfFile(
  path: string,
): AsyncGenerator<Uint8Array, void> {
  using file = await Deno.open(path);
  const piece = new Uint8Array(PIECE_BYTES);
  for (;;) {
    const length = await file.read(piece);
    if (length === null) return;
    yield piece.subarray(0, length);
  }
}

/** Fills a buffer from a file as far as the file goes; the filled part. */
export async function readFully(
  file: Deno.FsFile,
  buffer: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  let filled = 0;
  while (filled < buffer.length) {
    const length = await file.read(buffer.subarray(filled));
    if (length === null) break;
    filled += length;
  }
  return buffer.subarray(0, filled);
}
