/**
 * Blobs as objects of a bucket: `<prefix>blobs/ab/cd/<hash>`, as they lie in a
 * directory.
 *
 * @module
 */
import { createHash } from "node:crypto";
import {
  type BlobHash,
  parseBlobHash,
  type UploadId,
} from "../../../core/ids.ts";
import type { Platform } from "../../../core/platform.ts";
import { reasonOf } from "../../../core/reason.ts";
import type {
  BlobBytes,
  BlobStore,
  Quarantine,
  SizedHash,
} from "../../blobs/blob_store.ts";
import { digestFile, type FileDigest } from "../../files/copies.ts";
import type { Db, Tx } from "../../sqlite/database.ts";
import type { Files } from "../../files/files.ts";
import type { BlobFile, Leaf } from "../../blobs/inventory.ts";
import type { Staging } from "../../blobs/staging.ts";
import { BlobsUnavailable } from "../../blobs/unavailable.ts";
import type { Put } from "./answers.ts";
import { doom, isDoomed, quarantineOf, spokenFor } from "./ledger.ts";
import type { S3Entry } from "./listing.ts";
import type { S3Objects } from "./objects.ts";
import { removeDoomed } from "./removals.ts";
import { FileReader } from "./file_reader.ts";

/** A blob up to this size is read whole and cached for the next reader. */
const SMALL_BYTES = 256 * 1024;
/** A larger object is put in parts. */
const WHOLE_MAX_BYTES = 64 * 1024 * 1024;
/** How many small blobs are fetched at a time. */
const READS_AT_ONCE = 16;
/** How often an object is put that the store holds with other bytes. */
const PUTS = 3;

interface S3BlobsParts {
  readonly objects: S3Objects;
  readonly db: Db;
  readonly staging: Staging;
  readonly files: Files;
  readonly platform: Pick<Platform, "now" | "log">;
  readonly cacheBytes: number;
  /** Throws a `BlobsUnavailable` if the bucket is not this server's. */
  readonly hold: () => Promise<void>;
}

export class S3Blobs implements BlobStore {
  readonly quarantine: Quarantine;
  readonly cache: SmallBlobs;
  readonly #reader: FileReader;
  readonly #fetching = new Map<
    BlobHash,
    Promise<Uint8Array<ArrayBuffer> | undefined>
  >();

  constructor(private readonly parts: S3BlobsParts) {
    this.cache = new SmallBlobs(parts.cacheBytes);
    this.#reader = new FileReader(parts.files);
    this.quarantine = quarantineOf(parts.db, (hash) => this.sizeOf(hash));
  }

  /** Whether a blob is doomed: nothing may be placed in its object for now. */
  isDoomed(hash: BlobHash): Promise<boolean> {
    return isDoomed(this.parts.db, hash);
  }

  /**
   * Puts the bytes of an upload to the store, and returns once they were seen
   * there. A store that verifies the hash of a body is asked for the object's
   * size. From any other store the object is read back and hashed. The caller
   * makes sure that the blob is not doomed.
   */
  async place(uploadId: UploadId, hash: BlobHash, size: number): Promise<void> {
    const { staging } = this.parts;
    const path = staging.uploadPath(uploadId);
    if (await this.placeFile(path, hash, size) === "placed") return;
    // The file does not hold what was written to it: the client sends it again.
    await staging.drop(uploadId);
    throw new Error(`${path} is not what was written`);
  }

  /** The same for any file; "rotten" if its bytes do not have this hash. */
  async placeFile(
    path: string,
    hash: BlobHash,
    size: number,
  ): Promise<"placed" | "rotten"> {
    const { files, objects } = this.parts;
    await this.parts.hold();
    const { checksHashes } = await objects.habits();
    for (let attempt = 1;; attempt++) {
      // A later attempt overwrites the object, which was seen to be another.
      const unlessThere = attempt === 1;
      const put = size <= WHOLE_MAX_BYTES
        ? await this.#putWhole(path, hash, size, unlessThere)
        : await this.#putParts(path, hash, size, unlessThere);
      const isWhole = put !== "corrupted" &&
        (put === "put" && checksHashes
          ? await this.sizeOf(hash) === size
          : (await this.digest(hash))?.sha256 === hash);
      if (isWhole) return "placed";
      if ((await digestFile(files, path))?.sha256 !== hash) return "rotten";
      if (attempt === PUTS) {
        throw new BlobsUnavailable("it does not hold what it was given", 60);
      }
    }
  }

