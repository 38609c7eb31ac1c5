/**
 * Copying files, or giving them a second name, for making and restoring
 * backups.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { BlobHash } from "../../core/ids.ts";
import type { Files, StoredFile } from "./files.ts";

/** Files are read and hashed in pieces of this size (bytes). */
const PIECE_BYTES = 1024 * 1024;

/** The length and the hash of a file. */
export interface FileDigest {
  readonly bytes: number;
  /** SHA-256, lowercase hex. */
  readonly sha256: string;
}

/** Error codes of a disk that can no longer read what was written to it. */
const ROTTEN: ReadonlySet<unknown> = new Set(["EIO", "EBADMSG", "EUCLEAN"]);

/** The disk cannot read the bytes of a file. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
  /** The system's own code. */
  readonly code: unknown;

  constructor(path: string, cause: Error & { readonly code: unknown }) {
    super(`${path} cannot be read (${cause.message})`, { cause });
    this.code = cause.code;
  }
}

/**
 * Runs an operation that reads a file; an error of the disk then names the
 * file.
 */
export async function reading<T>(
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw ROTTEN.has(error.code) ? new UnreadableFile(path, error) : error;
  }
}

/**
 * Length and SHA-256 of a file, read piece by piece, so that other work can run
 * in between; undefined if there is no file. Throws {@link UnreadableFile}.
 */
export function digestFile(
  files: Files,
  path: string,
): Promise<FileDigest | undefined> {
  return readThrough(files, path, () => {});
}

/**
 * Copies a file into a new one (mode 0600), which is on the disk when this
 * returns; returns its length and hash, or undefined if there is nothing to
 * copy. Its name is durable once the directory is synced.
 */
export async function copyDurably(
  files: Files,
  from: string,
  to: string,
): Promise<FileDigest | undefined> {
  const facts = await reading(from, () => files.stat(from));
  if (facts === undefined) return undefined;
  const target = await files.open(to, "create");
  if (target === undefined) throw new Error(`cannot create ${to}`);
  try {
    const copied = await readThrough(
      files,
      from,
      (piece) => target.write(piece),
    );
    await target.sync();
    return copied;
  } finally {
    target.close();
  }
}

/** The same, with each piece handed to `visit` as it is read. */
export async function readThrough(
  files: Files,
  path: string,
  visit: (piece: Uint8Array) => void,
): Promise<FileDigest | undefined> {
  const file: StoredFile | undefined = await reading(
    path,
    () => files.open(path, "read"),
  );
  if (file === undefined) return undefined;
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    const whole = new Uint8Array(PIECE_BYTES);
    for (;;) {
      const length = await reading(path, () => file.read(whole));
      if (length === null) return { bytes, sha256: hash.digest("hex") };
      const piece = whole.subarray(0, length);
      hash.update(piece);
      visit(piece);
      bytes += length;
    }
  } finally {
    file.close();
  }
}

/**
 * Gives a file a second name, or copies it; the name is durable once its
 * directory is synced.
 */
export async function linkOrCopy(
  files: Files,
  from: string,
  to: string,
): Promise<void> {
  try {
    if (await files.link(from, to)) return;
    // The name may be left from an interrupted call.
    await files.remove(to);
    if (await files.link(from, to)) return;
  } catch {
    // exFAT and some network file systems do not support second names.
  }
  await files.remove(to);
  await files.copy(from, to);
  await syncFile(files, to);
}

/** Returns once a file's bytes are on the disk. */
export async function syncFile(files: Files, path: string): Promise<void> {
  const file = await files.open(path, "write");
  if (file === undefined) throw new Error(`missing ${path}`);
  try {
    await file.sync();
  } finally {
    file.close();
  }
}

/** A blob to bring to another place. */
interface BlobCopy {
  readonly from: string;
  readonly to: string;
  readonly hash: string;
  readonly size: number;
  /** Whether a second name for the same file will do. */
  readonly link: boolean;
  /** Whether a second name is given only after the bytes were hashed. */
  readonly hashed?: boolean;
}

