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

/** The settings and the address with which a restored server continues. */
export function settingsLines(
  settings: ServerSettings | undefined,
  serverId: string | null,
  dataDir: string,
): string[] {
  const origin = settings?.origin ?? serverId;
  const given = settings?.given ?? [];
  return [
    ...given.length === 0 ? [] : [
      "it ran with these settings, which belong in strongroom.env:",
      ...given.map(({ name, value }) =>
        value === null
          ? `  ${name}=  (a secret, which no backup contains)`
          : `  ${name}=${value}`
      ),
    ],
    origin === null
      ? `start it with: strongroom serve --data-dir ${dataDir}`
      : `people, links and receipts use the address ${origin}; start it ` +
        `with that address: STRONGROOM_BASE_URL=${origin} strongroom serve ` +
        `--data-dir ${dataDir}`,
  ];
}
