/**
 * The calls of a sealing thread. With each job it gets a file and the key of
 * one blob, which it forgets after the job.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { Sealer, SealerOptions } from "../sealer.ts";
import type { StreamKey } from "../stream.ts";
import type { PlainSource } from "../sealer.ts";
import { sourceOfFile } from "./file_source.ts";
import { Moved } from "./wire.ts";

/** What is to be sealed. */
export interface SealingJob {
  /** The vault's number of it, for its progress and for stopping it. */
  readonly id: number;
  readonly plain: Blob;
  readonly key: StreamKey;
  /** See {@link SealerOptions}. */
  readonly sha256: string | undefined;
}

/** All functions that a vault can call. */
export type SealingGroups = ReturnType<typeof sealingCalls>;

/** The calls of a thread that seals with `sealer`. */
export function sealingCalls(
  sealer: Sealer,
  told: (id: number, bytes: number) => void,
) {
  const underWay = new Map<number, AbortController>();
  const run = async <T extends object>(
    { id, plain, key, sha256 }: SealingJob,
    work: (source: PlainSource, options: SealerOptions) => Promise<T>,
    bytesOf: (done: T) => Bytes,
  ): Promise<Moved<T>> => {
    const stopping = new AbortController();
    underWay.set(id, stopping);
    try {
      const done = await work(sourceOfFile(plain), {
        sha256,
        signal: stopping.signal,
        onProgress: (bytes) => told(id, bytes),
      });
      return new Moved(done, [bytesOf(done).buffer]);
    } finally {
      underWay.delete(id);
      key.key.fill(0);
    }
  };
  return {
    seal: {
      whole: (job: SealingJob) =>
        run(
          job,
          (source, options) => sealer.whole(source, job.key, options),
          ({ blob }) => blob,
        ),
      address: (job: SealingJob) =>
        run(
          job,
          (source, options) => sealer.address(source, job.key, options),
          ({ tags }) => tags,
        ),
      chunks: (job: SealingJob, first: number, end: number) =>
        run(
          job,
          (source) => sealer.chunks(source, job.key, first, end),
          (chunks) => chunks,
        ),
      /** Stops a job; nobody waits for it any more. */
      stop(id: number) {
        underWay.get(id)?.abort();
      },
      /** Says that the thread is there. */
      here() {},
    },
  };
}
