/**
 * A thread that looks at pictures, and what becomes of photos of which it or the
 * network says nothing: only what was looked at counts as looked at, because no
 * device looks at it again. What this device cannot look at, another one may.
 *
 * @module
 */
import { isPictureType, lookAtBlob } from "../../../../media/exif/extent.ts";
import {
  mayPass,
  ThreadError,
} from "../../../../client/stream/threads/thread_messages.ts";

/** What a thread does. */
export interface Looker<T> {
  /** Resolves once it has loaded what it needs, which may take minutes. */
  ready(): Promise<void>;
  /** Undefined for what this browser does not decode. */
  look(picture: Blob): Promise<T | undefined>;
}

/**
 * What was found in a picture, or why nothing is known of it: `broken` if the
 * thread broke on it, which may be an accident; `unable` if this device cannot
 * look at it, because it does not decode it or takes too long.
 */
export type Outcome<T> = { readonly found: T } | "broken" | "unable";

/** How pictures are looked at. */
interface LookingThread<T> {
  readonly start: () => Worker;
  readonly open: (worker: Worker) => Looker<T>;
  /** Resolves where a picture takes too long, or the signal is aborted. */
  readonly tooLong: (signal: AbortSignal) => Promise<void>;
  /** What is in what is no picture, for any device. */
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
   * Looks at a picture. Nothing is in one that no device decodes, because it has
   * more pixels than that or hides how many: photos of others may be made to
   * swell. Throws where the thread cannot be loaded, or breaks on one picture
   * after the other.
   */
  async look(picture: Blob, mostPixels: number): Promise<Outcome<T>> {
    const { type } = await lookAtBlob(picture, mostPixels) ?? {};
    if (!isPictureType(type)) return { found: this.#how.nothing };
    const { worker, looker, ready, ended } = this.#running ??= this.#begin();
    try {
      await Promise.race([ready, ended]);
    } catch (error) {
      this.end();
      throw error;
    }
    const timer = new AbortController();
    try {
      const looked = await Promise.race([
        looker.look(picture).then((found) => ({ found })),
        ended,
        this.#how.tooLong(timer.signal),
      ]);
      this.#broken = 0;
      if (looked === undefined) {
        worker.terminate();
        this.#running = undefined;
        return "unable";
      }
      const { found } = looked;
      return found === undefined ? "unable" : { found };
    } catch (error) {
      this.end();
      if (++this.#broken < MOST_BROKEN) return "broken";
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
  /** Those that this device cannot look at. */
  readonly unable: readonly P[];
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
  look: (picture: Blob, photo: P) => Promise<Outcome<T>>,
): Promise<Looked<P, T>> {
  const looked: { readonly photo: P; readonly found: T }[] = [];
  const passed: P[] = [];
  const unable: P[] = [];
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
      const outcome = await look(picture, photo);
      if (outcome === "broken") passed.push(photo);
      else if (outcome === "unable") unable.push(photo);
      else looked.push({ photo, ...outcome });
    }
  } catch (fault) {
    return { looked, passed, unable, fault };
  }
  return { looked, passed, unable };
}
