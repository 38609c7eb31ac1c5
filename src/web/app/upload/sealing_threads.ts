/**
 * The threads that seal files. The vault uses them, but cannot start them: in
 * most browsers a shared thread starts no others.
 *
 * @module
 */
import { vault } from "../vault.ts";
import { threadAddress } from "../trusted.ts";
import { THREADS } from "./media_threads.ts";

/** With two, one can hash what the other seals. */
const LENT = Math.max(2, THREADS);

let isLent = false;

/** Starts this page's threads, once, and lends them to the vault. */
export function lendThreads(): void {
  if (isLent) return;
  isLent = true;
  for (let i = 0; i < LENT; i++) {
    const worker = new Worker(threadAddress("sealing.js"), {
      type: "module",
      name: "sealing",
    });
    // It sends its port once it can seal.
    worker.onmessage = ({ data }: MessageEvent<MessagePort>) => {
      vault().uploads.lend(data);
    };
  }
}
