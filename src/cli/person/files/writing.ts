/**
 * Plaintext into files of this machine: never over what is there, under its
 * name only once all of it was read and is on the disk.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import type { Wanted } from "../../../library/mod.ts";
import { nativePrimitives } from "../../../client/keys/native.ts";
import { toHex, utf8 } from "../../../core/bytes.ts";
import { openFile } from "./describing.ts";
import { type KnownFile, stampOf } from "../local_store.ts";
import { foldedName, type NameRules, nextName } from "./names.ts";
import type { CliContext } from "../cli_context.ts";
import { renameNew } from "./set_aside.ts";

const MOST_OF_A_NAME = 10_000;

/** A blob of an asset that is to be a file. */
export interface Piece {
  readonly assetId: string;
  readonly wanted: Wanted;
  /** When it was taken: the file's date (milliseconds since the epoch). */
  readonly at: number;
  /** What it is, as far as the metadata says so. */
  readonly known?: { readonly sha256?: string; readonly size: number };
  /** Whether a file of the asset that is known here is this one. */
  readonly isHeld: (held: KnownFile) => boolean;
}

/** What became of it. */
interface Written {
  readonly what: "written" | "there";
  readonly path: string;
}

/** A name for a piece: a file that is this piece already, or one to be made. */
export interface Placed {
  readonly isThere: boolean;
  readonly path: string;
}

/** The names that a run has given out, as a file system keeps them apart. */
export class TakenNames {
  readonly #names = new Set<string>();
  readonly #folds: boolean;
  /** Longest name (bytes). */
  readonly maxBytes: number;

  constructor({ folds, maxBytes }: NameRules) {
    this.#folds = folds;
    this.maxBytes = maxBytes;
  }

  has(path: string): boolean {
    return this.#names.has(this.#keyOf(path));
  }

  add(path: string): void {
    this.#names.add(this.#keyOf(path));
  }

  delete(path: string): void {
    this.#names.delete(this.#keyOf(path));
  }

  #keyOf(path: string): string {
    return this.#folds ? foldedName(path) : path;
  }
}

/**
 * Finds a file that is the piece, or a name that is free, from `wanted` on.
 * `taken` has the names of this run, so that a disk without letter case loses
 * none of two; the name is among them from now on.
 */
export async function place(
  cli: CliContext,
  piece: Piece,
  wanted: string,
  taken: TakenNames,
): Promise<Placed> {
  const { local } = cli;
  // This very piece, where an earlier run wrote it.
  for (const held of local.filesOf(piece.assetId)) {
    if (dirname(held.path) !== dirname(wanted) || !piece.isHeld(held)) continue;
    const info = await statOf(held.path);
    if (info?.size !== held.size || info.modifiedAt !== held.modifiedAt) {
      continue;
    }
    taken.add(held.path);
    return { isThere: true, path: held.path };
  }
  for (let number = 1; number < MOST_OF_A_NAME; number++) {
    const path = nextName(wanted, number, taken.maxBytes);
    if (taken.has(path)) continue;
    const info = await statOf(path);
    const isSame = info !== undefined && info.size === piece.known?.size &&
      await hashOf(cli, path) === await sha256Of(cli, piece);
    // Others look for names meanwhile.
    if ((info !== undefined && !isSame) || taken.has(path)) continue;
    taken.add(path);
    if (isSame) await note(cli, piece, path);
    return { isThere: isSame, path };
  }
  throw new Error(`there are already ${MOST_OF_A_NAME} files with that name`);
}

/**
 * Writes a piece under the name that was found for it, or another one if that
 * was taken meanwhile. `onBytes` gets the number of bytes written so far.
 */
export async function write(
  cli: CliContext,
  piece: Piece,
  placed: Placed,
  taken: TakenNames,
  onBytes: (bytes: number) => void = () => {},
): Promise<Written> {
  const { isThere, path } = placed;
  if (isThere) return { what: "there", path };
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    const part = join(dirname(path), `.${piece.assetId}.part`);
    await writePart(cli, piece, part, onBytes);
    const at = new Date(piece.at);
    await Deno.utime(part, at, at);
    cli.signal.throwIfAborted();
    if (await renameNew(part, path)) {
      await note(cli, piece, path);
      return { what: "written", path };
    }
    await Deno.remove(part);
  } catch (error) {
    taken.delete(path);
    throw error;
  }
  const other = await place(cli, piece, path, taken);
  return await write(cli, piece, other, taken, onBytes);
}

async function note(cli: CliContext, piece: Piece, path: string) {
  const info = await Deno.stat(path);
  cli.local.noteFile({
    path,
    ...stampOf(info),
    sha256: piece.known?.sha256 ?? await hashOf(cli, path),
    assetId: piece.assetId,
  });
}

/** Of the plaintext, which is read where the metadata does not say it. */
async function sha256Of(
  { library, signal }: CliContext,
  { assetId, wanted, known }: Piece,
): Promise<string> {
  if (known?.sha256 !== undefined) return known.sha256;
  const hash = nativePrimitives.sha256();
  for await (const piece of library.read(assetId, wanted, { signal })) {
    hash.update(piece);
  }
  return toHex(hash.digest());
}

async function hashOf({ signal }: CliContext, path: string): Promise<string> {
  using opened = await openFile(path);
  return await opened.hash(signal);
}

/** A small file under its name once it is whole, unless something has it. */
export async function writeNew(path: string, text: string): Promise<void> {
  if (await statOf(path) !== undefined) return;
  const part = join(dirname(path), `.${basename(path)}.part`);
  try {
    await Deno.writeTextFile(part, text, { mode: 0o600 });
    if (await renameNew(part, path)) return;
  } catch (error) {
    await Deno.remove(part).catch(() => undefined);
    throw error;
  }
  await Deno.remove(part);
}

/** A file of this program's own, in the place of the one before. */
export async function replaceOwn(
  path: string,
  pieces: Iterable<string> | AsyncIterable<Uint8Array>,
): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  const part = join(dirname(path), `.${basename(path)}.part`);
  try {
    await Deno.remove(part).catch(() => undefined);
    const file = await Deno.open(part, {
      write: true,
      createNew: true,
      mode: 0o600,
    });
    try {
      for await (const piece of pieces) {
        await writeAll(
          file,
          typeof piece === "string" ? utf8(piece) : piece,
        );
      }
      await file.sync();
    } finally {
      file.close();
    }
    await Deno.rename(part, path);
  } catch (error) {
    await Deno.remove(part).catch(() => undefined);
    throw error;
  }
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  let at = 0;
  while (at < bytes.length) at += await file.write(bytes.subarray(at));
}

async function writePart(
  { library, signal }: CliContext,
  { assetId, wanted }: Piece,
  part: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let written = 0;
  const file = await Deno.open(part, {
    write: true,
    create: true,
    truncate: true,
    mode: 0o600,
  });
  try {
    await library.pull(assetId, {
      async write(bytes) {
        await writeAll(file, bytes);
        onBytes(written += bytes.length);
      },
      close: () => file.sync(),
      abort: () => Promise.resolve(),
    }, { signal, wanted });
  } catch (error) {
    // Whatever failed, such as the disk: no partial file is left.
    await Deno.remove(part).catch(() => undefined);
    throw error;
  } finally {
    file.close();
  }
}

async function statOf(path: string) {
  try {
    const info = await Deno.lstat(path);
    return { size: info.size, modifiedAt: info.mtime?.getTime() ?? 0 };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
