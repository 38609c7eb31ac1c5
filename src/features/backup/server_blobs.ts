/**
 * The server that is backed up, and its blobs.
 *
 * @module
 */
import type { BlobHash } from "../../core/ids.ts";
import type { Platform } from "../../core/platform.ts";
import type { BlobStore } from "../../store/blobs/blob_store.ts";
import { BlobDirectory } from "../../store/blobs/blobs.ts";
import {
  type Brought,
  digestFile,
  fetchBlob,
  reading,
  UnreadableFile,
} from "../../store/files/copies.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Files } from "../../store/files/files.ts";
import { blobFileOf } from "../../store/blobs/inventory.ts";
import type { NameSet, Scratch } from "../../store/remote/backup/scratch.ts";
import { isHeld } from "../verification/check_store.ts";
import type { ServerSettings } from "./manifest.ts";
import type { HeldBlob } from "./store.ts";

/** Why a blob is not to be had. */
export type LostBecause = Exclude<Brought, "linked" | "copied">;

/** A blob that the server holds, and whose bytes are nowhere whole. */
export interface LostBlob extends HeldBlob {
  /** What was found in the data directory. */
  readonly because: LostBecause;
}

/** What keeps a server's blobs, other than its directory. */
type Elsewhere = Pick<BlobStore, "digest" | "sizeOf" | "list">;

/** A server's data, which may be served during the backup. */
export interface Source {
  readonly files: Files;
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  /** The server's own database. */
  readonly db: Db;
  readonly platform: Pick<Platform, "now">;
  /** What keeps blobs that have no file in the data directory. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Version of this program. */
  readonly version: string;
  /** Where it is known under what the server runs. */
  readonly settings: ServerSettings;
}

/**
 * The server's blobs, in its directory and elsewhere. Those that a backup has
 * already are looked at too: one that the server loses later would be missed by
 * every backup that follows.
 */
export class ServerBlobs {
  readonly #blobs: BlobDirectory;
  #listed: Promise<NameSet> | undefined;

  constructor(
    private readonly source: Pick<
      Source,
      "files" | "dataDir" | "db" | "elsewhere"
    >,
    /** Holds the names in a bucket: it may be large. */
    private readonly scratch: Scratch,
    /** Were found damaged by the server: these are read every time. */
    private readonly suspects: ReadonlySet<string>,
  ) {
    this.#blobs = new BlobDirectory(source.files, source.dataDir);
  }

  /** Whether blobs may be elsewhere than in the data directory. */
  get hasElsewhere(): boolean {
    return this.source.elsewhere !== undefined;
  }

  pathOf(hash: BlobHash): string {
    return this.#blobs.blobPath(hash);
  }

  /** Whether the server, as it is now, still holds a blob. */
  isHeld(hash: BlobHash): Promise<boolean> {
    return isHeld(this.source.db, hash);
  }

  /** Brings a blob that has no file in the data directory. */
  async bringElsewhere(
    { hash, size }: HeldBlob,
    to: string,
  ): Promise<"copied" | "missing" | "damaged"> {
    const { files, elsewhere } = this.source;
    if (elsewhere === undefined) return "missing";
    return await fetchBlob(
      files,
      (hash, visit) => elsewhere.digest(hash, visit),
      { to, hash, size },
    );
  }

  /** What is wrong with a blob; `read` hashes its file, if it has one. */
  async faultOf(
    { hash, size }: HeldBlob,
    read: boolean,
  ): Promise<LostBecause | undefined> {
    const { files } = this.source;
    const path = this.pathOf(hash);
    try {
      const facts = await reading(path, () => files.stat(path));
      if (facts === undefined) return await this.#faultElsewhere(hash, size);
      if (facts.size !== size) return "damaged";
      if (!read && !this.suspects.has(hash)) return undefined;
      const digest = await digestFile(files, path);
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
    const { elsewhere } = this.source;
    if (elsewhere === undefined) return "missing";
    // One list of a bucket costs less than a request for each blob.
    this.#listed ??= this.#list(elsewhere);
    if ((await this.#listed).sizeOf(hash) === size) return undefined;
    const found = await elsewhere.sizeOf(hash);
    if (found === size) return undefined;
    return found === undefined ? "missing" : "damaged";
  }

  async #list(elsewhere: Elsewhere): Promise<NameSet> {
    const names = this.scratch.newSet();
    for await (const leaf of elsewhere.list()) {
      for (const [at, name] of leaf.names.entries()) {
        const file = blobFileOf(leaf, name);
        const size = leaf.sizes?.[at];
        if (file === undefined || file.uploadId !== undefined) continue;
        // Without a size it is asked for by itself.
        if (size !== undefined && size >= 0) {
          names.put({ name: file.hash, size });
        }
      }
    }
    return names;
  }
}
