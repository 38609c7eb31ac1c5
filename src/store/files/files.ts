/**
 * Durable file operations. Everything that the store does to the disk goes
 * through {@link Files}, so that a test can make the n-th operation fail.
 *
 * @module
 */
import { StoreFault } from "../failure.ts";

/** An open file that is written, read and synced by the store. */
export interface StoredFile {
  /** Reads at the file's position; null at its end. */
  read(into: Uint8Array): Promise<number | null>;
  /** Writes the whole piece at the file's position. */
  write(piece: Uint8Array): void;
  /** The rest of the file from its position. The stream closes the file. */
  rest(): ReadableStream<Uint8Array>;
  seek(offset: number): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Returns once data and metadata are on the disk (fsync). */
  sync(): Promise<void>;
  close(): void;
}

export interface FileFacts {
  readonly size: number;
  /** Inode number; null where the system has none. */
  readonly inode: number | null;
  /** When the bytes last changed (ms); null if the system does not say. */
  readonly modifiedAt: number | null;
  /** Number of the owner; null if users have no numbers. */
  readonly owner: number | null;
}

/**
 * The operations; paths are absolute. A missing file gives undefined or does
 * nothing.
 */
export interface Files {
  /** Also undefined for `create` if the file exists. */
  open(
    path: string,
    mode: "read" | "write" | "create",
  ): Promise<StoredFile | undefined>;
  stat(path: string): Promise<FileFacts | undefined>;
  /** Names in a directory, one by one; none if it is not there. */
  list(path: string): AsyncIterable<string>;
  /** Reads a small file synchronously; undefined if it is not there. */
  readWhole(path: string): Uint8Array<ArrayBuffer> | undefined;
  makeDirectory(path: string): Promise<void>;
  /** Makes the directory's entries durable (fsync of the directory). */
  syncDirectory(path: string): Promise<void>;
  /** Gives a file a second name; false if that name is taken. */
  link(from: string, to: string): Promise<boolean>;
  copy(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Bytes that an unprivileged process may still write there. */
  freeBytes(path: string): Promise<number>;
  /** Files that may still be made there; Infinity where there is no limit. */
  freeInodes(path: string): Promise<number>;
}

/**
 * Writes a small file so that a crash leaves the old content or the new one:
 * temporary file, fsync, rename, fsync of the directory. The mode is 0600, so
 * another user could not read the new file: replacing a file of another user's
 * is refused with a {@link StoreFault}.
 */
export async function writeDurably(
  files: Files,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  const temporary = `${path}.new`;
  await files.remove(temporary);
  const file = await files.open(temporary, "create");
  if (file === undefined) throw new Error(`cannot create ${temporary}`);
  try {
    file.write(bytes);
    await file.sync();
  } finally {
    file.close();
  }
  const [held, made] = [await files.stat(path), await files.stat(temporary)];
  if (held !== undefined && held.owner !== made?.owner) {
    await files.remove(temporary);
    throw new StoreFault(
      `${path} belongs to another user, who could not read what would be ` +
        "written here: run this as the server's user",
    );
  }
  await files.rename(temporary, path);
  await files.syncDirectory(path.slice(0, path.lastIndexOf("/")));
}

/**
 * Makes a directory (mode 0700) with its entry durable. An existing one is
 * synced too: the call that made it may have failed before its sync.
 */
export async function makeDirectoryDurably(
  files: Files,
  path: string,
): Promise<void> {
  await files.makeDirectory(path);
  await files.syncDirectory(path.slice(0, path.lastIndexOf("/")) || "/");
}

/**
 * Waits until all of several works have ended; then throws if one of them
 * failed.
 */
export async function together(
  ...works: readonly Promise<unknown>[]
): Promise<void> {
  for (const ended of await Promise.allSettled(works)) {
    if (ended.status === "rejected") throw ended.reason;
  }
}

/** Files are streamed in pieces of this size (bytes). */
const SEND_BYTES = 64 * 1024;

/** Streams `length` bytes from a file's position, at the reader's pace. */
export function streamFile(
  file: StoredFile,
  length: number,
): ReadableStream<Uint8Array> {
  let left = length;
  return new ReadableStream({
    async pull(controller) {
      try {
        const piece = new Uint8Array(Math.min(SEND_BYTES, left));
        const read = await file.read(piece);
        if (read === null) throw new Error("the file ended early");
        left -= read;
        controller.enqueue(piece.subarray(0, read));
      } catch (error) {
        file.close();
        throw error;
      }
      if (left > 0) return;
      file.close();
      controller.close();
    },
    cancel() {
      file.close();
    },
  }, { highWaterMark: 0 });
}
