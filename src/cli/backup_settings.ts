/**
 * The settings that a backup carries, for who restores it on another machine.
 *
 * @module
 */
import type { ServerSettings } from "../features/backup/manifest.ts";
import { listNames } from "../features/keys/store.ts";
import type { Db } from "../store/database.ts";
import { loadSettings, type Overrides } from "./environment.ts";

/** Another machine has its own of these. */
const OF_THE_MACHINE = /^STRONGROOM_(?:DATA_DIR$|BACKUP_)/;

/** The settings that a command sees; secrets by their names alone. */
export async function settingsOf(
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