  async #putWhole(
    path: string,
    hash: BlobHash,
    size: number,
    unlessThere: boolean,
  ): Promise<Put> {
    return await this.#reader.withWhole(
      path,
      size,
      (bytes) =>
        this.parts.objects.put(keyOf(hash), bytes, hash, { unlessThere }),
    );
  }

  async #putParts(
    path: string,
    hash: BlobHash,
    size: number,
    unlessThere: boolean,
  ): Promise<Put> {
    if (unlessThere && await this.sizeOf(hash) === size) return "exists";
    const whole = createHash("sha256");
    const parts = this.#reader.parts(path, size, (bytes) => {
      whole.update(bytes);
    });
    return await this.parts.objects.putParts(keyOf(hash), parts, {
      unlessThere,
      verify: () => whole.digest("hex") === hash,
    });
  }

  async read(
    hash: BlobHash,
    size: number,
    first: number,
    last: number,
  ): Promise<BlobBytes | undefined> {
    if (size <= SMALL_BYTES) {
      const whole = await this.#small(hash, size);
      return whole?.subarray(first, last + 1);
    }
    const pieces = await this.parts.objects.read(
      keyOf(hash),
      size,
      first,
      last,
    );
    return pieces && ReadableStream.from(pieces);
  }

  /** A small blob, its hash verified; readers at one time share a request. */
  async #small(
    hash: BlobHash,
    size: number,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const held = this.cache.get(hash);
    if (held !== undefined) return held.length === size ? held : undefined;
    let fetching = this.#fetching.get(hash);
    if (fetching === undefined) {
      fetching = this.#fetchSmall(hash, size)
        .finally(() => this.#fetching.delete(hash));
      this.#fetching.set(hash, fetching);
    }
    return await fetching;
  }

  async #fetchSmall(
    hash: BlobHash,
    size: number,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    // A second attempt: the first answer may have been damaged on its way.
    for (let attempt = 0; attempt < 2; attempt++) {
      const pieces = await this.parts.objects.read(keyOf(hash), size);
      if (pieces === undefined) return undefined;
      const whole = new Uint8Array(size);
      let at = 0;
      await answered(async () => {
        for await (const piece of pieces) {
          whole.set(piece, at);
          at += piece.length;
        }
      });
      if (createHash("sha256").update(whole).digest("hex") !== hash) continue;
      this.cache.put(hash, whole);
      return whole;
    }
    return undefined;
  }

  sizeOf(hash: BlobHash): Promise<number | undefined> {
    return this.parts.objects.sizeOf(keyOf(hash));
  }

  async isReadable(hash: BlobHash, size: number): Promise<boolean> {
    if (size <= SMALL_BYTES) {
      return await this.#small(hash, size) !== undefined;
    }
    return await this.sizeOf(hash) === size;
  }

  /** Fetches small blobs until they fill half of the cache. */
  async warm(blobs: readonly SizedHash[]): Promise<void> {
    let room = this.parts.cacheBytes / 2;
    const small = blobs.filter(({ size }) =>
      size <= SMALL_BYTES && (room -= size) >= 0
    );
    for (let at = 0; at < small.length; at += READS_AT_ONCE) {
      await Promise.all(
        small.slice(at, at + READS_AT_ONCE)
          .map(({ hash, size }) => this.#small(hash, size)),
      );
    }
  }

  async digest(
    hash: BlobHash,
    visit?: (piece: Uint8Array) => void,
  ): Promise<FileDigest | undefined> {
    const digest = await this.#digestOnce(hash, visit);
    // A second attempt, unless `visit` was given pieces of the first.
    return digest === undefined || digest.sha256 === hash || visit !== undefined
      ? digest
      : await this.#digestOnce(hash);
  }

  async #digestOnce(
    hash: BlobHash,
    visit: (piece: Uint8Array) => void = () => {},
  ): Promise<FileDigest | undefined> {
    const size = await this.sizeOf(hash);
    if (size === undefined) return undefined;
    const sha256 = createHash("sha256");
    if (size === 0) return { bytes: 0, sha256: sha256.digest("hex") };
    const pieces = await this.parts.objects.read(keyOf(hash), size);
    if (pieces === undefined) return undefined;
    let bytes = 0;
    await answered(async () => {
      for await (const piece of pieces) {
        sha256.update(piece);
        visit(piece);
        bytes += piece.length;
      }
    });
    return { bytes, sha256: sha256.digest("hex") };
  }

  /** The object is removed after the transaction is committed. */
  async remove(tx: Tx, hash: BlobHash): Promise<void> {
    this.cache.drop(hash);
    await doom(tx, hash);
  }

  settle(): Promise<number> {
    const { db, objects, platform, hold } = this.parts;
    const removeObject = (hash: BlobHash) => objects.remove(keyOf(hash));
    return removeDoomed({ db, platform, hold, removeObject });
  }

  /** Names every object but those that are doomed or quarantined. */
  async *list(): AsyncGenerator<Leaf> {
    for await (const entries of this.parts.objects.list("blobs/")) {
      const names = entries.map(nameOf);
      const hashes = names.flatMap(({ name }) => parseBlobHash(name) ?? []);
      const held = await spokenFor(this.parts.db, hashes);
      const left = names.filter(({ name }) => !held.has(name));
      for (
        const [directory, some] of Map.groupBy(left, (one) => one.directory)
      ) {
        yield {
          directory,
          names: some.map(({ name }) => name),
          sizes: some.map(({ size }) => size),
          isBucket: true,
        };
      }
    }
  }

  async bytesOf({ hash }: BlobFile): Promise<number> {
    return await this.sizeOf(hash) ?? 0;
  }

  async liesAt(place: string): Promise<boolean> {
    return await this.parts.objects.sizeOf(place) !== undefined;
  }
}

