/**
 * A thread that looks at pictures, and what becomes of photos of which it or the
 * network says nothing: only what was looked at counts as looked at, because no
 * device looks at it again.
 *
 * @module
 */
import { isPictureType, lookAtBlob } from "../../../../client/exif/extent.ts";
import {
  mayPass,
  ThreadError,
} from "../../../../client/threads/thread_messages.ts";

/** What a thread does. */
export interface Looker<T> {
  /** Resolves once it has loaded what it needs, which may take minutes. */
  ready(): Promise<void>;
  look(picture: Blob): Promise<T>;
}

/** How pictures are looked at. */
export interface LookingThread<T> {
  readonly start: () => Worker;
  readonly open: (worker: Worker) => Looker<T>;
  /** Resolves where a picture takes too long, or the signal is aborted. */
  readonly tooLong: (signal: AbortSignal) => Promise<void>;
  /** What is in a picture that takes too long, or is none. */
  readonly nothing: T;
}

/** So many pictures in a row that end the thread are no accident. */
const MOST_BROKEN = 3;

/** Looks at pictures in a thread, which is started with the first one. */
export class PictureLooker<T> {
  readonly #how: LookingThread<T>;
  #running: Running<T> | undefined;
  #broken = 0;

  constructor(how: LookingThread<T>) {
    this.#how = how;
  }

  /**
   * Looks at a picture; undefined where the thread breaks on it. Nothing is in
   * one that is not decoded, because it has more pixels than that or hides how
   * many: photos of others may be made to swell. Throws where the thread cannot
   * be loaded, or breaks on one picture after the other.
   */
  async look(picture: Blob, mostPixels: number): Promise<T | undefined> {
    const { type } = await lookAtBlob(picture, mostPixels) ?? {};
    if (!isPictureType(type)) return this.#how.nothing;
    const { worker, looker, ready, ended } = this.#running ??= this.#begin();
    try {
      await Promise.race([ready, ended]);
    } catch (error) {
      this.end();
      throw error;
    }
    const timer = new AbortController();
    try {
      const found = await Promise.race([
        looker.look(picture).then((found) => ({ found })),
        ended,
        this.#how.tooLong(timer.signal),
      ]);
      this.#broken = 0;
      if (found !== undefined) return found.found;
      worker.terminate();
      this.#running = undefined;
      return this.#how.nothing;
    } catch (error) {
      this.end();
      if (++this.#broken < MOST_BROKEN) return undefined;
      this.#broken = 0;
      throw error;
    } finally {
      timer.abort();
    }
  }

  /** Ends the thread: it holds a hundred megabytes. */
  end(): void {
    this.#running?.worker.terminate();
    this.#running = undefined;
  }

  #begin(): Running<T> {
    const worker = this.#how.start();
    const { promise: ended, reject } = Promise.withResolvers<never>();
    ended.catch(() => {});
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      reject(new ThreadError({ kind: "Error", message: event.message }));
    });
    const looker = this.#how.open(worker);
    return { worker, looker, ready: looker.ready(), ended };
  }
}

interface Running<T> {
  readonly worker: Worker;
  readonly looker: Looker<T>;
  readonly ready: Promise<void>;
  /** Rejects where its script cannot be loaded, or it ends by itself. */
  readonly ended: Promise<never>;
}

/** What became of some photos. */
export interface Looked<P, T> {
  readonly looked: readonly { readonly photo: P; readonly found: T }[];
  /** Those of which this session learns nothing. */
  readonly passed: readonly P[];
  /** Why the rest was not looked at. */
  readonly fault?: unknown;
}

/**
 * Looks at some photos. One whose picture cannot be had is passed over, but not
 * where that is for want of a connection.
 */
export async function lookAt<P, T>(
  photos: readonly P[],
  pictureOf: (photo: P) => Promise<Blob>,
  look: (picture: Blob, photo: P) => Promise<T | undefined>,
): Promise<Looked<P, T>> {
  const looked: { readonly photo: P; readonly found: T }[] = [];
  const passed: P[] = [];
  try {
    for (const photo of photos) {
      let picture: Blob;
      try {
        picture = await pictureOf(photo);
      } catch (error) {
        if (mayPass(error)) throw error;
        passed.push(photo);
        continue;
      }
      const found = await look(picture, photo);
      if (found === undefined) passed.push(photo);
      else looked.push({ photo, found });
    }
  } catch (fault) {
    return { looked, passed, fault };
  }
  return { looked, passed };
}
