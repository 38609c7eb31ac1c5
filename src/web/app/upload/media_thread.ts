/**
 * A thread that reads files of others, and is ended where one of them holds it
 * up. Loops over a file let the thread answer meanwhile, and decoders have bounds;
 * what is left is a fault of a decoder, which nothing else ends.
 *
 * @module
 */
/** How often a busy thread is asked whether it is there (ms). */
const ROUND_MS = 5_000;
/** One that does not answer for so many rounds, a minute, is ended. */
const MOST_SILENT = 12;

/** The thread was ended, or crashed, with the work that it had. */
export class ThreadEnded extends Error {
  override readonly name = "ThreadEnded";
}

/** The calls of a thread, one of which says that it is there. */
interface Alive {
  readonly thread: { readonly here: () => Promise<unknown> };
}

/** What a thread needs. */
interface ThreadContext<C extends Alive> {
  readonly start: () => Worker;
  readonly open: (worker: Worker) => C;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}

interface Running<C> {
  readonly worker: Worker;
  readonly calls: C;
  readonly failing: Set<(error: unknown) => void>;
  /** It answered once: before, it may still be loading. */
  isHere: boolean;
  isWatched: boolean;
}

/** A thread, which is started when it is needed. */
export class MediaThread<C extends Alive> {
  /** The number of calls that it is doing. */
  busy = 0;
  #running: Running<C> | undefined;

  constructor(private readonly context: ThreadContext<C>) {}

  /** Does work in the thread; rejects with ThreadEnded where that ends. */
  async run<T>(work: (calls: C) => Promise<T>): Promise<T> {
    const running = this.#running ??= this.#begin();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    running.failing.add(reject);
    this.busy += 1;
    try {
      work(running.calls).then(resolve, reject);
      this.#watch(running);
      return await promise;
    } finally {
      this.busy -= 1;
      running.failing.delete(reject);
    }
  }

  /** Ends the thread; what it was doing rejects with ThreadEnded. */
  end(why = "it was ended"): void {
    const running = this.#running;
    this.#running = undefined;
    running?.worker.terminate();
    for (const fail of running?.failing ?? []) fail(new ThreadEnded(why));
  }

  #begin(): Running<C> {
    const worker = this.context.start();
    const calls = this.context.open(worker);
    const running: Running<C> = {
      worker,
      calls,
      failing: new Set(),
      isHere: false,
      isWatched: false,
    };
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (this.#running !== running) return;
      if (running.isHere) return this.end(event.message);
      // Its script did not come: that is no fault of the file.
      this.#running = undefined;
      worker.terminate();
      for (const fail of running.failing) fail(new Error(event.message));
    });
    // Asked before any work, so that the answer comes before it begins.
    calls.thread.here().then(() => running.isHere = true, () => {});
    return running;
  }

  /** Asks it now and then whether it is there, while it is busy. */
  async #watch(running: Running<C>): Promise<void> {
    if (running.isWatched) return;
    running.isWatched = true;
    let silent = 0;
    while (this.busy > 0 && this.#running === running) {
      let isAnswered = false;
      running.calls.thread.here().then(() => isAnswered = true, () => {});
      await this.context.wait(ROUND_MS);
      silent = isAnswered || !running.isHere ? 0 : silent + 1;
      if (silent >= MOST_SILENT && this.#running === running) {
        return this.end("it does not answer any more");
      }
    }
    running.isWatched = false;
  }
}
