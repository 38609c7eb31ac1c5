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
  readonly gzip: StaticForm;
  /** The same for clients that do not accept gzip. */
  readonly plain: StaticForm;
}

/** One coding of a file. */
interface StaticForm {
  /** Bytes. */
  readonly length: number;
  /** All of it at once. */
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Of a file that is too long to be held, piece by piece; undefined where it
   * is there no longer.
   */
  readonly stream?: () => ReadableStream<Uint8Array<ArrayBuffer>> | undefined;
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

/** The thread of the app that alone talks to other servers. */
export const ABROAD_THREAD = "abroad.js";

/** The app's policy for that thread: it also reaches these origins. */
export function policyReaching(
  policy: string,
  origins: readonly string[],
): string {
  const own = "connect-src 'self'";
  return policy.replace(own, [own, ...origins].join(" "));
}

/** A large file of the operator's, which is sent in parts. */
export interface PartedFile {
  /** Opens it as it is now; undefined if it does not exist. */
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
   * The bytes from `first` to `last` (inclusive); undefined if this version was
   * written to since it was opened.
   */
  readonly read: (
    first: number,
    last: number,
  ) => Promise<Uint8Array<ArrayBuffer> | undefined>;
  readonly close: () => void;
}
