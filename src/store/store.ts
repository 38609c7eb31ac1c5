/**
 * A data directory, opened: its lock, database, blobs and keys.
 *
 * @module
 */
import { toHex } from "../core/bytes.ts";
import type { Platform } from "../core/platform.ts";
import { BlobDirectory } from "./blobs.ts";
import {
  attachDatabase,
  type Db,
  openDatabase,
  StoreFault,
} from "./database.ts";
import { type Files, makeDirectoryDurably } from "./files.ts";
import { explainOpening } from "./open_fault.ts";
import { type KeyPurpose, openKeyRing, type StoredKey } from "./keys.ts";

export interface Store {
  readonly db: Db;
  readonly blobs: BlobDirectory;
  /** Oldest first; the last is active. */
  readonly accessKeys: readonly StoredKey[];
  readonly attestationKeys: readonly StoredKey[];
  /** What seals secrets in the database; the last is active. */
  readonly sealingKeys: readonly StoredKey[];
  readonly close: () => Promise<void>;
}

/**
 * Opens a data directory for serving, making it if it is not there. A second
 * server on it, a database from a newer program, and whatever else the
 * operator can mend, is a {@link StoreFault}.
 */
export async function openStore(
  root: string,
  platform: Platform,
  files: Files,
): Promise<Store> {
  try {
    await Deno.mkdir(root, { recursive: true, mode: 0o700 });
    return await openLocked(root, platform, files);
  } catch (error) {
    throw explainOpening(root, error);
  }
}

async function openLocked(
  root: string,
  platform: Platform,
  files: Files,
): Promise<Store> {
  const lock = await lockDirectory(root);
  try {
    for (const part of ["db", "keys"]) {
      await makeDirectoryDurably(files, `${root}/${part}`);
    }
    const blobs = new BlobDirectory(files, root);
    await blobs.prepare();
    const fresh = { now: platform.now(), random: platform.random };
    const keys = `${root}/keys`;
    const ring = (purpose: KeyPurpose) =>
      openKeyRing(files, keys, purpose, fresh);
    const accessKeys = await ring("access");
    const attestationKeys = await ring("attestation");
    const sealingKeys = await ring("sealing");
    const db = await openDatabase(
      databasePath(root),
      toHex(platform.random(16)),
    );
    return {
      db,
      blobs,
      accessKeys,
      attestationKeys,
      sealingKeys,
      close: async () => {
        await db.destroy();
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * Opens the database of a data directory, and nothing else of it, for an
 * operator's command: a server may be running on it. A {@link StoreFault}
 * where there is no database, rather than a new one, or one of another schema.
 */
export async function openBesideServer(root: string): Promise<Db> {
  const path = databasePath(root);
  try {
    await Deno.stat(path);
    return attachDatabase(path);
  } catch (error) {
    if (error instanceof StoreFault) throw error;
    if (error instanceof Deno.errors.NotCapable) throw error;
    if (error instanceof Deno.errors.NotFound) {
      throw new StoreFault(
        `${root} holds no database: name the server's data directory with ` +
          "--data-dir or STRONGROOM_DATA_DIR",
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreFault(
      `${path} cannot be opened (${reason}): run this as the server's user, ` +
        "on a data directory that is whole",
    );
  }
}

function databasePath(root: string): string {
  return `${root}/db/strongroom.sqlite`;
}

/**
 * Takes the directory's lock for as long as the process lives. The kernel
 * lets go of it when the process ends, however that happens.
 */
async function lockDirectory(root: string): Promise<Deno.FsFile> {
  const file = await Deno.open(`${root}/lock`, {
    read: true,
    write: true,
    create: true,
    mode: 0o600,
  });
  if (await file.tryLock(true)) return file;
  file.close();
  throw new StoreFault(
    `${root} is in use by another server: stop that one, or choose another ` +
      "directory with STRONGROOM_DATA_DIR",
  );
}
