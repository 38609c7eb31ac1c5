/**
 * What is known of a file system by its type, as the system gives it.
 *
 * @module
 */
import { statfs } from "node:fs/promises";

/**
 * Those that other machines, or a virtual machine and its host, can have
 * mounted too. Locks may then count for each of them alone (statfs(2)).
 */
const SHARED: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE (such as sshfs, rclone or virtiofs)"],
  [0x786f4256, "a shared folder of VirtualBox"],
  [0xbacbacbc, "a shared folder of VMware"],
  [0x7c7c6673, "a shared folder of Parallels"],
  [0x00c36400, "CephFS"],
  [0x01161970, "GFS2"],
  [0x7461636f, "OCFS2"],
  [0x0bd00bd0, "Lustre"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x47504653, "GPFS"],
]);

/** Those that give a file its inode number for life, over every mount. */
const STEADY: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0xca451a4e, // bcachefs
  0x794c7630, // overlayfs
  0x01021994, // tmpfs
]);

export interface FileSystemFacts {
  /** Its name, where other machines may have it mounted too. */
  readonly shared: string | undefined;
  /** Whether a file keeps its inode number, and only a copy has another. */
  readonly hasSteadyInodes: boolean;
}

/** Looks at the file system of a path that exists. */
export async function fileSystemOf(path: string): Promise<FileSystemFacts> {
  const { type } = await statfs(path);
  const number = Number(type) >>> 0;
  const isLinux = Deno.build.os === "linux";
  return {
    shared: isLinux ? SHARED.get(number) : undefined,
    hasSteadyInodes: isLinux && STEADY.has(number),
  };
}

/**
 * What to say of a directory whose disk keeps no permissions, such as NTFS or
 * exFAT: undefined where a new file's mode of 0600 takes, and where none can be
 * made.
 */
export async function openToAll(
  directory: string,
): Promise<{ readonly what: string; readonly mend: string } | undefined> {
  if (Deno.build.os === "windows") return undefined;
  try {
    // Its mode is 0600.
    const path = await Deno.makeTempFile({ dir: directory, prefix: "mode-" });
    const { mode } = await Deno.stat(path);
    await Deno.remove(path);
    if (mode === null || (mode & 0o077) === 0) return undefined;
  } catch {
    // The code that writes there reports what is wrong.
    return undefined;
  }
  return {
    what: `${directory} is on a disk without permissions (such as NTFS or ` +
      "exFAT): every user of this machine can read the keys there",
    mend:
      "use a disk with ext4, XFS or Btrfs, or mount this one for one user " +
      "alone (-o uid=USER,gid=GROUP,umask=077)",
  };
}
