/**
 * What the commands on backups have in common.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import type { Amount } from "../../core/sizes.ts";
import { type HeldLock, shareLock } from "../../store/files/lock.ts";
import type { CommandContext } from "../verb.ts";
import { failureInWords } from "../failure.ts";
import { terminalProgress } from "../progress.ts";
import { writeOut } from "../streams.ts";

/** Keeps a backup as it is while it is read. */
export async function readLock(dir: string): Promise<HeldLock> {
  return await requireLock(
    shareLock(`${dir}/lock`),
    `a backup to ${dir} is running: run this again when it has ended`,
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

/** Says what the system refuses with the backup, and that it lost nothing. */
export async function explained<T>(
  dir: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Deno.errors.NotADirectory) {
      throw new OperatorFault(
        `${dir} is not a directory: give one (${error.message})`,
      );
    }
    const words = failureInWords(error);
    if (words === undefined) throw error;
    throw new OperatorFault(
      `${words}; a backup that was whole before is whole still`,
      { cause: error },
    );
  }
}

/** Progress in bytes of blobs, and lines of its own, on a terminal alone. */
export function blobProgress(
  { platform, streams }: CommandContext,
  what: string,
) {
  const { show, end } = terminalProgress(platform.monotonic, streams.stderr);
  return {
    show: (done: Amount, total: Amount) =>
      show(`${what}, bytes of blobs`, done.bytes, total.bytes),
    tell: (line: string) => {
      if (!streams.stderr.isTerminal()) return;
      end();
      writeOut(new TextEncoder().encode(`${line}\n`), streams.stderr);
    },
    end,
  };
}
