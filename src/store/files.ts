/**
 * Durable file operations. Everything that the store does to the disk goes
 * through {@link Files}, so that a test can fail the n-th operation.
 *
 * @module
 */
import { StoreFault } from "./database.ts";

/** An open file that is written, read and synced by the store. */
export interface StoredFile {
  /** Reads at the file's position; null at its end. */
  read(into: Uint8Array): Promise<number | null>;
  /** Writes the whole piece at the file's position. */
  write(piece: Uint8Array): void;
  /** The rest of the file from its position; it closes the file itself. */
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
  /** When its bytes last changed (ms); null where the system does not tell. */
  readonly modifiedAt: number | null;
  /** Number of the user whose file it is; null where users have none. */
  readonly owner: number | null;
}

/** The operations; paths are absolute. "Not there" is undefined or a no-op. */
export interface Files {
  /** To `create` a file that is there already is undefined as well. */
  open(
    path: string,
    mode: "read" | "write" | "create",
  ): Promise<StoredFile | undefined>;
  stat(path: string): Promise<FileFacts | undefined>;
  /** Names in a directory, one by one; none when it is not there. */
  list(path: string): AsyncIterable<string>;
  /** A small file at once; undefined if it is not there. */
  readWhole(path: string): Uint8Array<ArrayBuffer> | undefined;
  makeDirectory(path: string): Promise<void>;
  /** Makes the directory's entries durable (fsync of the directory). */
  syncDirectory(path: string): Promise<void>;
  /** A second name for a file; false if that name is taken. */
  link(from: string, to: string): Promise<boolean>;
  copy(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Bytes that an unprivileged process may still write there. */
  freeBytes(path: string): Promise<number>;
}

/**
 * Writes a small file so that a crash leaves the old content or the new one:
 * temporary file, fsync, rename, fsync of the directory. Mode 0600, so in the
 * place of another user's file it is refused with a {@link StoreFault}: that
 * user could not read the new one.
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
 * Makes a directory (mode 0700) whose own entry is durable. One that is there
 * already may come from a call that failed before it was, so it is synced too.
 */
export async function makeDirectoryDurably(
  files: Files,
  path: string,
): Promise<void> {
  await files.makeDirectory(path);
  await files.syncDirectory(path.slice(0, path.lastIndexOf("/")) || "/");
}

/** Does several things at once; throws once all of them have ended. */
export async function together(
  ...works: readonly Promise<unknown>[]
): Promise<void> {
  for (const ended of await Promise.allSettled(works)) {
    if (ended.status === "rejected") throw ended.reason;
  }
}

/** A part is streamed in pieces of this size (bytes). */
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
