/**
 * Files that are copied, or given a second name, for a backup and out of one.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Files, StoredFile } from "./files.ts";

/** Reading and hashing go in pieces of this size (bytes). */
const PIECE_BYTES = 1024 * 1024;

/** What was read of a file. */
export interface FileDigest {
  readonly bytes: number;
  /** SHA-256, lowercase hex. */
  readonly sha256: string;
}

/**
 * Length and SHA-256 of a file, piece by piece, so that others have their turn
 * between two of them; undefined if there is no file.
 */
export function digestFile(
  files: Files,
  path: string,
): Promise<FileDigest | undefined> {
  return readThrough(files, path, () => {});
}

/**
 * Copies a file into a new one (mode 0600) that is on the disk when this
 * returns, and says what was copied; undefined if there is nothing to copy.
 * The name itself is durable once its directory was synced.
 */
export async function copyDurably(
  files: Files,
  from: string,
  to: string,
): Promise<FileDigest | undefined> {
  if (await files.stat(from) === undefined) return undefined;
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

async function readThrough(
  files: Files,
  path: string,
  visit: (piece: Uint8Array) => void,
): Promise<FileDigest | undefined> {
  const file: StoredFile | undefined = await files.open(path, "read");
  if (file === undefined) return undefined;
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    const whole = new Uint8Array(PIECE_BYTES);
    for (;;) {
      const length = await file.read(whole);
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

/** A blob, where it lies and where it is to lie as well. */
export interface BlobCopy {
  readonly from: string;
  readonly to: string;
  readonly hash: string;
  readonly size: number;
  /** Whether a second name for the same file will do. */
  readonly link: boolean;
}

/**
 * Brings a blob to another place, over whatever lies there. A copy is hashed
 * as it is made; a second name is of a file whose bytes nobody looked at. What
 * is not whole is not brought. Its directory is the caller's to sync.
 */
export async function bringBlob(
  files: Files,
  { from, to, hash, size, link }: BlobCopy,
): Promise<"linked" | "copied" | "missing" | "damaged"> {
  const temporary = `${to}.new`;
  await files.remove(temporary);
  if (link) {
    try {
      const facts = await files.stat(from);
      if (facts === undefined) return "missing";
      if (facts.size !== size) return "damaged";
      await files.link(from, temporary);
      await files.rename(temporary, to);
      return "linked";
    } catch {
      // Another file system, one without second names, or somebody else's
      // file: whatever else is wrong, the copy says.
      await files.remove(temporary);
    }
  }
  const copied = await copyDurably(files, from, temporary);
  if (copied?.bytes !== size || copied.sha256 !== hash) {
    await files.remove(temporary);
    return copied === undefined ? "missing" : "damaged";
  }
  await files.rename(temporary, to);
  return "copied";
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
