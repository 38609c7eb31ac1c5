/**
 * The threads for pictures, which are started when they are needed.
 *
 * @module
 */
import type { MediaGroups } from "../../workers/media/media.ts";
import {
  type Remote,
  remote,
} from "../../../client/stream/threads/thread_messages.ts";
import { sleep } from "../../browser.ts";
import { threadAddress } from "../trusted.ts";
import { MediaThread, ThreadEnded } from "./media_thread.ts";

/** One thread for each core but one, at most four; the page needs that one. */
export const THREADS = Math.max(
  1,
  Math.min(4, navigator.hardwareConcurrency - 1),
);

type Thread = MediaThread<Remote<MediaGroups>>;

const threads: Thread[] = [];

/** A thread for pictures or videos; `name` is for people who look for it. */
export function mediaThread(name?: string): Thread {
  const named = name === undefined ? {} : { name };
  return new MediaThread({
    start: () =>
      new Worker(threadAddress("media.js"), { type: "module", ...named }),
    open: (worker) => remote<MediaGroups>(worker, () => {}),
    wait: (ms) => sleep(ms),
  });
}

/**
 * Runs work in the least busy picture thread; starts threads when needed. Work
 * in a thread that another file's work ended is done once more. Rejects with
 * ThreadEnded where it seems to be its own fault.
 */
export async function withMedia<T>(
  work: (calls: Remote<MediaGroups>) => Promise<T>,
): Promise<T> {
  try {
    return await leastBusy().run(work);
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    return await leastBusy().run(work);
  }
}

/**
 * The same for work on a file that makes small pictures, too. A file of which
 * threads end goes without: that costs it its small pictures and nothing else.
 */
export async function withPictures<T>(
  work: (calls: Remote<MediaGroups>, isPlain: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await withMedia((calls) => work(calls, false));
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    return await withMedia((calls) => work(calls, true));
  }
}

function leastBusy(): Thread {
  if (threads.length < THREADS && threads.every(({ busy }) => busy > 0)) {
    threads.push(mediaThread());
  }
  return threads.reduce((a, b) => b.busy < a.busy ? b : a);
}