/**
 * The outcome of bringing a blob; the last three mean that nothing is at its
 * new place.
 */
export type Brought =
  | "linked"
  | "copied"
  | "missing"
  | "damaged"
  | "unreadable";

/**
 * Brings a blob to another place, replacing what is there. A copy is hashed
 * while it is made; a second name is given without reading the file, unless
 * `hashed` is set. A blob that is not complete is not brought. The caller has
 * to sync the directory.
 */
export async function bringBlob(
  files: Files,
  blob: BlobCopy,
): Promise<Brought> {
  // Tried twice, because a disk may succeed the second time.
  for (let attempt = 0;; attempt++) {
    try {
      return await bringOnce(files, blob);
    } catch (error) {
      await files.remove(`${blob.to}.new`);
      if (!(error instanceof UnreadableFile)) throw error;
      if (attempt === 1) return "unreadable";
    }
  }
}

async function bringOnce(
  files: Files,
  { from, to, hash, size, link, hashed = false }: BlobCopy,
): Promise<Brought> {
  const temporary = `${to}.new`;
  await files.remove(temporary);
  const isWhole = (digest: FileDigest | undefined) =>
    digest?.bytes === size && digest.sha256 === hash;
  if (link) {
    const facts = await reading(from, () => files.stat(from));
    if (facts === undefined) return "missing";
    if (facts.size !== size) return "damaged";
    if (hashed && !isWhole(await digestFile(files, from))) return "damaged";
    try {
      await files.link(from, temporary);
      await files.rename(temporary, to);
      // Renaming between two names of one file does nothing and leaves both.
      if (hashed) await files.remove(temporary);
      return "linked";
    } catch {
      // It is another file system, one without second names, or another user's
      // file. The copy below reports any other error.
      await files.remove(temporary);
    }
  }
  const copied = await copyDurably(files, from, temporary);
  if (!isWhole(copied)) {
    await files.remove(temporary);
    return copied === undefined ? "missing" : "damaged";
  }
  await files.rename(temporary, to);
  return "copied";
}

/** Reads a blob to its end, wherever it lies. */
type Digesting = (
  hash: BlobHash,
  visit: (piece: Uint8Array) => void,
) => Promise<FileDigest | undefined>;

/**
 * Brings a blob that has no file here. A blob that is not complete is not
 * brought.
 */
export async function fetchBlob(
  files: Files,
  digest: Digesting,
  { to, hash, size }: { to: string; hash: BlobHash; size: number },
): Promise<Extract<Brought, "copied" | "missing" | "damaged">> {
  const temporary = `${to}.new`;
  await files.remove(temporary);
  const file = await files.open(temporary, "create");
  if (file === undefined) throw new Error(`cannot create ${temporary}`);
  let found: FileDigest | undefined;
  try {
    found = await digest(hash, (piece) => file.write(piece));
    await file.sync();
  } finally {
    file.close();
  }
  if (found?.bytes === size && found.sha256 === hash) {
    await files.rename(temporary, to);
    return "copied";
  }
  await files.remove(temporary);
  return found === undefined ? "missing" : "damaged";
}

/** Removes a file, or a directory with all that is in it. */
export async function removeTree(files: Files, path: string): Promise<void> {
  if (await files.stat(path) === undefined) return;
  try {
    const names = await Array.fromAsync(files.list(path));
    for (const name of names) await removeTree(files, `${path}/${name}`);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotADirectory)) throw error;
  }
  await files.remove(path);
}

/** A file's bytes piece by piece, each in memory of its own. */
export async function* piecesOf(
  files: Files,
  path: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const file = await reading(path, () => files.open(path, "read"));
  if (file === undefined) throw new FileGone(`${path} is not there`);
  try {
    for (;;) {
      const piece = new Uint8Array(PIECE_BYTES);
      const length = await reading(path, () => file.read(piece));
      if (length === null) return;
      yield piece.subarray(0, length);
    }
  } finally {
    file.close();
  }
}

/** A file that was to be read, and is not there. */
export class FileGone extends Error {
  override readonly name = "FileGone";
}
