/**
 * Making a data directory. A mark lies in it until it is whole: what a first
 * start that was interrupted left is finished by the next one, while keys or
 * blobs without a database and without the mark are the rest of a server.
 *
 * @module
 */
import { type Files, writeDurably } from "./files.ts";
import { MAKING } from "./health.ts";

/** Makes the directory itself, its name and those above it durable. */
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
  // A start that was cut off may have made the directory and gone no further.
  await syncName(root, files);
  const text = "A data directory is being made here.\n";
  const path = `${root}/${MAKING}`;
  await writeDurably(files, path, new TextEncoder().encode(text));
}

/** The directory has its keys and its database, all of it on the disk. */
export async function endMaking(root: string, files: Files): Promise<void> {
  await files.remove(`${root}/${MAKING}`);
  await files.syncDirectory(root);
}

async function isMissing(path: string, files: Files): Promise<boolean> {
  try {
    return await files.stat(path) === undefined;
  } catch (error) {
    // What may not be looked at is there.
    if (error instanceof Deno.errors.NotCapable) return false;
    throw error;
  }
}

/** Makes the entry of a directory in the one above it durable. */
async function syncName(path: string, files: Files): Promise<void> {
  try {
    await files.syncDirectory(above(path));
  } catch (error) {
    // Narrow permissions end at the data directory. Syncing what was just made
    // takes its name along on the journalling file systems of Linux.
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
