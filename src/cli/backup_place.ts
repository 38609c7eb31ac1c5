/**
 * What the commands on backups have in common.
 *
 * @module
 */
import { OperatorFault } from "../core/operator.ts";
import type { Amount } from "../core/sizes.ts";
import { isDiskFull } from "../store/disk_full.ts";
import { type HeldLock, shareLock } from "../store/lock.ts";
import type { CommandContext } from "./operator.ts";
import { terminalProgress } from "./progress.ts";

/** Keeps a backup as it is while it is read. */
export async function readLock(dir: string): Promise<HeldLock> {
  return await requireLock(
    shareLock(`${dir}/lock`),
    `a backup into ${dir} is running: run this again when that has ended`,
  );
}

/** A lock, or the refusal where another process has it. */
export async function requireLock(
  taken: Promise<HeldLock | undefined>,
  refusal: string,
): Promise<HeldLock> {
  const lock = await taken;
  if (lock !== undefined) return lock;
  throw new OperatorFault(refusal);
}

/** What the system answers, in one line that says what to do. */
export async function explained<T>(
  dir: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (isDiskFull(error)) {
      throw new OperatorFault(
        `the disk is full (${reason}): make room and run this again; a ` +
          `backup that was whole before is whole still`,
      );
    }
    if (error instanceof Deno.errors.PermissionDenied) {
      throw new OperatorFault(
        `${reason}: run this as the server's user, who has to own ${dir} too`,
      );
    }
    if (error instanceof Error && "errcode" in error) {
      throw new OperatorFault(
        `the database cannot be read (${reason}): run \`strongroom check\` ` +
          "on the data directory, or take another copy of the backup",
      );
    }
    if (error instanceof Deno.errors.NotADirectory) {
      throw new OperatorFault(`${dir} is no directory: name one (${reason})`);
    }
    // EROFS, EIO and the like: the system's own words say what to mend.
    if (error instanceof Error && "code" in error && isErrno(error.code)) {
      throw new OperatorFault(
        `${reason}: mend that and run this again; a backup that was whole ` +
          "before is whole still",
      );
    }
    throw error;
  }
}

function isErrno(code: unknown): boolean {
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code);
}

/** Progress in bytes of blobs. */
export function blobProgress({ platform }: CommandContext, what: string) {
  const { show, end } = terminalProgress(platform.monotonic);
  return {
    show: (done: Amount, total: Amount) =>
      show(`${what}, bytes of blobs`, done.bytes, total.bytes),
    end,
  };
}

/** How many blobs, for people. */
export function inWords({ count, bytes }: Amount): string {
  return `${count} blobs (${bytes.toLocaleString("en")} bytes)`;
}
