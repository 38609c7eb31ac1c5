/**
 * A small disk of its own for a test: a tmpfs, which only root may mount.
 *
 * @module
 */
import { statfs } from "node:fs/promises";

const PAGE_BYTES = 4_096;

interface SmallDisk {
  readonly path: string;
  /** Bytes that may still be written. */
  readonly freeBytes: () => Promise<number>;
  /** Takes room away until so many pages are left; more than that is given back. */
  readonly leavePages: (pages: number) => Promise<void>;
  /** Gives all of that room back. */
  readonly release: () => Promise<void>;
}

/** Whether this process may mount; where not, a test of a full disk cannot be. */
export async function mayMount(): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  try {
    await withSmallDisk(PAGE_BYTES, () => Promise.resolve());
    return true;
  } catch {
    return false;
  }
}

/** Mounts a disk of that size, hands it to a test and takes it away. */
export async function withSmallDisk(
  bytes: number,
  test: (disk: SmallDisk) => Promise<void>,
  { inodes }: { readonly inodes?: number } = {},
): Promise<void> {
  const path = await Deno.makeTempDir({ prefix: "strongroom-disk-" });
  try {
    const options = `size=${bytes}` +
      (inodes === undefined ? "" : `,nr_inodes=${inodes}`);
    await run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path);
    try {
      await test(over(path));
    } finally {
      await run("umount", path);
    }
  } finally {
    await Deno.remove(path);
  }
}

function over(path: string): SmallDisk {
  const filler = `${path}/filler`;
  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  };
  const release = async () => {
    await Deno.writeFile(filler, new Uint8Array(0));
  };
  return {
    path,
    freeBytes,
    release,
    leavePages: async (pages) => {
      await release();
      for (;;) {
        const free = await freeBytes();
        const more = free - pages * PAGE_BYTES;
        if (more <= 0) return;
        try {
          await Deno.writeFile(filler, new Uint8Array(more), { append: true });
        } catch (error) {
          // A server on this disk took of the room meanwhile.
          const isFuller = await freeBytes() < free;
          if (!isDiskFull(error) || !isFuller) throw error;
        }
      }
    },
  };
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOSPC";
}

/**
 * Mounts a disk without permissions, hands its path to a test and takes it away:
 * Debian's ntfs-3g or exfat-fuse, in a file.
 */
export async function withoutPermissions(
  kind: "ntfs" | "exfat",
  test: (path: string) => Promise<void>,
): Promise<void> {
  const path = await Deno.makeTempDir({ prefix: "strongroom-disk-" });
  const image = `${path}.image`;
  try {
    await run("truncate", "-s", "64M", image);
    const make = kind === "ntfs" ? ["mkfs.ntfs", "-F", "-q"] : ["mkfs.exfat"];
    await run(...make as [string, ...string[]], image);
    const device = await run("losetup", "--show", "-f", image);
    try {
      const mount = kind === "ntfs" ? "ntfs-3g" : "mount.exfat-fuse";
      await run(mount, device, path);
      try {
        await test(path);
      } finally {
        // Commands that ran in this process may still have a file open.
        await run("umount", "-l", path);
      }
    } finally {
      await run("losetup", "-d", device);
    }
  } finally {
    await Deno.remove(path);
    await Deno.remove(image);
  }
}

/** Its output, without the end of the line. */
async function run(command: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args })
    .output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}
