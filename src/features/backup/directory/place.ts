/**
 * The directory of a backup:
 *
 *     strongroom-backup.json              what it consists of
 *     snapshots/<n>/strongroom.sqlite     the database
 *     snapshots/<n>/keys/*.json           the keys, mode 0600
 *     blobs/ab/cd/<hash>                  as in a data directory
 *     state.json                          what one backup leaves to the next
 *     lock
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import {
  type Files,
  makeDirectoryDurably,
  writeDurably,
} from "../../../store/files/files.ts";
import { removeTree } from "../../../store/files/copies.ts";
import {
  type Manifest,
  parseManifest,
  renderManifest,
  type SnapshotRecord,
} from "../manifest.ts";

/** A backup's directory. */
export interface Place {
  readonly files: Files;
  /** Absolute path. */
  readonly dir: string;
}

export const MANIFEST = "strongroom-backup.json";

/** What a backup that was interrupted early leaves in an empty directory. */
const NOTHING = ["lock", "lost+found", `${MANIFEST}.new`];

/** Name of a snapshot's directory. */
export const SNAPSHOT = /^[1-9]\d{0,8}$/;

/** Path of a snapshot's directory. */
export function snapshotPath(
  { dir }: Place,
  { name }: Pick<SnapshotRecord, "name">,
): string {
  return `${dir}/snapshots/${name}`;
}

/**
 * The manifest of a directory; undefined where there is no backup. A
 * directory that holds something else is an {@link OperatorFault}, and so is a
 * manifest that was changed.
 */
export async function readManifest(
  { files, dir }: Place,
): Promise<Manifest | undefined> {
  const bytes = files.readWhole(`${dir}/${MANIFEST}`);
  if (bytes === undefined) {
    const names = await Array.fromAsync(files.list(dir));
    const foreign = names.find((name) => !NOTHING.includes(name));
    if (foreign === undefined) return undefined;
    throw new OperatorFault(
      `${dir} contains no backup (it has ${foreign}, but no ` +
        `${MANIFEST}): give the directory of a backup, or an empty one for ` +
        "a new backup",
    );
  }
  const manifest = parseManifest(bytes);
  if (manifest === "newer") {
    throw new OperatorFault(
      `${dir} was made by a newer program: run that one`,
    );
  }
  if (manifest !== "changed") return manifest;
  throw new OperatorFault(
    `${dir}/${MANIFEST} was changed since it was written: use another ` +
      "copy of this backup, or make a new one in an empty directory",
  );
}

/** The snapshot that a directory holds, or an {@link OperatorFault}. */
export async function requireSnapshot(
  place: Place,
): Promise<{ manifest: Manifest; snapshot: SnapshotRecord }> {
  const manifest = await readManifest(place);
  const snapshot = manifest?.snapshot ?? undefined;
  if (manifest !== undefined && snapshot !== undefined) {
    return { manifest, snapshot };
  }
  throw new OperatorFault(
    `${place.dir} contains no complete backup: make one with ` +
      `\`strongroom backup ${place.dir}\``,
  );
}

/** Puts a manifest in place, durably and at once. */
export async function commitManifest(
  { files, dir }: Place,
  manifest: Manifest,
): Promise<void> {
  await writeDurably(files, `${dir}/${MANIFEST}`, renderManifest(manifest));
}

/** Removes every snapshot but the one that the manifest names. */
export async function removeSnapshots(
  { files, dir }: Place,
  kept: SnapshotRecord | null,
): Promise<void> {
  for (const name of await Array.fromAsync(files.list(`${dir}/snapshots`))) {
    if (name === kept?.name || !SNAPSHOT.test(name)) continue;
    await removeTree(files, `${dir}/snapshots/${name}`);
  }
}

/** Makes a fresh snapshot's directory, with one for its keys. */
export async function makeSnapshot(
  place: Place,
  record: Pick<SnapshotRecord, "name">,
): Promise<string> {
  const { files, dir } = place;
  const path = snapshotPath(place, record);
  await removeTree(files, path);
  await makeDirectoryDurably(files, `${dir}/snapshots`);
  await makeDirectoryDurably(files, path);
  await makeDirectoryDurably(files, `${path}/keys`);
  return path;
}
