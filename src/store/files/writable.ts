import { isReadOnlyDisk } from "../failure.ts";
import type { Files } from "./files.ts";

/** Whether a data directory's file system can be written to; writes nothing. */
export async function takesWrites(
  files: Files,
  root: string,
): Promise<boolean> {
  try {
    // The lock's file is tried: closing the database's would release its locks.
    (await files.open(`${root}/lock`, "write"))?.close();
    return true;
  } catch (error) {
    if (isReadOnlyDisk(error)) return false;
    throw error;
  }
}
