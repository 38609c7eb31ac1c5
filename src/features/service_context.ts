/**
 * What work needs that no request calls for.
 *
 * @module
 */
import type { Platform } from "../core/platform.ts";
import type { Db } from "../store/sqlite/database.ts";
import type { ObjectStore } from "../store/blobs/object_store.ts";
import type { StoredBlobs } from "../store/blobs/small_blobs.ts";
import type { Staging } from "../store/blobs/staging.ts";
import type { ActiveUploads } from "./uploads/active.ts";

/** The settings that features read, in their own words and units. */
export interface Limits {
  readonly maxBlobBytes: number;
  /** Blobs up to this size are stored in the database. */
  readonly smallBlobBytes: number;
  /** Undefined: no quota. */
  readonly accountQuotaBytes: number | undefined;
  readonly reservedDiskBytes: number;
  readonly uploadTtlMs: number;
  /** How long a deleted asset can be restored. */
  readonly trashMs: number;
  readonly openUploads: number;
  readonly sessionInactivityMs: number;
  readonly sessionLifetimeMs: number;
  readonly lockoutFailures: number;
}

/**
 * A data directory at work: enough for background work, such as counting,
 * deleting and collecting. An operator's command that runs next to the server
 * has its own, and uses the same functions as the server.
 */
export interface ServiceContext {
  readonly platform: Platform;
  readonly db: Db;
  /** Bytes that are on their way to a blob. */
  readonly staging: Staging;
  readonly blobs: StoredBlobs;
  /** The bucket for blobs, if one is set. */
  readonly objectStore: ObjectStore | undefined;
  /** Uploads under way in this process; a command has no uploads. */
  readonly uploads: ActiveUploads;
  readonly limits: Limits;
}
