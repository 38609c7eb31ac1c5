/**
 * What a check of the store can find, and how to fix it.
 *
 * @module
 */
import { RESTORE_BACKUP } from "../../core/operator.ts";

const UPLOAD_AGAIN =
  "restore the file from a backup, or have its owner upload the blob " +
  "again";
/** For an earlier manifest, which only the server has. */
const EARLIER =
  "restore the file from a backup. An earlier manifest cannot be uploaded " +
  "again, and the photo does not need it: the server drops it a week after " +
  "it noticed the loss, if the rest of the photo is intact";
const RESTORE = "stop the server, keep its data directory as it is, and " +
  RESTORE_BACKUP;
const COLLECT = "`strongroom gc` removes it once it is an hour old";
const SET_ASIDE =
  "`strongroom gc` moves it to lost/ for a week; if there are many, " +
  "the database may not belong to these blobs";

/** The fix for a finding of each kind. */
export const MENDS = {
  database_damaged: RESTORE,
  reference_broken: RESTORE,
  /** A part of the check could not be done. */
  unreadable: "fix what the error names, then check again",
  holding_without_blob: UPLOAD_AGAIN,
  holding_of_other_size: RESTORE,
  holding_without_asset: RESTORE,
  holding_without_receipt: RESTORE,
  contribution_without_blob:
    "restore the file from a backup, or delete the contribution",
  state_damaged: RESTORE,
  asset_without_manifest: RESTORE,
  asset_without_provenance: RESTORE,
  asset_without_original: RESTORE,
  usage_miscounted: "`strongroom check --recount` counts it again",
  blob_missing: UPLOAD_AGAIN,
  history_lost: EARLIER,
  blob_set_aside: "`strongroom gc` puts it back",
  blob_of_other_size: UPLOAD_AGAIN,
  blob_corrupt: UPLOAD_AGAIN,
  blob_unneeded:
    "`strongroom gc` removes it: nothing references this blob any more, so " +
    "it need not be uploaded again",
  blob_unreadable: "fix the disk or the file's permissions, or else " +
    UPLOAD_AGAIN,
  blob_file_unknown: SET_ASIDE,
  upload_file_unknown: COLLECT,
  bucket_not_held:
    "two data directories on one bucket remove each other's blobs: " +
    "give one of them another bucket or STRONGROOM_S3_PREFIX; " +
    "`strongroom blobs claim` says more",
  file_foreign:
    "remove it from the data directory: this program did not put it " +
    "there",
  log_tile_damaged: "`strongroom log rebuild` writes the tiles again",
  log_contradicted: "the database lost or changed what was signed: " + RESTORE,
  log_witnessed_otherwise:
    "this data directory is older than what the server has signed: " +
    "look for a newer copy; if there is none, restart the server, and " +
    "its logs get another name",
  receipt_invalid: RESTORE,
  receipt_misdated:
    "run `strongroom keys rotate attestation` once: it extends the " +
    "time of every key to the last receipt that it signed",
  receipt_out_of_chain: RESTORE,
} as const;

export type FindingKind = keyof typeof MENDS;

/** One thing that is wrong. */
export interface Finding<Kind extends string = FindingKind> {
  readonly kind: Kind;
  /** What it is about: a hash, an id, a place in the data directory. */
  readonly subject: string;
  /** A sentence for people. */
  readonly detail: string;
  readonly mend: string;
}

/** Findings as they come: all of them counted, so many of them kept. */
export class Findings<Kind extends string = FindingKind> {
  readonly kept: Finding<Kind>[] = [];
  readonly counts = new Map<Kind, number>();

  constructor(
    private readonly maxKept: number,
    private readonly mends: Readonly<Record<Kind, string>>,
  ) {}

  /** How many there are, those that are not kept included. */
  get found(): number {
    return this.counts.values().reduce((sum, count) => sum + count, 0);
  }

  /** With its own fix where that of its kind does not help. */
  add(
    kind: Kind,
    subject: string,
    detail: string,
    mend: string = this.mends[kind],
  ): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (this.kept.length >= this.maxKept) return;
    this.kept.push({ kind, subject, detail, mend });
  }
}
