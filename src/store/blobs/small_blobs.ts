/**
 * Small blobs in the database, and all others where they lie.
 *
 * A manifest, a metadata blob and most thumbnails have a few kilobytes. As a
 * file each of them takes a temporary name, a rename and two syncs; as a row it
 * takes part in the commit that its receipt and its feed entry need anyway. So
 * a small blob is either there with everything that speaks of it, or not at
 * all.
 *
 * Blobs that were stored as files, under another setting, stay files. A blob that has a row is read from its row, whatever
 * file lies there.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { BlobHash, UploadId } from "../../core/ids.ts";
import { SMALL_BLOB_MAX_BYTES } from "../../core/sizes.ts";
import type {
  BlobBytes,
  BlobStore,
  PlaceOptions,
  Quarantine,
  SizedHash,
} from "./blob_store.ts";
import type { Directories } from "./blobs.ts";
import { compiledOnce, compiledWrite } from "../sqlite/compiled.ts";
import type { FileDigest } from "../files/copies.ts";
import { changeCompiled, type Db, type Tx } from "../sqlite/database.ts";
import type { BlobFile, Leaf } from "./inventory.ts";

/** Condition on a row of `blob`: its bytes are in the database. */
export const IN_DATABASE = sql<boolean>`exists (select 1 from small_blob
  where small_blob.hash = blob.hash)`;

const keep = compiledWrite(
  (db, { hash, bytes }: { hash: BlobHash; bytes: Uint8Array }) =>
    db.insertInto("small_blob").values({ hash, bytes })
      .onConflict((conflict) => conflict.column("hash").doUpdateSet({ bytes })),
);

const findBytes = compiledOnce((db: Db, hash: BlobHash) =>
  db.selectFrom("small_blob").select("bytes").where("hash", "=", hash)
);

const findSize = compiledOnce((db: Db, hash: BlobHash) =>
  db.selectFrom("small_blob")
    .select(sql<number>`length(bytes)`.as("size"))
    .where("hash", "=", hash)
);

/** What lies in a data directory's database and directories, without a bucket. */
export function storedIn(
  db: Db,
  { staging, blobs }: Directories,
): Pick<Directories, "staging"> & { readonly blobs: StoredBlobs } {
  return { staging, blobs: new StoredBlobs(db, blobs) };
}

/** The blobs of a server: small ones in its database, the rest elsewhere. */
export class StoredBlobs implements BlobStore {
  readonly quarantine: Quarantine;

  constructor(
    private readonly db: Db,
    /** Where blobs lie that have no row in `small_blob`. */
    private readonly files: BlobStore,
  ) {
    this.quarantine = files.quarantine;
  }

  /**
   * Stores the bytes of a small blob, in place of any that are there, in the
   * transaction that says whose it is. The caller has verified the hash and
   * inserted the blob's row.
   */
  async keepSmall(
    tx: Tx,
    hash: BlobHash,
    bytes: Uint8Array,
  ): Promise<void> {
    if (bytes.length > SMALL_BLOB_MAX_BYTES) {
      throw new Error(`${bytes.length} bytes are no small blob`);
    }
    await changeCompiled(tx, keep(tx, { hash, bytes }));
  }

  place(
    uploadId: UploadId,
    hash: BlobHash,
    size: number,
    options?: PlaceOptions,
  ): Promise<void> {
    return this.files.place(uploadId, hash, size, options);
  }

  async read(
    hash: BlobHash,
    size: number,
    first: number,
    last: number,
  ): Promise<BlobBytes | undefined> {
    if (size <= SMALL_BLOB_MAX_BYTES) {
      const row = await findBytes(this.db, hash);
      if (row !== undefined) {
        return row.bytes.length === size
          ? row.bytes.subarray(first, last + 1)
          : undefined;
      }
    }
    return await this.files.read(hash, size, first, last);
  }

  async sizeOf(hash: BlobHash): Promise<number | undefined> {
    return (await findSize(this.db, hash))?.size ??
      await this.files.sizeOf(hash);
  }

  async isReadable(hash: BlobHash, size: number): Promise<boolean> {
    if (size <= SMALL_BLOB_MAX_BYTES) {
      const row = await findSize(this.db, hash);
      if (row !== undefined) return row.size === size;
    }
    return await this.files.isReadable(hash, size);
  }

  async warm(blobs: readonly SizedHash[]): Promise<void> {
    const files: SizedHash[] = [];
    for (const one of blobs) {
      if (
        one.size > SMALL_BLOB_MAX_BYTES ||
        await findSize(this.db, one.hash) === undefined
      ) files.push(one);
    }
    await this.files.warm(files);
  }

  async digest(
    hash: BlobHash,
    visit?: (piece: Uint8Array) => void,
  ): Promise<FileDigest | undefined> {
    const row = await findBytes(this.db, hash);
    if (row === undefined) return await this.files.digest(hash, visit);
    visit?.(row.bytes);
    return {
      bytes: row.bytes.length,
      sha256: createHash("sha256").update(row.bytes).digest("hex"),
    };
  }

  async remove(tx: Tx, hash: BlobHash): Promise<void> {
    await tx.deleteFrom("small_blob").where("hash", "=", hash).execute();
    await this.files.remove(tx, hash);
  }

  settle(): Promise<number> {
    return this.files.settle();
  }

  list(): AsyncGenerator<Leaf> {
    return this.files.list();
  }

  bytesOf(file: BlobFile): Promise<number> {
    return this.files.bytesOf(file);
  }

  liesAt(place: string): Promise<boolean> {
    return this.files.liesAt(place);
  }
}
