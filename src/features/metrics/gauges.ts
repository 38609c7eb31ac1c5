/**
 * Gauges of a server, other than those of requests
 * (watching/metrics.md#metrics), read when they are asked for.
 *
 * @module
 */
import type { App } from "../app.ts";
import { ask, countOpenUploads, readDatabaseBytes, sumBlobs } from "./store.ts";

/** How many blobs there are, and their bytes. */
interface BlobSum {
  readonly count: number;
  readonly bytes: number;
}

/** What the database, the disk and the limiter say at one moment. */
export interface GaugeValues {
  readonly openUploads: number;
  readonly blobs: BlobSum;
  readonly databaseBytes: number;
  readonly freeDiskBytes: number;
  readonly freeInodes: number;
  /** Since the server started. */
  readonly receiptsIssued: number;
  /** Blobs that were asked for and are lost, since the server started. */
  readonly blobsLost: number;
  /** Undefined where blobs lie in the directory alone. */
  readonly objectStore: ObjectStoreValues | undefined;
  /** Password hashes that run or wait. */
  readonly hashesPending: number;
  /** Requests that a budget refused since the server started, by its name. */
  readonly refusals: ReadonlyMap<string, number>;
}

/** What a bucket was asked since the server started. */
export interface ObjectStoreValues {
  /** Requests by what was asked, with and without an answer that counts. */
  readonly answered: ReadonlyMap<string, number>;
  readonly failed: ReadonlyMap<string, number>;
  /** Whether it did not answer lately, and is not asked for now. */
  readonly isAway: boolean;
  readonly cacheBytes: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
}

export class Gauges {
  constructor(private readonly app: App) {}

  /** Reads everything. */
  async read(): Promise<GaugeValues> {
    const { db, staging, budgets, receipts, secrets: { passwords } } = this.app;
    return {
      openUploads: await countOpenUploads(db),
      blobs: await sumBlobs(db),
      databaseBytes: await readDatabaseBytes(db),
      freeDiskBytes: await staging.freeBytes(),
      freeInodes: await staging.freeInodes(),
      receiptsIssued: receipts.issued,
      blobsLost: this.app.signals.lostBlobs.count,
      objectStore: this.#readObjectStore(),
      hashesPending: passwords.pending(),
      refusals: budgets.refusals(),
    };
  }

  /** Whether the database answers: reads can be served. */
  async isReady(): Promise<boolean> {
    try {
      await ask(this.app.db);
      return true;
    } catch (cause) {
      this.app.platform.log.error("the database does not answer", {
        cause: String(cause),
      });
      return false;
    }
  }

  /** Whether the data directory's file system takes writes. */
  async takesWrites(): Promise<boolean> {
    return await this.app.staging.takesWrites();
  }

  #readObjectStore(): ObjectStoreValues | undefined {
    const { objectStore } = this.app;
    if (objectStore === undefined) return undefined;
    const { client: { counts, circuit }, cache } = objectStore;
    return {
      ...counts,
      isAway: circuit.isOpen,
      cacheBytes: cache.bytes,
      cacheHits: cache.hits,
      cacheMisses: cache.misses,
    };
  }
}
