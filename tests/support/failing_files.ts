/**
 * The real file system, of which one operation fails.
 *
 * @module
 */
import { denoFiles } from "../../src/store/files/deno_files.ts";
import type { Files, StoredFile } from "../../src/store/files/files.ts";

/** What a failing disk answers. */
export class DiskFault extends Error {
  readonly code: string;
  constructor(operation: string, code: "EIO" | "ENOSPC") {
    super(`${code} in ${operation}`);
    this.code = code;
  }
}

export interface FailingFiles extends Files {
  /**
   * Lets the n-th operation from now on fail (1 is the next), once; or the n-th
   * of the name `only`.
   */
  readonly failAt: (
    n: number,
    code?: "EIO" | "ENOSPC",
    only?: string,
  ) => void;
  /** Whether the fault has happened since {@link failAt}. */
  readonly failed: () => boolean;
  /** The operation that failed; undefined where none has. */
  readonly fault: () => string | undefined;
  /** The operations since {@link failAt}, the one that failed included. */
  readonly seen: () => readonly string[];
}

/** Wraps {@link denoFiles}; every operation counts, those of open files too. */
export function failingFiles(): FailingFiles {
  let countdown = Infinity;
  let fault: "EIO" | "ENOSPC" = "EIO";
  let counted: string | undefined;
  let happened: string | undefined;
  let seen: string[] = [];
  const step = (operation: string) => {
    seen.push(operation);
    if (counted !== undefined && operation !== counted) return;
    countdown -= 1;
    if (countdown !== 0) return;
    happened = operation;
    throw new DiskFault(operation, fault);
  };
  const counting = (file: StoredFile): StoredFile => ({
    read: async (into) => {
      step("read");
      return await file.read(into);
    },
    write: (piece) => {
      step("write");
      file.write(piece);
    },
    rest: () => {
      step("rest");
      return file.rest();
    },
    seek: async (offset) => {
      step("seek");
      await file.seek(offset);
    },
    truncate: async (length) => {
      step("truncate");
      await file.truncate(length);
    },
    sync: async () => {
      step("sync");
      await file.sync();
    },
    close: () => file.close(),
  });
  return {
    failAt(n, code = "EIO", only) {
      countdown = n;
      counted = only;
      fault = code;
      happened = undefined;
      seen = [];
    },
    failed: () => happened !== undefined,
    fault: () => happened,
    seen: () => seen,
    open: async (path, mode) => {
      step("open");
      const file = await denoFiles.open(path, mode);
      return file === undefined ? undefined : counting(file);
    },
    stat: async (path) => {
      step("stat");
      return await denoFiles.stat(path);
    },
    list: async function* (path) {
      step("list");
      yield* denoFiles.list(path);
    },
    readWhole: (path) => {
      step("readWhole");
      return denoFiles.readWhole(path);
    },
    makeDirectory: async (path) => {
      step("makeDirectory");
      await denoFiles.makeDirectory(path);
    },
    syncDirectory: async (path) => {
      step("syncDirectory");
      await denoFiles.syncDirectory(path);
    },
    link: async (from, to) => {
      step("link");
      return await denoFiles.link(from, to);
    },
    copy: async (from, to) => {
      step("copy");
      await denoFiles.copy(from, to);
    },
    rename: async (from, to) => {
      step("rename");
      await denoFiles.rename(from, to);
    },
    remove: async (path) => {
      step("remove");
      await denoFiles.remove(path);
    },
    freeBytes: async (path) => {
      step("freeBytes");
      return await denoFiles.freeBytes(path);
    },
    freeInodes: async (path) => {
      step("freeInodes");
      return await denoFiles.freeInodes(path);
    },
  };
}
