/**
 * Making a data directory. A mark lies in it until it is complete. With the
 * mark, the next start finishes what an interrupted first start left; without
 * it, keys or blobs without a database are the remains of a server.
 *
 * @module
 */
import { type Files, writeDurably } from "./files/files.ts";
import { MAKING } from "./health.ts";

/** Makes the directory and the missing ones above it, all durably. */
export async function makeRoot(root: string, files: Files): Promise<void> {
  const missing: string[] = [];
  for (let path = root; await isMissing(path, files); path = above(path)) {
    missing.push(path);
  }
  await Deno.mkdir(root, { recursive: true, mode: 0o700 });
  for (const path of missing) await syncName(path, files);
}

/** Marks a directory as one that is being made. */
export async function beginMaking(root: string, files: Files): Promise<void> {
  // An interrupted start may have made the directory without syncing its name.
  await syncName(root, files);
  const text = "A data directory is being made here.\n";
  const path = `${root}/${MAKING}`;
  await writeDurably(files, path, new TextEncoder().encode(text));
}

/** Removes the mark; keys and database must be on the disk. */
export async function endMaking(root: string, files: Files): Promise<void> {
  await files.remove(`${root}/${MAKING}`);
  await files.syncDirectory(root);
}

async function isMissing(path: string, files: Files): Promise<boolean> {
  try {
    return await files.stat(path) === undefined;
  } catch (error) {
    // A directory that this process may not look at exists.
    if (error instanceof Deno.errors.NotCapable) return false;
    throw error;
  }
}

/** Makes the entry of a directory in the one above it durable. */
async function syncName(path: string, files: Files): Promise<void> {
  try {
    await files.syncDirectory(above(path));
  } catch (error) {
    // The process may have no permission above the data directory. On the
    // journalling file systems of Linux, syncing a new directory syncs its name
    // too.
    const isNotOurs = error instanceof Deno.errors.NotCapable ||
      error instanceof Deno.errors.PermissionDenied;
    if (!isNotOurs) throw error;
    await files.syncDirectory(path);
  }
}

function above(path: string): string {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return path.slice(0, Math.max(at, 0)) || "/";
}
