/**
 * The disk's reserve, for writes that bring much: to their clients the disk is
 * full where they would take from it (protocol/uploads.md#room).
 *
 * @module
 */
import type { ServiceContext } from "./service_context.ts";

/** What the reserve keeps from a write. */
export class DiskReserved extends Error {
  override readonly name = "DiskReserved";
}

/**
 * Throws a {@link DiskReserved} where so many bytes more would take from what
 * the disk has to keep free: the database needs it to commit anything at all.
 */
export async function requireDisk(
  app: ServiceContext,
  bytes: number,
): Promise<void> {
  if (await hasDisk(app, bytes)) return;
  throw new DiskReserved(`too little is free for ${bytes} bytes more`);
}

/** Whether so many bytes more leave the disk what it has to keep free. */
async function hasDisk(
  app: ServiceContext,
  bytes: number,
): Promise<boolean> {
  const free = await app.staging.freeBytes();
  return free - bytes >= app.limits.reservedDiskBytes;
}
