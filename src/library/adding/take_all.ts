/**
 * Taking many files in: several at a time and within a bound of memory. A
 * failure is reported for its file; a failure that every other file would meet
 * ends the whole.
 *
 * @module
 */
import {
  ApiProblem,
  ClientTooOld,
  ConnectionError,
  UnexpectedAnswer,
} from "../../client/api/api.ts";
import { isFull, isTemporary } from "../../client/api/refusals.ts";
import type { Kept, NewFile, UploadOptions } from "./upload_types.ts";
import { CustodyError } from "../base/faults.ts";
import { IN_MEMORY_BYTES } from "./sealed_part.ts";

/** Files at a time, by default. */
const AT_ONCE = 6;
/** Bound on plaintext and ciphertext in memory, together (bytes). */
const MEMORY_BYTES = 128 * 1024 * 1024;
/** Memory of a large file, of which one piece is read and sealed at a time. */
const LARGE_BYTES = 24 * 1024 * 1024;

/** Options of {@link takeAll}. */
export interface TakeAllOptions<F extends NewFile>
  extends Omit<UploadOptions, "onProgress"> {
  /** Files at a time; default 6. */
  readonly atOnce?: number;
  readonly onProgress?: (
    file: F,
    step: Parameters<NonNullable<UploadOptions["onProgress"]>>[0],
    bytes: number,
  ) => void;
  /** Called for each file that was taken in. */
  readonly onKept?: (file: F, kept: Kept) => void | Promise<void>;
  /** Called for each file that failed. */
  readonly onFailed?: (file: F, error: unknown) => void | Promise<void>;
}

/** The outcome for many files. */
export interface TakenAll {
  /** Stored now. */
  readonly kept: number;
  /** In the library already. */
  readonly known: number;
  /** Failed for a reason of their own; `onFailed` was called for each. */
  readonly failed: number;
  /**
   * Why the rest was not tried: no connection, no room, signed out, or a server
   * whose answers contradict each other. Undefined if every file was tried.
   */
  readonly stopped: unknown;
}

/**
 * Takes files in as they come; see {@link TakenAll}. Rejects only if the source
 * of files or one of the callbacks does.
 */
export async function takeAll<F extends NewFile>(
  takeOne: (file: NewFile, options: UploadOptions) => Promise<Kept>,
  files: AsyncIterable<F> | Iterable<F>,
  options: TakeAllOptions<F> = {},
): Promise<TakenAll> {
  const { atOnce = AT_ONCE, onProgress, onKept, onFailed, ...rest } = options;
  const counted = { kept: 0, known: 0, failed: 0 };
  const memory = openBudget(MEMORY_BYTES);
  let stopped: unknown;
  const take = async (file: F) => {
    const release = await memory(memoryOf(file));
    try {
      if (stopped !== undefined) return;
      const kept = await takeOne(file, {
        ...rest,
        ...(onProgress === undefined ? {} : {
          onProgress: (step, bytes) => onProgress(file, step, bytes),
        }),
      });
      counted[kept.outcome]++;
      await onKept?.(file, kept);
    } catch (error) {
      if (options.signal?.aborted === true || endsAll(error)) {
        stopped ??= error;
        return;
      }
      counted.failed++;
      await onFailed?.(file, error);
    } finally {
      release();
    }
  };
  const underWay = new Set<Promise<void>>();
  const faults: unknown[] = [];
  for await (const file of files) {
    if (stopped !== undefined || faults.length > 0) break;
    const one: Promise<void> = take(file)
      .catch((fault) => void faults.push(fault))
      .finally(() => underWay.delete(one));
    underWay.add(one);
    if (underWay.size >= atOnce) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  if (faults.length > 0) throw faults[0];
  return { ...counted, stopped };
}

/** Whether every other file would fail in the same way. */
function endsAll(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (error instanceof ClientTooOld) return true;
  if (error instanceof CustodyError) return true;
  if (error instanceof UnexpectedAnswer) return error.status >= 500;
  return error instanceof ApiProblem &&
    (error.status === 401 || error.status === 500 || isFull(error) ||
      isTemporary(error) || error.code === "error.account.suspended");
}

function memoryOf({ source, derivatives = [] }: NewFile): number {
  const small = derivatives.reduce((sum, one) => sum + one.bytes.length, 0);
  const large = source.size > IN_MEMORY_BYTES;
  return 2 * small + (large ? LARGE_BYTES : 2 * source.size);
}

/** Grants a bounded number of bytes, in the order of the requests. */
function openBudget(limit: number) {
  let free = limit;
  let turn: Promise<void> = Promise.resolve();
  let wake: (() => void) | undefined;
  return (bytes: number): Promise<() => void> => {
    const wanted = Math.min(bytes, limit);
    const granted = turn.then(async () => {
      while (free < wanted) {
        await new Promise<void>((resolve) => wake = resolve);
      }
      free -= wanted;
      return () => {
        free += wanted;
        wake?.();
      };
    });
    turn = granted.then(() => {});
    return granted;
  };
}
