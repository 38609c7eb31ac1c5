/**
 * The implementation of {@link Files} over the real file system.
 *
 * @module
 */
import { statfs } from "node:fs/promises";
import type { Files, StoredFile } from "./files.ts";

function stored(file: Deno.FsFile): StoredFile {
  return {
    read: (into) => file.read(into),
    write(piece) {
      // Synchronous: the page cache takes the bytes faster than another thread
      // could.
      let at = 0;
      while (at < piece.length) at += file.writeSync(piece.subarray(at));
    },
    rest: () => file.readable,
    async seek(offset) {
      await file.seek(offset, Deno.SeekMode.Start);
    },
    truncate: (length) => file.truncate(length),
    sync: () => file.sync(),
    close: () => file.close(),
  };
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The real file system. */
export const denoFiles: Files = {
  async open(path, mode) {
    try {
      const file = await unlessMissing(Deno.open(
        path,
        mode === "read" ? { read: true } : {
          read: true,
          write: true,
          createNew: mode === "create",
          mode: 0o600,
        },
      ));
      return file === undefined ? undefined : stored(file);
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      return undefined;
    }
  },
  async stat(path) {
    const info = await unlessMissing(Deno.stat(path));
    return info === undefined ? undefined : {
      size: info.size,
      inode: info.ino,
      modifiedAt: info.mtime?.getTime() ?? null,
      owner: info.uid,
    };
  },
  async *list(path) {
    try {
      for await (const { name } of Deno.readDir(path)) yield name;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      throw error;
    }
  },
  readWhole(path) {
    try {
      return Deno.readFileSync(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  },
  async makeDirectory(path) {
    try {
      await Deno.mkdir(path, { mode: 0o700 });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  },
  async syncDirectory(path) {
    // Windows cannot open a directory; its rename is durable by itself.
    if (Deno.build.os === "windows") return;
    using directory = await Deno.open(path, { read: true });
    await directory.sync();
  },
  async link(from, to) {
    try {
      await Deno.link(from, to);
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return false;
      throw error;
    }
  },
  copy: (from, to) => Deno.copyFile(from, to),
  rename: (from, to) => Deno.rename(from, to),
  async remove(path) {
    await unlessMissing(Deno.remove(path));
  },
  async freeBytes(path) {
    // Not the synchronous one, although it is fast: if a network share hangs,
    // no other request may wait.
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  },
  async freeInodes(path) {
    // Btrfs and ZFS make inodes as they need them, and say 0 of 0.
    const { files, ffree } = await statfs(path);
    return files === 0 ? Infinity : ffree;
  },
};
