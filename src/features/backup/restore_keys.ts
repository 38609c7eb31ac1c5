/**
 * Bringing the key files alone out of a backup: for a data directory that lost
 * them, or to keep them somewhere else.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { equalBytes } from "../../core/bytes.ts";
import { linkOrCopy, removeTree } from "../../store/files/copies.ts";
import { type Files, makeDirectoryDurably } from "../../store/files/files.ts";
import { KEY_PURPOSES, requireKeyRing } from "../../store/keys.ts";
import { KEY_FILES } from "./keys.ts";
import { notWhole, type RestoreSource } from "./source.ts";

/** Where the files wait until they are known to be the right ones. */
const WAITING = "keys-restored";

export interface KeysRestored {
  /** Names of the files that were put there. */
  readonly brought: readonly string[];
  /** Names of those that were there already, and are the same. */
  readonly kept: readonly string[];
}

/**
 * Brings the key files of a backup into `keys/` of a directory whose lock the
 * caller has. A file that is there stays: one that differs is refused. `judge`
 * is given the directory of the files and throws where they belong to another
 * database.
 */
export async function restoreKeys(
  { files, dataDir }: { readonly files: Files; readonly dataDir: string },
  source: RestoreSource,
  judge: (directory: string) => Promise<void>,
): Promise<KeysRestored> {
  const waiting = `${dataDir}/${WAITING}`;
  await removeTree(files, waiting);
  try {
    await makeDirectoryDurably(files, waiting);
    await bring(files, source, waiting);
    await judge(waiting);
    return await putInPlace(files, waiting, `${dataDir}/keys`);
  } finally {
    await removeTree(files, waiting);
  }
}

async function bring(
  files: Files,
  source: RestoreSource,
  to: string,
): Promise<void> {
  for (const file of source.snapshot.files) {
    const name = KEY_FILES.find((one) => file.path === `keys/${one}`);
    if (name === undefined) continue;
    const copied = await source.bringFile(file, `${to}/${name}`);
    if (copied?.bytes === file.bytes && copied.sha256 === file.sha256) continue;
    throw notWhole(
      source,
      source.fileName(file.path),
      copied === undefined ? "is missing" : "was changed since the backup",
      { around: false },
    );
  }
  for (const purpose of KEY_PURPOSES) {
    requireKeyRing(files, to, purpose);
  }
}

async function putInPlace(
  files: Files,
  from: string,
  to: string,
): Promise<KeysRestored> {
  await makeDirectoryDurably(files, to);
  const isThere = (name: string) =>
    files.readWhole(`${to}/${name}`) !== undefined;
  const kept = KEY_FILES.filter(isThere);
  // Before any file is written: keys of two servers fit neither of them.
  for (const name of kept) {
    const [there, ours] = [to, from].map((place) =>
      files.readWhole(`${place}/${name}`)
    );
    if (there && ours && equalBytes(there, ours)) continue;
    throw new OperatorFault(
      `${to}/${name} exists and differs from the backup's, so nothing ` +
        "was changed: it may have a newer key. Move it away only if it " +
        "cannot be used",
    );
  }
  const brought = KEY_FILES.filter((name) =>
    !isThere(name) && files.readWhole(`${from}/${name}`) !== undefined
  );
  for (const name of brought) {
    await linkOrCopy(files, `${from}/${name}`, `${to}/${name}`);
  }
  await files.syncDirectory(to);
  return { brought, kept };
}
