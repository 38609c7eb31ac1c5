/**
 * Marks a data directory while a backup is restored into it, so that nothing
 * takes a part of the backup for the whole.
 *
 * @module
 */
import { removeTree } from "./files/copies.ts";
import { StoreFault } from "./failure.ts";
import { dropLease, LEASE } from "./lease.ts";
import {
  type Files,
  makeDirectoryDurably,
  writeDurably,
} from "./files/files.ts";

/** Name of the mark. */
const MARK = "restore-unfinished";
/** Directories that a restore makes. */
const PARTS = ["blobs", "db", "keys", "uploads"];
/**
 * Names that an empty directory may have: a file system makes `lost+found`, and
 * the runtime makes `.cache` in a directory that is also a user's home.
 */
const NOTHING = ["lock", LEASE, "lost+found", `${MARK}.new`, ".cache"];

/** Refuses a data directory that holds part of a backup ({@link StoreFault}). */
export async function refuseUnfinished(
  root: string,
  files: Files,
): Promise<void> {
  if (await files.stat(`${root}/${MARK}`) === undefined) return;
  throw new StoreFault(
    `${root} holds part of a backup, because restoring it was interrupted: ` +
      "run `strongroom restore` again, which starts over",
  );
}

/**
 * Refuses, with a {@link StoreFault}, a data directory that is not empty;
 * leftovers of an interrupted restore do not count.
 */
export async function refuseUnlessEmpty(
  root: string,
  files: Files,
): Promise<void> {
  const names = await Array.fromAsync(files.list(root));
  const allowed = names.includes(MARK) ? [...NOTHING, ...PARTS, MARK] : NOTHING;
  const foreign = names.find((name) => !allowed.includes(name));
  if (foreign === undefined) return;
  throw new StoreFault(
    `${root} is not empty (${foreign}): a backup is restored into a data ` +
      "directory of its own; name another with --data-dir, or move what is " +
      "there out of the way",
  );
}

/**
 * Marks a directory, removes the leftovers of an interrupted restore and makes
 * the parts to fill. The caller holds the lock and has checked that the
 * directory is empty ({@link refuseUnlessEmpty}).
 */
export async function beginRestore(root: string, files: Files): Promise<void> {
  const text = "A backup is being restored into this directory.\n";
  await writeDurably(files, `${root}/${MARK}`, new TextEncoder().encode(text));
  await dropLease(root, files);
  for (const part of PARTS) await removeTree(files, `${root}/${part}`);
  for (const part of ["blobs", "db", "keys"]) {
    await makeDirectoryDurably(files, `${root}/${part}`);
  }
}

/**
 * Syncs the directory and removes the mark; the whole backup must be in place.
 */
export async function endRestore(root: string, files: Files): Promise<void> {
  await files.syncDirectory(root);
  await files.remove(`${root}/${MARK}`);
  await files.syncDirectory(root);
}

/**
 * Empties a directory again after {@link beginRestore}, however far the restore
 * came.
 */
export async function abandonRestore(
  root: string,
  files: Files,
): Promise<void> {
  await files.remove(`${root}/${MARK}.new`);
  for (const part of PARTS) await removeTree(files, `${root}/${part}`);
  await endRestore(root, files);
}
