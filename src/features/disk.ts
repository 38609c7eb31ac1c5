/**
 * The disk's reserve, for writes that bring much and whose contract has no
 * answer for a full disk (protocol/uploads.md#room).
 *
 * @module
 */
import type { App } from "./app.ts";

/** What the reserve keeps from a write; an internal failure to its client. */
export class DiskReserved extends Error {
  override readonly name = "DiskReserved";
}

/**
 * Throws a {@link DiskReserved} where so many bytes more would take from what
 * the disk has to keep free: the database needs it to commit anything at all.
 */
export async function requireDisk(
  app: Pick<App, "blobs" | "limits">,
  bytes: number,
): Promise<void> {
  const free = await app.blobs.freeBytes();
  if (free - bytes >= app.limits.reservedDiskBytes) return;
  throw new DiskReserved(`${free} bytes are free, ${bytes} are to be written`);
}
