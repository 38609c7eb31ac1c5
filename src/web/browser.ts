/**
 * The pages' access to clock, timers, randomness and network, which no other
 * file of the pages uses directly; the counterpart of `main.ts`.
 *
 * @module
 */
import * as z from "zod/mini";
import type { RandomBytes } from "../core/bytes.ts";
import { collectAfter } from "../client/stream/threads/collecting.ts";
import type { Fetch } from "../client/api/transport.ts";

// The pages' policy forbids evaluation, and zod would try it first.
z.config({ jitless: true });

/** The browser's `fetch`, without credentials and redirects. */
export const browserFetch: Fetch = (input, init) =>
  fetch(input, {
    ...init,
    ...bodyOf(init),
    credentials: "omit",
    redirect: "error",
  });

/** Smaller bodies are not worth an object of their own (bytes). */
const WORTH_A_BLOB = 64 * 1024;

/**
 * Bytes as a Blob: of those that are given as they are, Chromium makes two
 * copies, and keeps them as long as the request.
 */
export function bodyOf({ body }: RequestInit): { body?: BodyInit } {
  if (!(body instanceof Uint8Array)) return {};
  if (body.length < WORTH_A_BLOB) return {};
  collectAfter(body.length);
  return { body: new Blob([body as Uint8Array<ArrayBuffer>]) };
}

/** The status of an answer of this origin, which is not read any further. */
export async function statusOf(path: string): Promise<number> {
  const { status } = await fetch(path, {
    cache: "no-store",
    credentials: "omit",
    redirect: "manual",
  });
  return status;
}

/** Secure randomness; it works on plain http too. */
export const randomBytes: RandomBytes = (length) =>
  crypto.getRandomValues(new Uint8Array(length));

/** Milliseconds since the Unix epoch. */
export function now(): number {
  return Date.now();
}

/**
 * Waits that many milliseconds; the signal ends the wait early, without an
 * error.
 */
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
