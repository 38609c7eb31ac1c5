/**
 * How the store bears a shortage of file descriptors: connections may take all
 * of them for a moment, until idle ones are closed.
 *
 * @module
 */
import { closeSync, openSync } from "node:fs";
import type { Platform } from "../../core/platform.ts";
import { SECOND_MS } from "../../core/time.ts";
import { isDiskFull } from "../failure.ts";
import type { Files } from "./files.ts";

/**
 * The system's codes: no descriptor left for the process, or for any process.
 */
const CODES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"]);

/**
 * How long to wait for a descriptor: longer than surplus idle connections stay
 * open.
 */
const PATIENCE_MS = 15 * SECOND_MS;
const AGAIN_MS = 20;

const NEVER = new AbortController().signal;

/** Whether something failed, before it began, for want of a descriptor. */
export function isOutOfDescriptors(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && CODES.has(thrown.code);
}

/** Whether a failure may pass by itself and says nothing against the disk. */
export function mayPass(thrown: unknown): boolean {
  return isDiskFull(thrown) || isOutOfDescriptors(thrown);
}

/** Reads a small file synchronously; "later" if no descriptor is free now. */
export function readNow(files: Files, path: string) {
  try {
    return files.readWhole(path);
  } catch (cause) {
    if (isOutOfDescriptors(cause)) return "later";
    throw cause;
  }
}

/** More than this are not taken to see whether they are free. */
const TRIED = 32;

/**
 * Whether `count` descriptors are free now, tried with a `directory` that can
 * be read. Where they are many, only some are tried, so that the process's other
 * threads do not run short: the last has the lowest number that is free, and
 * those from there to the process's `limit` are taken to be free.
 */
export function hasDescriptors(
  directory: string,
  count: number,
  limit = Infinity,
): boolean {
  const held: number[] = [];
  try {
    while (held.length < Math.min(count, TRIED)) {
      held.push(openSync(directory, "r"));
    }
    return (held.at(-1) ?? 0) + 1 + count - held.length <= limit;
  } catch (cause) {
    // Other faults of the directory are not judged here.
    return !isOutOfDescriptors(cause);
  } finally {
    for (const descriptor of held) closeSync(descriptor);
  }
}

/**
 * How many descriptors the process may have open, or `most` if it is more. It
 * takes them all for a moment: to be called while nothing else wants any.
 */
export function descriptorLimit(directory: string, most: number): number {
  const held: number[] = [];
  try {
    let last = 0;
    while (last + 1 < most) held.push(last = openSync(directory, "r"));
    return most;
  } catch (cause) {
    if (isOutOfDescriptors(cause)) return (held.at(-1) ?? 0) + 1;
    throw cause;
  } finally {
    for (const descriptor of held) closeSync(descriptor);
  }
}

/**
 * Makes opening files wait for a descriptor. Waiting is safe: a file that could
 * not be opened was neither written nor synced, so nothing was lost.
 */
export function patientFiles(
  files: Files,
  { monotonic, sleep }: Pick<Platform, "monotonic" | "sleep">,
): Files {
  const persist = async <T>(work: () => Promise<T>): Promise<T> => {
    const begun = monotonic();
    for (;;) {
      try {
        return await work();
      } catch (cause) {
        const isOver = monotonic() - begun > PATIENCE_MS;
        if (isOver || !isOutOfDescriptors(cause)) throw cause;
        await sleep(AGAIN_MS, NEVER);
      }
    }
  };
  return {
    ...files,
    open: (path, mode) => persist(() => files.open(path, mode)),
    syncDirectory: (path) => persist(() => files.syncDirectory(path)),
    copy: (from, to) => persist(() => files.copy(from, to)),
  };
}
