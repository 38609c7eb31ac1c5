/**
 * A directory and a bucket together: blobs are placed in the chosen one and
 * found in both, so that a command can move them while the server runs.
 *
 * A blob that moves is durable at its new place before it is removed from the
 * old one, so at every moment one of the two has it. Readers look into the
 * directory first.
 *
 * @module
 */
import type { BlobHash, UploadId } from "../../core/ids.ts";
import type {
  BlobBytes,
  BlobStore,
  PlaceOptions,
  Quarantine,
  SizedHash,
} from "./blob_store.ts";
import type { BlobDirectory } from "./blobs.ts";
import type { FileDigest } from "../files/copies.ts";
import { type Db, transaction, type Tx } from "../sqlite/database.ts";
import type { BlobFile, Leaf } from "./inventory.ts";
import {
  countDoomed,
  endStay,
  isDoomed,
  listStayed,
  noteStayed,
} from "../remote/s3/ledger.ts";
import type { S3Blobs } from "../remote/s3/s3_blobs.ts";
import type { Staging } from "./staging.ts";
import { BlobsUnavailable } from "./unavailable.ts";

/** Where blobs are placed. */
export type BlobPlace = "directory" | "s3";

/** The outcome of moving a blob. */
export type Moved =
  | "moved"
  /** It was at its new place already, and nowhere else. */
  | "there"
  /**
   * An object of this blob is being removed or was removed too recently; the
   * move is tried later.
   */
  | "waits"
  | "missing"
  /** Its bytes are not those of its hash; it stays where it is. */
  | "damaged";

interface LayeredParts {
  readonly directory: BlobDirectory;
  readonly bucket: S3Blobs;
  readonly place: BlobPlace;
  readonly db: Db;
  readonly staging: Staging;
  readonly newUploadId: () => UploadId;
}

export class LayeredBlobs implements BlobStore {
  readonly quarantine: Quarantine;

  constructor(private readonly parts: LayeredParts) {
    this.quarantine = bothQuarantines(
      parts.directory.quarantine,
      parts.bucket.quarantine,
    );
  }

  async place(
    uploadId: UploadId,
    hash: BlobHash,
    size: number,
    options: PlaceOptions = {},
  ): Promise<void> {
    const { directory, bucket, place, db } = this.parts;
    if (place === "directory") {
      return await directory.place(uploadId, hash, size, options);
    }
    await options.synced;
    if (!await bucket.isDoomed(hash)) {
      try {
        await bucket.place(uploadId, hash, size);
        // Readers look into the directory first: a file that lies there, and
        // may be damaged, is replaced too, and removed by settle.
        if (await directory.sizeOf(hash) === undefined) return;
      } catch (cause) {
        const mustTake = options.mustTake && cause instanceof BlobsUnavailable;
        if (!mustTake) throw cause;
      }
    }
    // It is moved to the bucket later, by settle.
    await directory.place(uploadId, hash, size, options);
    await noteStayed(db, hash, size);
  }

  async read(
    hash: BlobHash,
    size: number,
    first: number,
    last: number,
  ): Promise<BlobBytes | undefined> {
    const { directory, bucket } = this.parts;
    return await directory.read(hash, size, first, last) ??
      await bucket.read(hash, size, first, last);
  }

  async sizeOf(hash: BlobHash): Promise<number | undefined> {
    const { directory, bucket } = this.parts;
    return await directory.sizeOf(hash) ?? await bucket.sizeOf(hash);
  }

  async isReadable(hash: BlobHash, size: number): Promise<boolean> {
    const { directory, bucket } = this.parts;
    return await directory.isReadable(hash, size) ||
      await bucket.isReadable(hash, size);
  }

  async warm(blobs: readonly SizedHash[]): Promise<void> {
    const { directory, bucket } = this.parts;
    const far: SizedHash[] = [];
    for (const one of blobs) {
      if (await directory.sizeOf(one.hash) === undefined) far.push(one);
    }
    await bucket.warm(far);
  }

  async digest(
    hash: BlobHash,
    visit?: (piece: Uint8Array) => void,
  ): Promise<FileDigest | undefined> {
    const { directory, bucket } = this.parts;
    return await directory.digest(hash, visit) ??
      await bucket.digest(hash, visit);
  }

  async remove(tx: Tx, hash: BlobHash): Promise<void> {
    await this.parts.bucket.remove(tx, hash);
    await this.parts.directory.remove(tx, hash);
  }

