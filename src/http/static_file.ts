/**
 * Files that the program carries and serves as they are.
 *
 * @module
 */

/** A file as it is sent. */
export interface StaticFile {
  readonly mediaType: string;
  /** Hex; in a tag of what is compressed `-gzip` follows it. */
  readonly hash: string;
  readonly gzip: () => Uint8Array<ArrayBuffer>;
  /** The same for whoever does not take it compressed. */
  readonly plain: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** Models that the operator put into a folder (meaning.md). */
export interface ModelFiles {
  /** JSON: what they are, or an empty object if there are none. */
  readonly description: () => Promise<Uint8Array<ArrayBuffer>>;
  /** A file by its SHA-256 in hex, after the description named it. */
  readonly open: (sha256: string) => Promise<OpenedModel | undefined>;
}

/** A file of a model. */
export interface OpenedModel {
  readonly size: number;
  /** Milliseconds since the Unix epoch. */
  readonly modifiedAt: number;
  /** The bytes from `first` to `last`, both included. */
  readonly read: (
    first: number,
    last: number,
  ) => Promise<ReadableStream<Uint8Array> | undefined>;
}

/** The files of the web app. */
export interface AppFiles {
  /** Names the bundle: a hash of everything in it. */
  readonly build: string;
  /** By the path that it is served at. */
  readonly get: (path: string) => StaticFile | undefined;
  readonly paths: () => readonly string[];
  /** The Content-Security-Policy of the page and of its Workers. */
  readonly policy: string;
}

/** A large file of the operator's, which is sent in parts. */
export interface PartedFile {
  /** Opens it as it is now; undefined while there is none. */
  readonly open: () => Promise<OpenedFile | undefined>;
  /** Whether it is what the app can use; the log says why not. */
  readonly isUsable: () => Promise<boolean>;
}

/** One version of it; what replaces it meanwhile is another file. */
export interface OpenedFile {
  /** A strong entity tag with its quotes, another one for each version. */
  readonly etag: string;
  /** Bytes. */
  readonly length: number;
  /** When it last changed (ms). */
  readonly lastModified: number;
  /**
   * The bytes from `first` to `last` (inclusive); undefined if somebody wrote
   * into this version since it was opened.
   */
  readonly read: (
    first: number,
    last: number,
  ) => Promise<Uint8Array<ArrayBuffer> | undefined>;
  readonly close: () => void;
}
