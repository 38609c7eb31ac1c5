/**
 * File locks. The kernel releases them when their process ends, however that
 * happens.
 *
 * @module
 */

/** A lock that is held until it is closed. */
export interface HeldLock {
  close(): void;
}

/**
 * Takes a lock on a file, which is made if it is missing; undefined if another
 * process holds it.
 */
export async function lockFile(path: string): Promise<HeldLock | undefined> {
  const file = await Deno.open(path, {
    read: true,
    write: true,
    create: true,
    mode: 0o600,
  });
  if (await file.tryLock(true)) return heldLock(file);
  file.close();
  return undefined;
}

/**
 * Takes a shared lock, for readers; undefined if another process holds the
 * exclusive one. The lock file may be missing, on a read-only medium or in a
 * directory of another user's: then nothing is locked.
 */
export async function shareLock(path: string): Promise<HeldLock | undefined> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path, { read: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { close: () => {} };
    throw error;
  }
  if (await file.tryLock(false)) return heldLock(file);
  file.close();
  return undefined;
}

/**
 * A child process that is being started holds every open file for a
 * moment, until it is another program. Closing alone would leave the lock to
 * it; unlocking takes it from both.
 */
function heldLock(file: Deno.FsFile): HeldLock {
  return {
    close: () => {
      try {
        file.unlockSync();
      } finally {
        file.close();
      }
    },
  };
}
