/**
 * Whether there is room, and whether the file system can do what the store
 * relies on.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import { reasonOf } from "../../../core/reason.ts";
import { bytesInWords } from "../../../core/sizes.ts";
import { isDiskFull, isReadOnlyDisk } from "../../../store/failure.ts";
import { type Files, writeDurably } from "../../../store/files/files.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, fault } = findingsOf("disk");

/** Judges the free bytes against those that uploads leave alone. */
export function judgeRoom(free: number, reserved: number): Finding {
  if (free === 0) {
    return fault(
      "it is full: nothing can be written",
      "free some space; deleted items free theirs after STRONGROOM_TRASH_DAYS",
    );
  }
  const sizes = [free, reserved].map(bytesInWords);
  const said = say("{1} free, {2} reserved", ...sizes);
  if (free < reserved) {
    return fault(
      say("{1} free, {2} reserved: uploads are refused", ...sizes),
      "free some space, or lower STRONGROOM_RESERVED_DISK_BYTES; deleted " +
        "items free their space after STRONGROOM_TRASH_DAYS",
    );
  }
  return free < 2 * reserved
    ? warning(said, "free some space before uploads are refused")
    : ok(said);
}

/**
 * Tries in the data directory what every upload needs: a durable file, a
 * second name for it. The files are removed again. Undefined where it works.
 */
export async function tryFileSystem(
  files: Files,
  root: string,
  suffix: string,
  room: Finding,
): Promise<Finding | undefined> {
  const one = `${root}/doctor-${suffix}`;
  const other = `${one}-linked`;
  try {
    await writeDurably(files, one, new TextEncoder().encode("strongroom\n"));
    try {
      await files.link(one, other);
    } catch (error) {
      if (isDiskFull(error) || isReadOnlyDisk(error)) throw error;
      return warning(
        say(
          "{1} does not support hard links ({2}): every upload is copied " +
            "once more",
          root,
          reasonOf(error),
        ),
        "move the data directory to a file system with hard links, such as " +
          "ext4, XFS or Btrfs",
      );
    }
    return undefined;
  } catch (error) {
    const reason = reasonOf(error);
    if (isDiskFull(error)) {
      // A second fault of the same cause would lead elsewhere.
      return room.status === "fault" ? undefined : fault(
        say(
          "no file can be created in {1}, although it has room ({2})",
          root,
          reason,
        ),
        await files.freeInodes(root) === 0
          ? "the file system is out of inodes (df -i): remove files there"
          : "the server's user is over its quota: raise the quota, or remove " +
            "files",
      );
    }
    if (isReadOnlyDisk(error)) {
      return fault(
        say("{1} is on a file system that is mounted read-only", root),
        "mount it for writing; if the system did that by itself, check the " +
          "disk first",
      );
    }
    return fault(
      say("{1} does not support durable files ({2})", root, reason),
      "move the data directory to a file system with fsync, such as ext4, " +
        "xfs, btrfs, zfs or APFS",
    );
  } finally {
    await removeQuietly(files, `${one}.new`);
    await removeQuietly(files, one);
    await removeQuietly(files, other);
  }
}

async function removeQuietly(files: Files, path: string): Promise<void> {
  try {
    await files.remove(path);
  } catch {
    // The finding says it already.
  }
}

/** Judges on which devices the parts lie: bytes move by hard link. */
export function judgeDevices(
  devices: Readonly<Record<"uploads" | "blobs", number | undefined>>,
): Finding | undefined {
  const { uploads, blobs } = devices;
  if (uploads === undefined || blobs === undefined || uploads === blobs) {
    return undefined;
  }
  return fault(
    "uploads/ and blobs/ are on two file systems",
    "mount the data directory as a whole, so that an upload can become a " +
      "blob by a hard link",
  );
}
