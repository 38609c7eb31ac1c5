/**
 * Opening the store of a server's blobs: its directory, or a bucket as well.
 *
 * @module
 */
import type { BucketSettings } from "../../core/bucket_settings.ts";
import { type UploadId, uuidV7Source } from "../../core/ids.ts";
import type { Platform } from "../../core/platform.ts";
import type { Directories } from "./blobs.ts";
import type { Db } from "../sqlite/database.ts";
import { StoreFault } from "../failure.ts";
import type { Files } from "../files/files.ts";
import { type BlobPlace, LayeredBlobs } from "./layered_blobs.ts";
import { BucketClaim } from "../remote/s3/claim.ts";
import { S3Client } from "../remote/s3/client.ts";
import { S3Objects } from "../remote/s3/objects.ts";
import { S3Blobs } from "../remote/s3/s3_blobs.ts";
import { placeName, withKeys } from "../remote/s3/settings.ts";
import { StoredBlobs } from "./small_blobs.ts";

/** An opened bucket, with the parts that metrics and commands need. */
export interface ObjectStore {
  readonly name: string;
  readonly place: BlobPlace;
  readonly client: S3Client;
  readonly objects: S3Objects;
  readonly blobs: LayeredBlobs;
  readonly cache: S3Blobs["cache"];
  /** The claim of this data directory to the place in the bucket. */
  readonly claim: BucketClaim;
}

/** The opened store of blobs. */
interface OpenedBlobs {
  readonly blobs: StoredBlobs;
  /** Undefined if there is only the directory. */
  readonly objectStore: ObjectStore | undefined;
}

/**
 * Opens the store of a database's blobs. Throws a {@link StoreFault} if some of
 * them are in a bucket that the settings do not name.
 */
export async function openBlobs(
  db: Db,
  directories: Directories,
  { files, platform, settings }: {
    readonly files: Files;
    readonly platform: Platform;
    readonly settings: BucketSettings | undefined;
  },
): Promise<OpenedBlobs> {
  await refuseOtherBucket(db, settings);
  if (settings === undefined) {
    const blobs = new StoredBlobs(db, directories.blobs);
    return { blobs, objectStore: undefined };
  }
  const { staging, blobs: directory } = directories;
  const { place, cacheBytes } = settings;
  const client = new S3Client(withKeys(settings), platform);
  const objects = new S3Objects(client, platform.random);
  const name = placeName(settings);
  const claim = new BucketClaim({ db, objects, name, platform });
  const hold = () => claim.hold();
  const parts = { objects, db, staging, files, platform, cacheBytes, hold };
  const bucket = new S3Blobs(parts);
  const newId = uuidV7Source(platform);
  const newUploadId = () => newId<UploadId>();
  const blobs = new LayeredBlobs(
    { directory, bucket, place, db, staging, newUploadId },
  );
  return {
    blobs: new StoredBlobs(db, blobs),
    objectStore: {
      name,
      place,
      client,
      objects,
      blobs,
      cache: bucket.cache,
      claim,
    },
  };
}

/** The bucket that the server recorded at its last start. */
interface KnownBucket {
  /** The bucket that may contain blobs; null for none. */
  readonly name: string | null;
  /** Where the server places new blobs. */
  readonly place: string | null;
}

export async function knownBucket(db: Db): Promise<KnownBucket> {
  const row = await db.selectFrom("server")
    .select(["blob_bucket", "blob_place"]).executeTakeFirst();
  return { name: row?.blob_bucket ?? null, place: row?.blob_place ?? null };
}

/**
 * Claims the bucket for a server that starts as `serverId`, and records where it
 * places blobs. Throws a {@link StoreFault} where the bucket is another's.
 */
export async function startBucket(
  db: Db,
  store: ObjectStore | undefined,
  serverId: string,
): Promise<void> {
  if (store === undefined) return;
  await store.claim.start(serverId);
  await db.updateTable("server").set({ blob_place: store.place }).execute();
}

/**
 * Records that no blob lies in a bucket any more, nor is placed there by a
 * server that was started, and leaves the bucket to the next claim.
 */
export async function forgetBucket(db: Db, store: ObjectStore): Promise<void> {
  await db.updateTable("server").set({ blob_bucket: null }).execute();
  await store.claim.release();
}

async function refuseOtherBucket(
  db: Db,
  settings: BucketSettings | undefined,
): Promise<void> {
  const { name: held } = await knownBucket(db);
  if (held === null) return;
  const given = settings && placeName(settings);
  if (given === held) return;
  throw new StoreFault(
    `blobs of this server lie in ${held}, and ` +
      (given === undefined
        ? "no bucket is set: set STRONGROOM_S3_ENDPOINT, STRONGROOM_S3_BUCKET " +
          "and the keys again"
        : `${given} is set: set the first again`) +
      ", or, with it set, bring them back by strongroom blobs move --to " +
      "directory",
  );
}
