/**
 * `strongroom restore --keys-only`.
 *
 * @module
 */
import {
  type KeysRestored,
  restoreKeys,
} from "../../features/backup/restore_keys.ts";
import type { RestoreSource } from "../../features/backup/source.ts";
import { requireKeysOf } from "../../features/keys/identity.ts";
import { requireSealingKeys } from "../../features/totp/health.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { requireKeyRing } from "../../store/keys.ts";
import { databasePath } from "../../store/data_paths.ts";
import { lockDirectory, openBesideServer } from "../../store/store.ts";
import type { Said } from "../verb.ts";

/** Brings the key files of a backup into a data directory, or an empty one. */
export async function runRestoreKeys(
  source: RestoreSource,
  dataDir: string,
): Promise<Said> {
  await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(dataDir);
  let done: KeysRestored;
  try {
    done = await restoreKeys(
      { files: denoFiles, dataDir },
      source,
      (directory) => requireOwn(dataDir, directory),
    );
  } finally {
    lock.close();
  }
  const { brought, kept } = done;
  const { made_at } = source.snapshot;
  return {
    json: { data_dir: dataDir, made_at, brought, kept },
    lines: [
      brought.length === 0
        ? `${dataDir}/keys already has all of them`
        : `restored ${brought.join(", ")} from the backup of ${made_at} into ` +
          `${dataDir}/keys: anyone who has these files can sign as this ` +
          "server",
    ],
  };
}

/** The files are those of the database that is there, if one is. */
async function requireOwn(dataDir: string, directory: string): Promise<void> {
  if (await denoFiles.stat(databasePath(dataDir)) === undefined) return;
  const db = await openBesideServer(dataDir, {
    access: "read",
    withoutKeys: true,
  });
  try {
    const files = denoFiles;
    await requireKeysOf(db, { files, directory });
    const sealing = requireKeyRing(files, directory, "sealing");
    const seeds = sealing.map(({ seed }) => seed);
    await requireSealingKeys(db, seeds, directory);
  } finally {
    await db.destroy();
  }
}
