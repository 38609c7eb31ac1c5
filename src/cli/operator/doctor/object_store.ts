/**
 * Whether the object store answers, and which checks it does itself.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import { bucketSettings, type Config } from "../../../config.ts";
import { isSecureOrLoopback } from "../../../core/oidc_settings.ts";
import type { Platform } from "../../../core/platform.ts";
import { reasonOf } from "../../../core/reason.ts";
import { MENDS } from "../../../features/verification/findings.ts";
import type { Db } from "../../../store/sqlite/database.ts";
import {
  BucketClaim,
  type BucketClaimParts,
} from "../../../store/remote/s3/claim.ts";
import { openBesideServer } from "../../../store/store.ts";
import { S3Client } from "../../../store/remote/s3/client.ts";
import { S3Objects } from "../../../store/remote/s3/objects.ts";
import { placeName, withKeys } from "../../../store/remote/s3/settings.ts";
import { BlobsUnavailable } from "../../../store/blobs/unavailable.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, fault } = findingsOf("object_store");

/** Judges the bucket; no findings if none is set. */
export async function lookAtBucket(
  config: Config,
  platform: Platform,
): Promise<Finding[]> {
  const settings = bucketSettings(config);
  if (settings === undefined) return [];
  const name = placeName(settings);
  const open = isSecureOrLoopback(settings.endpoint) ? [] : [warning(
    say("{1} is reached without TLS", settings.endpoint),
    "content is encrypted and requests are signed, but anyone in " +
      "between sees who stores how much, and can withhold answers: use " +
      "https",
  )];
  const client = new S3Client(withKeys(settings), platform);
  const objects = new S3Objects(client, platform.random);
  try {
    const { checksHashes, conditions } = await objects.habits();
    for await (const _ of objects.list("blobs/")) break;
    const habits = [
      checksHashes
        ? "verifies hashes"
        : "does not verify hashes, so every blob is read back",
      conditions === "kept"
        ? "keeps conditions"
        : "does not support conditions, which are not required",
    ];
    const answers = ok(say("{1} answers; it {2}", name, habits.join(" and ")));
    const root = config.STRONGROOM_DATA_DIR;
    const owner = await lookAtOwner(root, { objects, name, platform });
    return [...open, answers, ...owner];
  } catch (error) {
    if (!(error instanceof BlobsUnavailable)) throw error;
    return [
      ...open,
      fault(
        say("{1} cannot be used ({2})", name, reasonOf(error)),
        "check the store, the network and STRONGROOM_S3_*: the keys need " +
          "permission to list the bucket and to get, put and delete objects; " +
          "403 can mean wrong keys or a wrong clock",
      ),
    ];
  }
}

/** Whether the place in the bucket is this data directory's. */
async function lookAtOwner(
  root: string,
  parts: Omit<BucketClaimParts, "db">,
): Promise<Finding[]> {
  let db: Db;
  try {
    db = await openBesideServer(root, { access: "read", withoutKeys: true });
  } catch {
    // What is wrong with the database is a finding of its own.
    return [];
  }
  try {
    const claim = new BucketClaim({ ...parts, db });
    const holder = await claim.holder();
    const what = claim.refusalOf(holder);
    if (what !== undefined) return [fault(what, MENDS.bucket_not_held)];
    return [ok(
      holder.kind === "nobody"
        ? `${parts.name} has no owner: the next start claims it`
        : `${parts.name} is this data directory's`,
    )];
  } finally {
    await db.destroy();
  }
}
