/**
 * A data directory at work next to a server, as an operator's command has one.
 *
 * @module
 */
import { readConfig } from "./config.ts";
import { bucketSettings, limitsOf } from "../../src/config.ts";
import type { Platform } from "../../src/core/platform.ts";
import type { ServiceContext } from "../../src/features/service_context.ts";
import { ActiveUploads } from "../../src/features/uploads/active.ts";
import { sleep } from "../../src/server/sleep.ts";
import { directoriesOf } from "../../src/store/blobs/blobs.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import type { Files } from "../../src/store/files/files.ts";
import { openBlobs } from "../../src/store/blobs/object_store.ts";
import { openBesideServer } from "../../src/store/store.ts";
import { blobPlaceOf } from "./blob_place.ts";

/**
 * Opens one with the limits that a server has if it is told none, and with the
 * bucket that the settings name, or else that of the directory's server.
 */
export async function openServiceContext(
  dataDir: string,
  now: () => number,
  { files = denoFiles, settings = blobPlaceOf(dataDir)?.settings }: {
    readonly files?: Files;
    readonly settings?: Readonly<Record<string, string>> | undefined;
  } = {},
): Promise<ServiceContext> {
  const silent = () => {};
  const config = readConfig({ STRONGROOM_DATA_DIR: dataDir, ...settings });
  const platform: Platform = {
    now,
    monotonic: () => performance.now(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    sleep,
    fetch: blobPlaceOf(dataDir)?.fetchBeside(fetch) ?? fetch,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  };
  const db = await openBesideServer(dataDir);
  const directories = directoriesOf(files, dataDir);
  const opened = await openBlobs(db, directories, {
    ...{ files, platform },
    settings: bucketSettings(config),
  });
  return {
    ...{ db, platform, staging: directories.staging, ...opened },
    uploads: new ActiveUploads(),
    limits: limitsOf(config),
  };
}
