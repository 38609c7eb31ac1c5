/**
 * What the server goes by, for commands beside it: their own environment may
 * say otherwise, or nothing.
 *
 * @module
 */
import type { Db } from "./database.ts";

/** What decides about deletion at a server. */
export interface Serving {
  /** Milliseconds, here and below. */
  readonly trashMs: number;
  readonly uploadTtlMs: number;
  readonly sessionInactivityMs: number;
  readonly reservedDiskBytes: number;
}

/** Records what a server goes by from now on. */
export async function recordServing(db: Db, serving: Serving): Promise<void> {
  await db.updateTable("server").set({
    trash_ms: serving.trashMs,
    upload_ttl_ms: serving.uploadTtlMs,
    session_inactivity_ms: serving.sessionInactivityMs,
    reserved_disk_bytes: serving.reservedDiskBytes,
  }).execute();
}

/** What the server went by last; undefined before it served for the first time. */
export async function readServing(db: Db): Promise<Serving | undefined> {
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
