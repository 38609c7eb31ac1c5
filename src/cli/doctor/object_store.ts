/**
 * Whether the object store answers, and what it does of its own accord.
 *
 * @module
 */
import { bucketSettings, type Config } from "../../config.ts";
import { isSecureOrLoopback } from "../../core/oidc_settings.ts";
import type { Platform } from "../../core/platform.ts";
import { reasonOf } from "../../core/reason.ts";
import { S3Client } from "../../store/s3/client.ts";
import { S3Objects } from "../../store/s3/objects.ts";
import { placeName, withKeys } from "../../store/s3/settings.ts";
import { BlobsUnavailable } from "../../store/unavailable.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, fault } = findingsOf("object_store");

/** Nothing where there is none. */
export async function lookAtBucket(
  config: Config,
  platform: Platform,
): Promise<Finding[]> {
  const settings = bucketSettings(config);
  if (settings === undefined) return [];
  const name = placeName(settings);
  const open = isSecureOrLoopback(settings.endpoint) ? [] : [warning(
    `${settings.endpoint} is reached without TLS`,
    "what is stored is encrypted and requests are signed, but whoever is in " +
      "between sees who stores how much, and may leave answers out: use https",
  )];
  const client = new S3Client(withKeys(settings), platform);
  const objects = new S3Objects(client, platform.random);
  try {
    const { checksHashes, conditions } = await objects.habits();
    for await (const _ of objects.list("blobs/")) break;
    const habits = [
      checksHashes
        ? "holds what it is given to its hash"
        : "does not look at hashes, so that every blob is read back",
      conditions === "kept"
        ? "keeps conditions"
        : "knows no conditions, which none is needed for",
    ];
    return [...open, ok(`${name} answers; it ${habits.join(" and ")}`)];
  } catch (error) {
    if (!(error instanceof BlobsUnavailable)) throw error;
    return [
      ...open,
      fault(
        `${name} takes and gives nothing (${reasonOf(error)})`,
        "see to the store and the way there, and to STRONGROOM_S3_*: the keys " +
          "have to be allowed to list the bucket, and to get, put and delete " +
          "objects; 403 is said of wrong keys, and of a clock that is wrong",
      ),
    ];
  }
}
