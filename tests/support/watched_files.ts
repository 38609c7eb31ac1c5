/**
 * The real file system, between whose operations a test does something.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import type { Files } from "../../src/store/files/files.ts";

export interface WatchedFiles extends Files {
  /** Called before each operation that changes names; undefined: nothing. */
  before: ((operation: string, path: string) => Promise<void>) | undefined;
  /** Called after each of them, before its caller goes on. */
  after: ((operation: string, path: string) => Promise<void>) | undefined;
}

/**
 * Wraps {@link denoFiles}. Operations of a callback call no callback. A
 * parallel operation, such as when two files are placed at once, calls its own.
 */
export function watchedFiles(): WatchedFiles {
  const own = new AsyncLocalStorage<true>();
  const tell = async (
    callback: WatchedFiles["before"],
    operation: string,
    path: string,
  ) => {
    if (callback === undefined || own.getStore() === true) return;
    await own.run(true, () => callback(operation, path));
  };
  const watched = <T>(
    operation: string,
    path: string,
    work: () => Promise<T>,
  ): Promise<T> => {
    const wrapped = async () => {
      await tell(files.before, operation, path);
      const result = await work();
      await tell(files.after, operation, path);
      return result;
    };
    return wrapped();
  };
  const files: WatchedFiles = {
    ...denoFiles,
    before: undefined,
    after: undefined,
    open: (path, mode) =>
      watched(`open to ${mode}`, path, () => denoFiles.open(path, mode)),
    makeDirectory: (path) =>
      watched("makeDirectory", path, () => denoFiles.makeDirectory(path)),
    syncDirectory: (path) =>
      watched("syncDirectory", path, () => denoFiles.syncDirectory(path)),
    link: (from, to) => watched("link", to, () => denoFiles.link(from, to)),
    copy: (from, to) => watched("copy", to, () => denoFiles.copy(from, to)),
    rename: (from, to) =>
      watched("rename", to, () => denoFiles.rename(from, to)),
    remove: (path) => watched("remove", path, () => denoFiles.remove(path)),
  };
  return files;
}
