/**
 * A sealer that other threads work for, such as Workers of pages. A thread ends
 * with its page, perhaps in the middle of a file: another one does its work
 * then, or the thread that asks.
 *
 * @module
 */
import {
  type Addressed,
  type Sealer,
  type SealerOptions,
  SourceChanged,
} from "../sealer.ts";
import type { StreamKey } from "../stream.ts";
import type { PlainSource } from "../sealer.ts";
import { collectAfter } from "./collecting.ts";
import type { FileSource } from "./file_source.ts";
import { type Remote, remote, ThreadError } from "./thread_messages.ts";
import type { HashingJob, SealingGroups } from "./sealing_calls.ts";

/** What is smaller is sealed sooner than handed over (bytes). */
const WORTH_BYTES = 64 * 1024;
/** From here on its two hashes are computed in two threads (bytes). */
const WORTH_APART_BYTES = 8 * 1024 * 1024;
/** More that is in memory is not copied for another thread (bytes). */
const MOST_COPIED_BYTES = 32 * 1024 * 1024;
/** A thread that is silent for four rounds, although asked, is gone. */
const ROUND_MS = 2_000;
const MOST_SILENT = 4;

/** A thread has ended with its page. */
class ThreadGone extends Error {
  override readonly name = "ThreadGone";
}

/** What a sealer needs besides its threads. */
interface SealingContext {
  /** Seals where no thread can. */
  readonly here: () => Promise<Sealer>;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
  /** How often a busy thread is asked whether it is there (ms). */
  readonly roundMs?: number;
}

/** A sealer that other threads work for. */
export class SealingThreads implements Sealer {
  readonly #threads = new Map<MessagePort, SealingThread>();
  #last = 0;

  constructor(private readonly context: SealingContext) {}

  /** Takes the port of a thread. */
  add(port: MessagePort): void {
    const { wait, roundMs = ROUND_MS } = this.context;
    const thread = new SealingThread(
      port,
      () => wait(roundMs),
      () => this.#threads.delete(port),
    );
    this.#threads.set(port, thread);
  }

  /** Does without the thread of a port; what it was doing is done elsewhere. */
  remove(port: MessagePort): void {
    this.#threads.get(port)?.end();
  }

  whole(plain: PlainSource, key: StreamKey, options: SealerOptions = {}) {
    return this.#hashed(plain, options, (given) =>
      this.#give(
        plain,
        given,
        async ({ whole }, job) => {
          const sealed = await whole({ ...job, key, sha256: given.sha256 });
          collectAfter(sealed.blob.length);
          return sealed;
        },
        (here) => here.whole(plain, key, given),
      ));
  }

  address(plain: PlainSource, key: StreamKey, options: SealerOptions = {}) {
    return this.#hashed(plain, options, (given) =>
      this.#give(
        plain,
        given,
        ({ address }, job) => address({ ...job, key, sha256: given.sha256 }),
        (here) => here.address(plain, key, given),
      ));
  }

  hash(plain: PlainSource, options: SealerOptions = {}) {
    return this.#give(
      plain,
      options,
      ({ hash }, job) => hash(job),
      (here) => here.hash(plain, options),
    );
  }

  chunks(plain: PlainSource, key: StreamKey, first: number, end: number) {
    return this.#give(
      plain,
      {},
      async ({ chunks }, job) => {
        const wanted = { ...job, key, sha256: undefined };
        const sealed = await chunks(wanted, first, end);
        collectAfter(sealed.length);
        return sealed;
      },
      (here) => here.chunks(plain, key, first, end),
    );
  }

  /**
   * Has one thread seal and another hash the plaintext, where there are two and
   * it is worth it: each of the two takes about as long as sealing itself.
   */
  async #hashed<T extends Addressed>(
    plain: PlainSource,
    options: SealerOptions,
    seal: (options: SealerOptions) => Promise<T>,
  ): Promise<T> {
    const isApart = options.sha256 === undefined && this.#threads.size > 1 &&
      plain.size >= WORTH_APART_BYTES;
    if (!isApart) return await seal(options);
    const stopping = new AbortController();
    const { signal } = stopping;
    const stop = () => stopping.abort(options.signal?.reason);
    options.signal?.addEventListener("abort", stop);
    try {
      options.signal?.throwIfAborted();
      const [sealed, sha256] = await Promise.all([
        seal({ ...options, signal, sha256: "" }),
        this.hash(plain, { signal }),
      ]);
      return { ...sealed, sha256 };
    } finally {
      options.signal?.removeEventListener("abort", stop);
      // Once one of them has failed, the other is not waited for.
      stopping.abort();
    }
  }

  /** Gives work to the least busy thread, or does it here. */
  async #give<T>(
    source: PlainSource,
    options: SealerOptions,
    work: (calls: SealingCalls, job: HashingJob) => Promise<T>,
    here: (sealer: Sealer) => Promise<T>,
  ): Promise<T> {
    const { signal } = options;
    const plain = this.#threads.size === 0 ? undefined : await blobOf(source);
    while (plain !== undefined) {
      const [thread] = [...this.#threads.values()].sort((a, b) =>
        a.busy - b.busy
      );
      if (thread === undefined) break;
      const id = ++this.#last;
      try {
        return await thread.run(
          id,
          (calls) => work(calls, { id, plain }),
          options,
        );
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ThreadGone) continue;
        if (!(error instanceof ThreadError)) throw error;
        const { kind, message } = error.fault;
        if (kind === "SourceChanged") throw new SourceChanged(message);
        // Whatever it is, here it has its own form.
        break;
      }
    }
    return await here(await this.context.here());
  }
}

