/**
 * Counts what is read of files, in this process.
 *
 * @module
 */

/** Bytes that are read of open files meanwhile. */
export async function readsOf(act: () => Promise<void>): Promise<number> {
  const file = Deno.FsFile.prototype;
  const { read, readSync } = file;
  let bytes = 0;
  file.readSync = function (into) {
    const count = readSync.call(this, into);
    bytes += count ?? 0;
    return count;
  };
  file.read = async function (into) {
    const count = await read.call(this, into);
    bytes += count ?? 0;
    return count;
  };
  try {
    await act();
  } finally {
    Object.assign(file, { read, readSync });
  }
  return bytes;
}
