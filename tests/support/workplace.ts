/**
 * A data directory at work beside a server, as an operator's command has one.
 *
 * @module
 */
import { limitsOf } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import type { Workplace } from "../../src/features/workplace.ts";
import { ActiveUploads } from "../../src/features/uploads/active.ts";
import { sleep } from "../../src/server/sleep.ts";
import { directoriesOf } from "../../src/store/blobs.ts";
import { denoFiles } from "../../src/store/deno_files.ts";
import type { Files } from "../../src/store/files.ts";
import { openBesideServer } from "../../src/store/store.ts";

/** Opens one with the limits that a server has if it is told none. */
export async function openWorkplace(
  dataDir: string,
  now: () => number,
  files: Files = denoFiles,
): Promise<Workplace> {
  const silent = () => {};
  return {
    db: await openBesideServer(dataDir),
    ...directoriesOf(files, dataDir),
    objectStore: undefined,
    uploads: new ActiveUploads(),
    limits: limitsOf(readConfig({ STRONGROOM_DATA_DIR: dataDir })),
    platform: {
      now,
      monotonic: () => performance.now(),
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
      sleep,
      fetch,
      log: { debug: silent, info: silent, warn: silent, error: silent },
    },
  };
}
