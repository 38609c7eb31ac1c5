/**
 * What the store does where the process has no descriptor left: connections
 * may take all of them for a moment, until the idle ones are ended.
 *
 * @module
 */
import { closeSync, openSync } from "node:fs";
import type { Platform } from "../core/platform.ts";
import { SECOND_MS } from "../core/time.ts";
import { isDiskFull } from "./failure.ts";
import type { Files } from "./files.ts";

/** The system's own codes: none left for the process, or for anybody. */
const CODES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"]);

/** Longer than idle connections stay that are too many. */
const PATIENCE_MS = 15 * SECOND_MS;
const AGAIN_MS = 20;

const NEVER = new AbortController().signal;

/** Whether something failed before it began, for want of a descriptor. */
export function isOutOfDescriptors(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && CODES.has(thrown.code);
}

/** Whether something failed that says nothing against the disk. */
export function mayPass(thrown: unknown): boolean {
  return isDiskFull(thrown) || isOutOfDescriptors(thrown);
}

/** A small file at once; "later" where there is no descriptor for it now. */
export function readNow(files: Files, path: string) {
  try {
    return files.readWhole(path);
  } catch (cause) {
    if (isOutOfDescriptors(cause)) return "later";
    throw cause;
  }
}

/** Whether so many descriptors can be had now; `directory` can be read. */
export function hasDescriptors(directory: string, count: number): boolean {
  const held: number[] = [];
  try {
    while (held.length < count) held.push(openSync(directory, "r"));
    return true;
  } catch (cause) {
    // What else is wrong with it is for others to say.
    return !isOutOfDescriptors(cause);
  } finally {
    for (const descriptor of held) closeSync(descriptor);
  }
}

/**
 * Files whose opening waits for a descriptor. What could not be opened was
 * neither written nor synced: nothing is known to have gone wrong.
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
