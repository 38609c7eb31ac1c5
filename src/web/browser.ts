/**
 * What `main.ts` is to the program this is to the pages: the one place that
 * touches the clock, timers, randomness and the network.
 *
 * @module
 */
import * as z from "zod/mini";
import type { RandomBytes } from "../core/bytes.ts";
import type { Fetch } from "../client/transport.ts";

// The pages' policy forbids evaluation, and zod would try it first.
z.config({ jitless: true });

/** The browser's own `fetch`, which must not go anywhere else. */
export const browserFetch: Fetch = (input, init) =>
  fetch(input, { ...init, credentials: "omit", redirect: "error" });

/** Secure randomness; there on plain http as well. */
export const randomBytes: RandomBytes = (length) =>
  crypto.getRandomValues(new Uint8Array(length));

/** Milliseconds since the Unix epoch. */
export function now(): number {
  return Date.now();
}

/** Waits that many milliseconds; the signal ends it early, without a fault. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
