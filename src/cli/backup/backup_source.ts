/**
 * The server that `backup` backs up, and the settings that go with it for who
 * restores it on another machine.
 *
 * @module
 */
import { VERSION } from "../../core/version.ts";
import type { Config } from "../../config.ts";
import type { Platform } from "../../core/platform.ts";
import type { ServerSettings } from "../../features/backup/manifest.ts";
import type { Source } from "../../features/backup/server_blobs.ts";
import { listNames } from "../../features/keys/store.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { loadSettings, type Overrides } from "../environment.ts";
import { openBlobsOf } from "../operator/own_database.ts";
import type { Call } from "../verb.ts";

/** Another machine has its own of these. */
const OF_THE_MACHINE = /^STRONGROOM_(?:DATA_DIR$|BACKUP_)/;

/** What a backup is made of, whatever keeps it. */
export async function sourceOf(
  { platform, options }: Pick<Call<Overrides>, "platform" | "options">,
  db: Db,
  config: Config,
): Promise<Source & { readonly platform: Platform }> {
  const { objectStore } = await openBlobsOf(db, config, platform);
  return {
    ...{ files: denoFiles, dataDir: config.STRONGROOM_DATA_DIR, db, platform },
    elsewhere: objectStore?.blobs,
    version: VERSION,
    settings: await settingsOf(db, options),
  };
}

/** The settings that a command sees; secrets by their names alone. */
async function settingsOf(
  db: Db,
  options: Overrides,
): Promise<ServerSettings> {
  const { config, settings } = loadSettings(options);
  const origin = config?.STRONGROOM_BASE_URL ??
    (await listNames(db)).at(-1)?.server_id ?? null;
  const given = settings
    .filter(({ name, source }) =>
      source.kind !== "default" && !OF_THE_MACHINE.test(name)
    )
    .map(({ name, text, secret }) => ({ name, value: secret ? null : text }));
  return { origin, given };
}