/** The key of a blob's object, behind the prefix. */
export function keyOf(hash: BlobHash): string {
  return `blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
}

function nameOf({ key, size }: S3Entry) {
  const at = key.lastIndexOf("/");
  return { directory: key.slice(0, at), name: key.slice(at + 1), size };
}

/** Lets `work` read an answer. One that breaks off counts as none. */
async function answered(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (cause instanceof BlobsUnavailable) throw cause;
    throw new BlobsUnavailable(reasonOf(cause), 1, { cause });
  }
}

/** Approximate memory of an entry, without its bytes. */
const ENTRY_BYTES = 300;

/**
 * A bounded cache of small blobs, complete and verified, so that reading many
 * thumbnails does not take a round trip for each.
 */
class SmallBlobs {
  readonly #held = new Map<BlobHash, Uint8Array<ArrayBuffer>>();
  #bytes = 0;
  hits = 0;
  misses = 0;

  constructor(private readonly maxBytes: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  get(hash: BlobHash): Uint8Array<ArrayBuffer> | undefined {
    const held = this.#held.get(hash);
    if (held === undefined) {
      this.misses += 1;
      return undefined;
    }
    this.hits += 1;
    // Moved to the end: the first entries are removed first.
    this.#held.delete(hash);
    this.#held.set(hash, held);
    return held;
  }

  put(hash: BlobHash, bytes: Uint8Array<ArrayBuffer>): void {
    this.drop(hash);
    if (bytes.length + ENTRY_BYTES > this.maxBytes) return;
    this.#held.set(hash, bytes);
    this.#bytes += bytes.length + ENTRY_BYTES;
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.maxBytes) return;
      this.drop(oldest);
    }
  }

  drop(hash: BlobHash): void {
    const held = this.#held.get(hash);
    if (held === undefined) return;
    this.#held.delete(hash);
    this.#bytes -= held.length + ENTRY_BYTES;
  }
}
