/**
 * What taking a file in works with, gets and gives.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { Metadata } from "../../client/documents/metadata.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import type { AlbumKeys } from "../rows/album_keys.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import type { Custody } from "../trust/custody.ts";
import type { Deletions } from "../trust/deletions.ts";
import type { Opener } from "../rows/opening.ts";
import type { Row } from "../rows/rows.ts";
import type { Store } from "../base/store.ts";
import type { Vault } from "../vault/vault.ts";

/** A small picture of a file, or the video of a live photo. */
export interface NewDerivative {
  readonly kind: Metadata["derivatives"][number]["kind"];
  readonly mime: string;
  /** The name of its own file, and when that was taken, of a live photo's video. */
  readonly name?: string | undefined;
  readonly taken_at?: string | undefined;
  /** Width and height in pixels, if they are known. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly bytes: Bytes;
}

/** A larger derivative, such as a copy of a film, which is read in parts. */
export interface LargeDerivative extends Omit<NewDerivative, "bytes"> {
  readonly source: PlainSource;
}

/** A file to take in. */
export interface NewFile {
  /**
   * Its bytes; they are read once up to 6 MiB, twice up to 12 MiB, otherwise
   * three times.
   */
  readonly source: PlainSource;
  /** Its metadata; size and hash are computed here. */
  readonly about: Omit<Metadata, "size" | "sha256" | "derivatives">;
  readonly derivatives?: readonly NewDerivative[];
  /** SHA-256 of the bytes in hex, if the caller has just computed it. */
  readonly sha256?: string;
}

/** Options of taking a file in. */
export interface UploadOptions {
  /** Default: the library. */
  readonly albumId?: string;
  /** Gets the number of bytes that are hashed, sealed and sent. */
  readonly onProgress?: (step: UploadStep, bytes: number) => void;
  /** Called once its bytes are sent and freed: what is left is small. */
  readonly onFreed?: () => void;
  /**
   * Called once everything was sent. Only receipts are left to verify, which
   * are fetched for several files at a time: others may begin meanwhile.
   */
  readonly onSent?: () => void;
  readonly signal?: AbortSignal;
}

/** The steps of taking a file in. */
export type UploadStep = "hashing" | "sealing" | "sending";

/** The outcome for a file. */
export interface Kept {
  /** `known`: the library had it already, and nothing was sent. */
  readonly outcome: "kept" | "known";
  readonly row: Row;
  /** Set if the server had lost it, here or in an album, and has it again. */
  readonly isBack?: true;
  /** Blobs that were lost and are stored again under other addresses. */
  readonly replaced?: readonly string[];
  /** Links that still show those, because they could not be changed. */
  readonly unreached?: readonly string[];
}

/** What taking in works with. */
export interface UploadContext {
  readonly vault: Vault;
  readonly keys: AlbumKeys;
  readonly index: AssetIndex;
  readonly store: Store;
  readonly custody: Custody;
  readonly opener: Opener;
  readonly deletions: Deletions;
  /** Files that are being taken in, by the key of their journal. */
  readonly underWay: Map<string, Promise<unknown>>;
}
