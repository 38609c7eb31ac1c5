/**
 * Where a backup is restored from: a directory, or a place off the premises.
 *
 * @module
 */
import type { BlobHash } from "../../core/ids.ts";
import { OperatorFault } from "../../core/operator.ts";
import type { Brought, FileDigest } from "../../store/files/copies.ts";
import type { SnapshotRecord } from "./manifest.ts";

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

/**
 * What of a backup keeps it from being restored. `around` where a restore can
 * do without it and was not told to.
 */
export function notWhole(
  { name, others }: { readonly name: string; readonly others: string },
  what: string,
  how: string,
  { around }: { readonly around: boolean },
): OperatorFault {
  return new OperatorFault(
    `${name} is damaged: ${what} ${how}. Nothing was restored; ` +
      `\`strongroom backup verify ${name}\` lists every fault, and ` +
      `${others}` +
      (around ? "; --without-damaged restores everything else" : ""),
  );
}
