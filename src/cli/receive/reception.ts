/**
 * A file that is coming from a telephone, sealed piece by piece before it
 * reaches the disk. Its key and the last piece are in memory alone: of a file
 * whose rest never came no one can open anything.
 *
 * @module
 */
import { type Bytes, letGo, toHex } from "../../core/bytes.ts";
import type { Sha256 } from "../../crypto/sha256.ts";
import { nativePrimitives } from "../../client/keys/native.ts";
import {
  type BlobWriter,
  blobWriter,
  SALT_BYTES,
} from "../../client/stream/stream.ts";
import { KEY_BYTES } from "../../client/documents/suite.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import type { StoredFile } from "../../store/files/files.ts";
import type { Spool } from "./spool.ts";

/** A file that is there as a whole. */
export interface Received {
  readonly id: string;
  /** Of the sealed bytes, in hex. */
  readonly hash: string;
  /** Sealed bytes. */
  readonly size: number;
  /** Secret; anyone who has it can open the file. */
  readonly key: Bytes;
  readonly plaintextSize: number;
  /** Of the file's own bytes, in hex. */
  readonly sha256: string;
}

/** A file of which some has come. */
export class Reception {
  readonly #key: Bytes;
  readonly #writer: BlobWriter;
  readonly #sealedHash: Sha256 = nativePrimitives.sha256();
  readonly #plainHash: Sha256 = nativePrimitives.sha256();
  #sealedBytes = 0;

  private constructor(
    readonly id: string,
    readonly spool: Spool,
    readonly file: StoredFile,
    random: (length: number) => Bytes,
    /** When it began, and when something came last (ms). */
    public lastAt: number,
  ) {
    this.#key = random(KEY_BYTES);
    this.#writer = blobWriter(
      { fileKey: this.#key, primitives: nativePrimitives },
      random(SALT_BYTES),
    );
  }

  static async begin(
    spool: Spool,
    random: (length: number) => Bytes,
    now: number,
  ): Promise<Reception> {
    const id = toHex(random(16));
    const file = await denoFiles.open(spool.incomingPath(id), "create");
    if (file === undefined) throw new Error(`${id} already exists`);
    return new Reception(id, spool, file, random, now);
  }

  /** Plaintext bytes so far. */
  get size(): number {
    return this.#writer.size;
  }

  /** Takes the next bytes, which are the caller's again afterwards. */
  write(plaintext: Uint8Array, now: number): void {
    this.lastAt = now;
    this.#plainHash.update(plaintext);
    for (const piece of this.#writer.push(plaintext)) this.#put(piece);
  }

  /** All of it came: it is on the disk when this resolves. */
  async end(): Promise<Received> {
    this.#put(this.#writer.end());
    await this.file.sync();
    this.file.close();
    const { id, spool } = this;
    await denoFiles.rename(spool.incomingPath(id), spool.sealedPath(id));
    await spool.settle();
    return {
      id,
      hash: toHex(this.#sealedHash.digest()),
      size: this.#sealedBytes,
      key: this.#key,
      plaintextSize: this.size,
      sha256: toHex(this.#plainHash.digest()),
    };
  }

  /** The rest of it does not come. */
  async drop(): Promise<void> {
    this.#key.fill(0);
    try {
      this.file.close();
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
    await denoFiles.remove(this.spool.incomingPath(this.id));
    await denoFiles.remove(this.spool.sealedPath(this.id));
  }

  #put(piece: Bytes): void {
    if (piece.length === 0) return;
    this.#sealedHash.update(piece);
    this.file.write(piece);
    this.#sealedBytes += piece.length;
    letGo(piece);
  }
}
