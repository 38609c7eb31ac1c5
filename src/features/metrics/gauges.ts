/**
 * What there is to measure of a server beside its requests
 * (watching.md#metrics), read when somebody asks.
 *
 * @module
 */
import { MINUTE_MS } from "../../core/time.ts";
import type { App } from "../app.ts";
import { ask, countOpenUploads, readDatabaseBytes, sumBlobs } from "./store.ts";

/** Blobs are summed again when the last sum is older than this. */
const BLOBS_GOOD_FOR_MS = MINUTE_MS;
/** A part of them takes a few milliseconds of the one thread. */
const BLOBS_AT_ONCE = 10_000;

/** How many blobs there are, and their bytes. */
export interface BlobSum {
  readonly count: number;
  readonly bytes: number;
}

export interface GaugeValues {
  readonly openUploads: number;
  readonly blobs: BlobSum;
  readonly databaseBytes: number;
  readonly freeDiskBytes: number;
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
  #blobs: BlobSum | undefined;
  #summedAt = -Infinity;
  #summing: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(private readonly app: App) {}

  /** Reads everything. The sum of blobs may be some minutes old. */
  async read(): Promise<GaugeValues> {
    const { db, staging, budgets, receipts, secrets: { passwords } } = this.app;
    return {
      openUploads: await countOpenUploads(db),
      blobs: await this.#sumOfBlobs(),
      databaseBytes: await readDatabaseBytes(db),
      freeDiskBytes: await staging.freeBytes(),
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

  /** Ends a sum that is under way; resolves once it has. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#summing;
  }

  /** The first asker waits for a sum; later ones are told the last. */
  async #sumOfBlobs(): Promise<BlobSum> {
    const { monotonic, log } = this.app.platform;
    if (monotonic() - this.#summedAt >= BLOBS_GOOD_FOR_MS) {
      this.#summing ??= this.#sum()
        .catch((cause) => {
          log.error("blobs not summed", { cause: String(cause) });
        })
        .finally(() => this.#summing = undefined);
    }
    if (this.#blobs === undefined) await this.#summing;
    return this.#blobs ?? { count: 0, bytes: 0 };
  }

  async #sum(): Promise<void> {
    const { db, platform } = this.app;
    const { signal } = this.#stopping;
    let [count, bytes] = [0, 0];
    let after: Parameters<typeof sumBlobs>[1] = "";
    for (;;) {
      const part = await sumBlobs(db, after, BLOBS_AT_ONCE);
      count += part.count;
      bytes += part.bytes;
      if (part.last === null || part.count < BLOBS_AT_ONCE) break;
      after = part.last;
      // A turn of the event loop for those who wait for the database.
      await platform.sleep(0, signal);
      if (signal.aborted) return;
    }
    this.#blobs = { count, bytes };
    this.#summedAt = platform.monotonic();
  }
}
