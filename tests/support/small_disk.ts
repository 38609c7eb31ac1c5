/**
 * A small disk of its own for a test: a tmpfs, which only root may mount.
 *
 * @module
 */
import { statfs } from "node:fs/promises";

const PAGE_BYTES = 4_096;

export interface SmallDisk {
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
): Promise<void> {
  const path = await Deno.makeTempDir({ prefix: "strongroom-disk-" });
  try {
    await run("mount", "-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path);
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
      const taken = await freeBytes() - pages * PAGE_BYTES;
      await Deno.writeFile(filler, new Uint8Array(Math.max(0, taken)));
    },
  };
}

async function run(command: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args })
    .output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
