/**
 * The server's settings that decide about deletion, recorded for other
 * commands, whose own environment may have other values or none.
 *
 * @module
 */
import type { Db } from "./sqlite/database.ts";

/** The settings that decide about deletion. */
interface RecordedSettings {
  /** In milliseconds, like the next two. */
  readonly trashMs: number;
  readonly uploadTtlMs: number;
  readonly sessionInactivityMs: number;
  readonly reservedDiskBytes: number;
}

/** Records the settings with which a server starts. */
export async function recordSettings(
  db: Db,
  recorded: RecordedSettings,
): Promise<void> {
  await db.updateTable("server").set({
    trash_ms: recorded.trashMs,
    upload_ttl_ms: recorded.uploadTtlMs,
    session_inactivity_ms: recorded.sessionInactivityMs,
    reserved_disk_bytes: recorded.reservedDiskBytes,
  }).execute();
}

/**
 * The settings of the server that was started last; undefined before the first.
 */
export async function readRecordedSettings(
  db: Db,
): Promise<RecordedSettings | undefined> {
  const row = await db.selectFrom("server")
    .select([
      "trash_ms",
      "upload_ttl_ms",
      "session_inactivity_ms",
      "reserved_disk_bytes",
    ])
    .executeTakeFirst();
  if (
    row === undefined || row.trash_ms === null || row.upload_ttl_ms === null ||
    row.session_inactivity_ms === null ||
    row.reserved_disk_bytes === null
  ) return undefined;
  return {
    trashMs: row.trash_ms,
    uploadTtlMs: row.upload_ttl_ms,
    sessionInactivityMs: row.session_inactivity_ms,
    reservedDiskBytes: row.reserved_disk_bytes,
  };
}