  async settle(): Promise<number> {
    const failed = await this.parts.bucket.settle();
    await this.#bringAfter();
    return failed;
  }

  /** Moves to the bucket the blobs that could not be placed there. */
  async #bringAfter(): Promise<void> {
    const { bucket, db, place } = this.parts;
    if (place === "directory") return;
    for (const { hash, size } of await listStayed(db)) {
      if (await bucket.isDoomed(hash)) continue;
      try {
        if (await this.move(hash, size) !== "waits") await endStay(db, hash);
      } catch (cause) {
        if (!(cause instanceof BlobsUnavailable)) throw cause;
        return;
      }
    }
  }

  async *list(): AsyncGenerator<Leaf> {
    yield* this.parts.directory.list();
    yield* this.parts.bucket.list();
  }

  bytesOf(file: BlobFile): Promise<number> {
    const { directory, bucket } = this.parts;
    return file.isObject ? bucket.bytesOf(file) : directory.bytesOf(file);
  }

  async liesAt(place: string): Promise<boolean> {
    const { directory, bucket } = this.parts;
    return await directory.liesAt(place) || await bucket.liesAt(place);
  }

  /** Number of objects that are still to be removed from the bucket. */
  left(): Promise<number> {
    return countDoomed(this.parts.db);
  }

  /**
   * Moves a blob to the place that is chosen for blobs. The call can be
   * repeated; one that is killed leaves the blob in at least one place.
   */
  move(hash: BlobHash, size: number): Promise<Moved> {
    return this.parts.place === "s3"
      ? this.#toBucket(hash, size)
      : this.#toDirectory(hash, size);
  }

  async #toBucket(hash: BlobHash, size: number): Promise<Moved> {
    const { directory, bucket, db } = this.parts;
    const held = await directory.sizeOf(hash);
    if (held === undefined) return "there";
    if (held !== size) return "damaged";
    if (await bucket.isDoomed(hash)) return "waits";
    const path = directory.blobPath(hash);
    if (await bucket.placeFile(path, hash, size) === "rotten") return "damaged";
    return await transaction(db, async (tx) => {
      // If the blob was doomed and placed again meanwhile, this file is its
      // only copy.
      if (await isDoomed(tx, hash)) return "waits";
      await directory.remove(tx, hash);
      return "moved";
    });
  }

  async #toDirectory(hash: BlobHash, size: number): Promise<Moved> {
    const { directory, bucket, db, staging } = this.parts;
    const wasThere = await directory.sizeOf(hash) === size &&
      (await directory.digest(hash))?.sha256 === hash;
    if (wasThere) {
      if (await bucket.sizeOf(hash) === undefined) return "there";
    } else {
      const uploadId = this.parts.newUploadId();
      try {
        const fetched = await this.#bring(uploadId, hash);
        if (fetched !== "whole") return fetched;
        await directory.place(uploadId, hash);
      } finally {
        await staging.discard(uploadId);
      }
    }
    await transaction(db, async (tx) => {
      if (await directory.sizeOf(hash) === size) await bucket.remove(tx, hash);
    });
    return "moved";
  }

  async #bring(
    uploadId: UploadId,
    hash: BlobHash,
  ): Promise<"whole" | "missing" | "damaged"> {
    const { bucket, staging } = this.parts;
    const file = await staging.openUpload(uploadId, 0);
    try {
      const digest = await bucket.digest(hash, (piece) => file.write(piece));
      if (digest === undefined) return "missing";
      return digest.sha256 === hash ? "whole" : "damaged";
    } finally {
      file.close();
    }
  }
}

function bothQuarantines(
  directory: Quarantine,
  bucket: Quarantine,
): Quarantine {
  const quarantineOf = ({ isObject }: { readonly isObject?: boolean }) =>
    isObject ? bucket : directory;
  return {
    isApart: (file) => quarantineOf(file).isApart(file),
    keepsAll: () => directory.keepsAll(),
    add: (tx, file, day) => quarantineOf(file).add(tx, file, day),
    async *list() {
      yield* directory.list();
      yield* bucket.list();
    },
    find: async (hash) => await directory.find(hash) ?? await bucket.find(hash),
    bytesOf: (file) => quarantineOf(file).bytesOf(file),
    remove: (tx, file) => quarantineOf(file).remove(tx, file),
    putBack: (tx, file, hash) => quarantineOf(file).putBack(tx, file, hash),
  };
}
