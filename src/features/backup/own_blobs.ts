/**
 * What a server has of the blobs that are backed up already.
 *
 * @module
 */
import type { BlobHash } from "../../core/ids.ts";
import type { BlobStore } from "../../store/blob_store.ts";
import {
  type Brought,
  digestFile,
  reading,
  UnreadableFile,
} from "../../store/copies.ts";
import type { Files } from "../../store/files.ts";
import { blobFileOf } from "../../store/inventory.ts";
import type { NameSet, Scratch } from "../../store/remote_backup/scratch.ts";
import type { HeldBlob } from "./store.ts";

/** Why a blob is not to be had. */
export type LostBecause = Exclude<Brought, "linked" | "copied">;

/** A blob that the server holds, and whose bytes are nowhere whole. */
export interface LostBlob extends HeldBlob {
  /** What was found in the data directory. */
  readonly because: LostBecause;
}

/** What keeps a server's blobs, beside its directory. */
export type Elsewhere = Pick<BlobStore, "digest" | "sizeOf" | "list">;

/**
 * Whether a server still has the blobs that a backup has already. Without this
 * a blob that the server loses later is missed by every backup that follows.
 */
export class OwnBlobs {
  #listed: Promise<NameSet> | undefined;

  constructor(
    private readonly files: Files,
    private readonly from: { readonly pathOf: (hash: BlobHash) => string },
    private readonly elsewhere: Elsewhere | undefined,
    /** Holds the names in a bucket: it may be large. */
    private readonly scratch: Scratch,
    /** Were found damaged by the server: these are read every time. */
    private readonly suspects: ReadonlySet<string>,
  ) {}

  /** What is wrong with a blob; `read` hashes its file, if it has one. */
  async faultOf(
    { hash, size }: HeldBlob,
    read: boolean,
  ): Promise<LostBecause | undefined> {
    const path = this.from.pathOf(hash);
    try {
      const facts = await reading(path, () => this.files.stat(path));
      if (facts === undefined) return await this.#faultElsewhere(hash, size);
      if (facts.size !== size) return "damaged";
      if (!read && !this.suspects.has(hash)) return undefined;
      const digest = await digestFile(this.files, path);
      return digest === undefined || digest.sha256 === hash
        ? undefined
        : "damaged";
    } catch (error) {
      if (error instanceof UnreadableFile) return "unreadable";
      throw error;
    }
  }

  async #faultElsewhere(
    hash: BlobHash,
    size: number,
  ): Promise<LostBecause | undefined> {
    const { elsewhere } = this;
    if (elsewhere === undefined) return "missing";
    // One list of a bucket costs less than a request for each blob.
    this.#listed ??= this.#list(elsewhere);
    if ((await this.#listed).has(hash)) return undefined;
    const found = await elsewhere.sizeOf(hash);
    if (found === size) return undefined;
    return found === undefined ? "missing" : "damaged";
  }

  async #list(elsewhere: Elsewhere): Promise<NameSet> {
    const names = this.scratch.newSet();
    for await (const leaf of elsewhere.list()) {
      for (const name of leaf.names) {
        const file = blobFileOf(leaf, name);
        if (file === undefined || file.uploadId !== undefined) continue;
        names.put({ name: file.hash, size: 0 });
      }
    }
    return names;
  }
}
