/**
 * The threads for pictures, which are started when they are needed.
 *
 * @module
 */
import type { MediaGroups } from "../../workers/media.ts";
import {
  type Remote,
  remote,
} from "../../../client/threads/thread_messages.ts";
import { threadAddress } from "../trusted.ts";

/** One thread for each core but one, at most four; the page needs that one. */
export const THREADS = Math.max(
  1,
  Math.min(4, navigator.hardwareConcurrency - 1),
);

interface Thread {
  readonly calls: Remote<MediaGroups>;
  busy: number;
}

const threads: Thread[] = [];

/** Runs work in the least busy picture thread; starts threads when needed. */
export async function withMedia<T>(
  work: (calls: Remote<MediaGroups>) => Promise<T>,
): Promise<T> {
  if (threads.length < THREADS && threads.every(({ busy }) => busy > 0)) {
    const worker = new Worker(threadAddress("media.js"), { type: "module" });
    threads.push({ calls: remote<MediaGroups>(worker, () => {}), busy: 0 });
  }
  const thread = threads.reduce((a, b) => b.busy < a.busy ? b : a);
  thread.busy += 1;
  try {
    return await work(thread.calls);
  } finally {
    thread.busy -= 1;
  }
}
