/**
 * The files of a snapshot beside its blobs: the keys, and what each file is.
 *
 * @module
 */
import { copyDurably, digestFile, syncFile } from "../../store/copies.ts";
import type { Files } from "../../store/files.ts";
import { KEY_PURPOSES, LOG_PURPOSE, settleKeyRing } from "../../store/keys.ts";
import {
  ALL_KEY_FILES,
  KEY_FILES,
  readPublishedKeys,
  requireSigner,
} from "./keys.ts";
import { DATABASE, type SnapshotRecord } from "./manifest.ts";

const LOG_FILE = `${LOG_PURPOSE}.json` as const;

/**
 * Copies the key files as they were at a generation, and sees that they are
 * those of the database.
 */
export async function bringKeys(
  files: Files,
  from: string,
  snapshot: string,
  { newest, generation }: {
    readonly newest: Uint8Array | undefined;
    readonly generation: number;
  },
): Promise<void> {
  const to = `${snapshot}/keys`;
  for (const name of KEY_FILES) {
    await copyDurably(files, `${from}/${name}`, `${to}/${name}`);
  }
  if (files.readWhole(`${from}/${LOG_FILE}`) !== undefined) {
    await copyDurably(files, `${from}/${LOG_FILE}`, `${to}/${LOG_FILE}`);
  }
  for (const purpose of [...KEY_PURPOSES, LOG_PURPOSE] as const) {
    await settleKeyRing(files, to, purpose, generation);
  }
  const keys = await readPublishedKeys(files, to, generation);
  requireSigner(keys, newest, from);
}

/** What the files of a snapshot are, once they are on the disk. */
export async function recordFiles(
  files: Files,
  snapshot: string,
): Promise<SnapshotRecord["files"]> {
  await syncFile(files, `${snapshot}/${DATABASE}`);
  await files.syncDirectory(`${snapshot}/keys`);
  await files.syncDirectory(snapshot);
  const hasLogKeys = files.readWhole(`${snapshot}/keys/${LOG_FILE}`);
  const names = hasLogKeys === undefined ? KEY_FILES : ALL_KEY_FILES;
  const paths = [DATABASE, ...names.map((name) => `keys/${name}` as const)];
  const recorded: SnapshotRecord["files"] = [];
  for (const path of paths) {
    const digest = await digestFile(files, `${snapshot}/${path}`);
    if (digest === undefined) throw new Error(`${path} is gone`);
    recorded.push({ path, ...digest });
  }
  return recorded;
}
