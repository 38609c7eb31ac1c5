/**
 * The calls of a sealing thread. With each job it gets a file and the key of
 * one blob, which it forgets after the job.
 *
 * @module
 */
import type { Bytes } from "../../../core/bytes.ts";
import type { Sealer, SealerOptions } from "../sealer.ts";
import type { StreamKey } from "../stream.ts";
import type { PlainSource } from "../sealer.ts";
import { sourceOfFile } from "./file_source.ts";
import { Moved } from "./thread_messages.ts";

/** What is to be sealed. */
interface SealingJob {
  /** The vault's number of it, for its progress and for stopping it. */
  readonly id: number;
  readonly plain: Blob;
  readonly key: StreamKey;
  /** See {@link SealerOptions}. */
  readonly sha256: string | undefined;
}

/** What is to be hashed: without a key. */
export type HashingJob = Pick<SealingJob, "id" | "plain">;

/** All functions that a vault can call. */
export type SealingGroups = ReturnType<typeof sealingCalls>;

/** The calls of a thread that seals with `sealer`. */
export function sealingCalls(
  sealer: Sealer,
  told: (id: number, bytes: number) => void,
) {
  const underWay = new Map<number, AbortController>();
  const read = async <T>(
    { id, plain }: HashingJob,
    work: (source: PlainSource, options: SealerOptions) => Promise<T>,
  ): Promise<T> => {
    const stopping = new AbortController();
    underWay.set(id, stopping);
    try {
      return await work(sourceOfFile(plain), {
        signal: stopping.signal,
        onProgress: (bytes) => told(id, bytes),
      });
    } finally {
      underWay.delete(id);
    }
  };
  const run = async <T extends object>(
    { key, sha256, ...job }: SealingJob,
    work: (source: PlainSource, options: SealerOptions) => Promise<T>,
    bytesOf: (done: T) => Bytes,
  ): Promise<Moved<T>> => {
    try {
      const done = await read(
        job,
        (source, options) => work(source, { ...options, sha256 }),
      );
      return new Moved(done, [bytesOf(done).buffer]);
    } finally {
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
      hash: (job: HashingJob) =>
        read(job, (source, options) => sealer.hash(source, options)),
      /** Stops a job whose result is not needed any more. */
      stop(id: number) {
        underWay.get(id)?.abort();
      },
      /** Says that the thread is there. */
      here() {},
    },
  };
}
