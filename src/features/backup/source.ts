/**
 * Where a backup is restored from: a directory, or a place off the premises.
 *
 * @module
 */
import type { BlobHash } from "../../core/ids.ts";
import {
  bringBlob,
  type Brought,
  copyDurably,
  type FileDigest,
} from "../../store/copies.ts";
import { BlobDirectories } from "./blobs.ts";
import type { SnapshotRecord } from "./manifest.ts";
import {
  OTHER_COPIES,
  type Place,
  requireSnapshot,
  snapshotPath,
} from "./place.ts";

export interface RestoreSource {
  /** For people. */
  readonly name: string;
  /** What else there may be to restore from, for people. */
  readonly others: string;
  readonly snapshot: SnapshotRecord;
  /** The first attestation key of the server. */
  readonly attestationKey: string;
  /** What a part of it is called, for people. */
  readonly fileName: (path: string) => string;
  readonly keysName: string;
  readonly blobName: (hash: BlobHash) => string;
  /** Copies a file of the snapshot; undefined if it is missing. */
  readonly bringFile: (
    file: SnapshotRecord["files"][number],
    to: string,
  ) => Promise<FileDigest | undefined>;
  /** Brings a blob, hashed on its way. */
  readonly bringBlob: (
    blob: { readonly hash: BlobHash; readonly size: number },
    to: string,
  ) => Promise<Brought>;
}

/** The backup in a directory, whose lock the caller shares. */
export async function sourceIn(place: Place): Promise<RestoreSource> {
  const { files, dir } = place;
  const { manifest, snapshot } = await requireSnapshot(place);
  const blobs = new BlobDirectories(files, dir);
  const own = snapshotPath(place, snapshot);
  return {
    name: dir,
    others: OTHER_COPIES,
    snapshot,
    attestationKey: manifest.server.attestation_key,
    fileName: (path) => `snapshots/${snapshot.name}/${path}`,
    keysName: `${own}/keys`,
    blobName: (hash) => blobs.pathOf(hash).slice(dir.length + 1),
    bringFile: ({ path }, to) => copyDurably(files, `${own}/${path}`, to),
    bringBlob: ({ hash, size }, to) =>
      bringBlob(files, {
        ...{ from: blobs.pathOf(hash), to, hash, size },
        link: false,
      }),
  };
}
