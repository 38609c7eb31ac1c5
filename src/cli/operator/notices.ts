/**
 * Notices from commands: what one finds out is told like what the server finds,
 * and sent at once, since no server may be running.
 *
 * @module
 */
import { canonicalOrigin, type Config } from "../../config.ts";
import type { Platform } from "../../core/platform.ts";
import { reasonOf } from "../../core/reason.ts";
import { listNames } from "../../features/keys/store.ts";
import type { Condition, Facts } from "../../features/notices/events.ts";
import { messageOf, Notices } from "../../features/notices/notices.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { requireKeyRing } from "../../store/keys.ts";
import { keysPath } from "../../store/data_paths.ts";
import { loadConfig } from "../environment.ts";
import { openOwn } from "./own_database.ts";
import type { Call } from "../verb.ts";

/** The notices of a data directory, for a command that has its database. */
export async function noticesOf(
  db: Db,
  config: Config,
  platform: Platform,
): Promise<Notices> {
  const ran = (await listNames(db)).at(-1)?.server_id;
  const ring = requireKeyRing(
    denoFiles,
    keysPath(config.STRONGROOM_DATA_DIR),
    "sealing",
  );
  const keys = ring.map(({ seed }) => seed);
  const active = keys.at(-1);
  if (active === undefined) throw new Error("no sealing key");
  return new Notices({
    db,
    platform,
    targets: config.STRONGROOM_NOTIFY,
    serverId: ran ?? canonicalOrigin(config) ?? "http://localhost",
    sealing: { keys, active },
  });
}

/** Sends what waits, once; what does not come through the server tries again. */
export async function sendNow(
  notices: Notices,
  platform: Platform,
): Promise<void> {
  const { delivering } = await import("../../server/deliver.ts");
  await notices.sendDue(delivering(platform));
}

/**
 * Has the operator told of what a command found. That it cannot be told is
 * warned of, and makes the command neither better nor worse.
 */
export async function tellOperator(
  call: Call,
  what: (notices: Notices, db: Db) => Promise<void>,
): Promise<void> {
  try {
    const config = loadConfig(call.options);
    if (config.STRONGROOM_NOTIFY.length === 0) return;
    const db = await openOwn(config.STRONGROOM_DATA_DIR, "write");
    try {
      const notices = await noticesOf(db, config, call.platform);
      await what(notices, db);
      await sendNow(notices, call.platform);
    } finally {
      await db.destroy();
    }
  } catch (cause) {
    call.warn(`the notice was not sent (${reasonOf(cause)})`);
  }
}

/**
 * The same for trouble that may be why nothing can be written down: where that
 * fails each target is told once, straight away.
 */
export async function tellTrouble(
  call: Call,
  event: Condition,
  facts: Facts = {},
): Promise<void> {
  let isWritten = false;
  const quiet = { ...call, warn: () => {} };
  await tellOperator(quiet, async (notices) => {
    await notices.raise(event, facts);
    isWritten = true;
  });
  if (isWritten) return;
  let config: Config;
  try {
    config = loadConfig(call.options);
  } catch {
    // The command itself says what is wrong with the settings.
    return;
  }
  if (config.STRONGROOM_NOTIFY.length === 0) return;
  const { platform } = call;
  const { delivering } = await import("../../server/deliver.ts");
  const deliver = delivering(platform);
  const at = platform.now();
  const message = messageOf(
    { event, state: "began", since: at, at, facts },
    canonicalOrigin(config) ?? "http://localhost",
  );
  for (const target of config.STRONGROOM_NOTIFY) {
    try {
      await deliver(target, message);
    } catch (cause) {
      call.warn(`${target.name} was not told: ${reasonOf(cause)}`);
    }
  }
}
