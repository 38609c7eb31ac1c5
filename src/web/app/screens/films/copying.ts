/**
 * Making copies of films that play everywhere, one after the other, in a thread
 * without keys; the vault keeps what was made.
 *
 * @module
 */
import type { FilmKind } from "../../../../library/showing/films.ts";
import {
  type Fault,
  remote,
  ThreadError,
} from "../../../../client/stream/threads/thread_messages.ts";
import type { FilmToCopy } from "../../../workers/media/film_calls.ts";
import type { FilmGroups } from "../../../workers/media/films.ts";
import type {
  FilmOutcome,
  FilmWish,
  NotMade,
} from "../../../workers/media/films/making.ts";
import { threadAddress } from "../../trusted.ts";
import { lendThreads } from "../../upload/sealing_threads.ts";
import { vault } from "../../vault.ts";

/** How far it is. */
export interface Copying {
  /** The film that is being copied. */
  readonly name: string;
  /** Its place among all, from 1. */
  readonly at: number;
  readonly of: number;
  readonly step: "making" | "keeping";
  /** 0 to 1. */
  readonly done: number;
}

/** What became of films. */
export interface Copied {
  readonly made: number;
  /** Films that play everywhere by themselves. */
  readonly needless: number;
  /** Films of which none could be made here, by the reason. */
  readonly not: readonly { readonly name: string; readonly why: NotMade }[];
  /** Films that failed for another reason, and the last one. */
  readonly failed: number;
  readonly fault?: Fault;
}

/** Options of making copies. */
interface CopyingOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (copying: Copying) => void;
  /** Whether films with a place get one in any case. */
  readonly isPlaceless?: boolean;
}

/** Why this browser makes no copies at all; undefined if it may make some. */
function refusal(): NotMade | undefined {
  if ("VideoEncoder" in globalThis) return undefined;
  return isSecureContext ? "unencoded" : "insecure";
}

/**
 * Makes the copies of a kind that some photos lack. Throws the signal's reason
 * once it is aborted: what was kept until then stays.
 */
export async function copyFilms(
  ids: readonly string[],
  kind: FilmKind,
  { signal, onProgress, isPlaceless = false }: CopyingOptions,
): Promise<Copied> {
  const films = await vault().viewing.filmsWithout(ids, kind);
  let [made, needless, failed] = [0, 0, 0];
  let fault: Fault | undefined;
  const not: Copied["not"][number][] = [];
  const why = refusal();
  if (why !== undefined) {
    return {
      made,
      needless,
      failed,
      not: films.map(({ name }) => ({ name, why })),
    };
  }
  for (const [index, film] of films.entries()) {
    signal.throwIfAborted();
    const tell = (step: Copying["step"]) => (done: number) =>
      onProgress({
        name: film.name,
        at: index + 1,
        of: films.length,
        step,
        done,
      });
    try {
      const wish = { kind, isNeeded: isPlaceless && film.hasPlace };
      const outcome = await copyOf(film, wish, signal, tell("making"));
      if ("not" in outcome) not.push({ name: film.name, why: outcome.not });
      else if ("needless" in outcome) needless += 1;
      else {
        await keep(film.id, outcome.made, kind, signal, tell("keeping"));
        made += 1;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ThreadError)) throw error;
      failed += 1;
      fault = error.fault;
    }
  }
  return {
    made,
    needless,
    not,
    failed,
    ...(fault === undefined ? {} : { fault }),
  };
}

/** Makes a copy in a thread of its own, which ends with it. */
async function copyOf(
  { id, size }: FilmToCopy,
  wish: FilmWish,
  signal: AbortSignal,
  told: (done: number) => void,
): Promise<FilmOutcome> {
  told(0);
  const worker = new Worker(threadAddress("films.js"), {
    type: "module",
    name: "films",
  });
  const bytes = new MessageChannel();
  const progress = new MessageChannel();
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  worker.addEventListener("error", ({ message }) => {
    ended.reject(new ThreadError({ kind: "Error", message }));
  });
  progress.port1.onmessage = ({ data }) => told(data);
  try {
    vault().viewing.parts(id, bytes.port1);
    const { films } = remote<FilmGroups>(worker, () => {});
    return await Promise.race([
      films.make(size, bytes.port2, wish, progress.port2),
      ended.promise,
    ]);
  } finally {
    signal.removeEventListener("abort", end);
    worker.terminate();
    progress.port1.close();
  }
}

async function keep(
  id: string,
  { blob, width, height }: Extract<FilmOutcome, { made: unknown }>["made"],
  kind: FilmKind,
  signal: AbortSignal,
  told: (done: number) => void,
): Promise<void> {
  told(0);
  lendThreads();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => told(data);
  const end = () => port1.postMessage("end");
  signal.addEventListener("abort", end, { once: true });
  try {
    await vault().viewing.keepFilm(id, blob, { width, height }, kind, port2);
  } finally {
    signal.removeEventListener("abort", end);
    port1.close();
  }
}