type SealingCalls = Remote<SealingGroups>["seal"];

/** A source as a thread gets it; undefined if it is not worth it. */
async function blobOf(source: FileSource): Promise<Blob | undefined> {
  const { file, size } = source;
  if (file !== undefined || size < WORTH_BYTES) return file;
  if (size > MOST_COPIED_BYTES) return undefined;
  return new Blob([await source.read(0, size)]);
}

class SealingThread {
  /** The number of jobs that it is doing. */
  busy = 0;
  readonly #calls: SealingCalls;
  readonly #progress = new Map<number, SealerOptions["onProgress"]>();
  readonly #failing = new Set<(error: unknown) => void>();
  #silent = 0;
  #isWatched = false;
  readonly end: () => void;

  constructor(
    port: MessagePort,
    private readonly wait: () => Promise<unknown>,
    ended: () => void,
  ) {
    const { seal } = remote<SealingGroups>(port, (_, data) => {
      const { id, bytes } = data as { id: number; bytes: number };
      this.#progress.get(id)?.(bytes);
    });
    this.#calls = seal;
    this.end = () => {
      ended();
      port.close();
      for (const fail of this.#failing) fail(new ThreadGone("it has ended"));
    };
    port.addEventListener("message", () => this.#silent = 0);
    // Not every browser says so.
    port.addEventListener("close", this.end);
    port.start();
  }

  /** Rejects with ThreadGone as soon as the thread ends. */
  async run<T>(
    id: number,
    work: (calls: SealingCalls) => Promise<T>,
    { onProgress, signal }: SealerOptions,
  ): Promise<T> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const stop = () => {
      reject(signal?.reason);
      this.#calls.stop(id);
    };
    signal?.addEventListener("abort", stop);
    this.#failing.add(reject);
    this.#progress.set(id, onProgress);
    this.busy += 1;
    this.#watch();
    try {
      work(this.#calls).then(resolve, reject);
      return await promise;
    } finally {
      this.busy -= 1;
      this.#progress.delete(id);
      this.#failing.delete(reject);
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Asks it now and then whether it is there, while it is busy. */
  async #watch(): Promise<void> {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.#silent = 0;
    while (this.busy > 0) {
      if (++this.#silent > MOST_SILENT) return this.end();
      this.#calls.here();
      await this.wait();
    }
    this.#isWatched = false;
  }
}
