import { isReadOnlyDisk } from "./failure.ts";
import type { Files } from "./files.ts";

/** Whether a data directory's file system takes writes; none is made. */
export async function takesWrites(
  files: Files,
  root: string,
): Promise<boolean> {
  try {
    // Not the database's file: closing that would let go of its locks.
    (await files.open(`${root}/lock`, "write"))?.close();
    return true;
  } catch (error) {
    if (isReadOnlyDisk(error)) return false;
    throw error;
  }
}
