/**
 * A data directory that a backup is restored into. While that goes on, a file
 * in it says so: nobody takes half of a backup for the whole of it.
 *
 * @module
 */
import { removeTree } from "./copies.ts";
import { StoreFault } from "./database.ts";
import { type Files, makeDirectoryDurably, writeDurably } from "./files.ts";

/** Lies in a data directory while a backup is restored into it. */
const MARK = "restore-unfinished";
/** What a restore puts there, beside the lock. */
const PARTS = ["blobs", "db", "keys", "uploads"];
/**
 * What lies in a directory that is empty: file systems have the second, and
 * the last is a runtime's, where the directory is also somebody's home.
 */
const NOTHING = ["lock", "lost+found", `${MARK}.new`, ".cache"];

/** Refuses a data directory that holds part of a backup ({@link StoreFault}). */
export async function refuseUnfinished(
  root: string,
  files: Files,
): Promise<void> {
  if (await files.stat(`${root}/${MARK}`) === undefined) return;
  throw new StoreFault(
    `${root} holds part of a backup, for restoring it was interrupted: run ` +
      "`strongroom restore` again, which begins anew",
  );
}

/**
 * Refuses a data directory in which anything lies ({@link StoreFault}), but
 * what an interrupted restore left there.
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
 * Marks a vacant directory, whose lock the caller has, and makes the parts
 * that are filled before a server starts; what an interrupted restore left is
 * removed. That it is vacant the caller has seen ({@link refuseUnlessEmpty}).
 */
export async function beginRestore(root: string, files: Files): Promise<void> {
  const text = "A backup is being restored into this directory.\n";
  await writeDurably(files, `${root}/${MARK}`, new TextEncoder().encode(text));
  for (const part of PARTS) await removeTree(files, `${root}/${part}`);
  for (const part of ["blobs", "db", "keys"]) {
    await makeDirectoryDurably(files, `${root}/${part}`);
  }
}

/** The directory holds the whole of the backup, all of it on the disk. */
export async function endRestore(root: string, files: Files): Promise<void> {
  await files.syncDirectory(root);
  await files.remove(`${root}/${MARK}`);
  await files.syncDirectory(root);
}

/** Empties a directory again after {@link beginRestore}, whole or not. */
export async function abandonRestore(
  root: string,
  files: Files,
): Promise<void> {
  await files.remove(`${root}/${MARK}.new`);
  for (const part of PARTS) await removeTree(files, `${root}/${part}`);
  await endRestore(root, files);
}
