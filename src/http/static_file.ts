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
