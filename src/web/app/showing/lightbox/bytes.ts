/**
 * Photos and videos as Blobs. Each is fetched once while it is near, and the
 * fetch is cancelled when nothing waits for it any more.
 *
 * @module
 */
import { useLayoutEffect, useState } from "preact/hooks";
import type { Part } from "../../../workers/media/viewing_calls.ts";
import { mayPass } from "../../../../client/stream/threads/thread_messages.ts";
import { now, sleep } from "../../../browser.ts";
import { addressOf, typed } from "../../addresses.ts";
import { vault } from "../../vault.ts";

/** Blobs that are kept for going back. */
const MOST_KEPT = 10;
const MOST_KEPT_BYTES = 24 * 1024 * 1024;

const kept = new Map<string, Blob>();

/** Options of a fetch. */
export interface Fetching {
  readonly signal: AbortSignal;
  readonly onProgress?: (bytes: number) => void;
}

/**
 * For so long a fetch that failed is tried again by itself (ms). The vault has
 * its own patience, which is about as long; the thread of a link has none.
 */
const PATIENCE_MS = 12_000;
const AGAIN_MS = 500;

/** The verified bytes of a part of a photo, with the type that they have. */
export async function blobOf(
  id: string,
  part: Part,
  fetching: Fetching,
): Promise<Blob> {
  const until = now() + PATIENCE_MS;
  for (let pause = AGAIN_MS;; pause *= 2) {
    try {
      return await once(id, part, fetching);
    } catch (error) {
      fetching.signal.throwIfAborted();
      if (!mayPass(error) || now() + pause > until) throw error;
      await sleep(pause, fetching.signal);
    }
  }
}

/**
 * The small picture that the list shows, which is on this device once it was
 * seen there; undefined where there is none.
 */
export async function heldSmall(id: string): Promise<Blob | undefined> {
  try {
    const [held] = await vault().photos.thumbnails([id]);
    const { bytes, mime } = held ?? {};
    if (bytes === undefined || mime === undefined) return undefined;
    return RASTER.test(mime) ? new Blob([bytes], { type: mime }) : undefined;
  } catch {
    return undefined;
  }
}

/** Types of which an address runs nothing. */
const RASTER = /^image\/(jpeg|png|webp|gif|avif|bmp)$/;

async function once(
  id: string,
  part: Part,
  { signal, onProgress }: Fetching,
): Promise<Blob> {
  const key = `${id}/${part}`;
  const held = kept.get(key);
  if (held !== undefined) {
    kept.delete(key);
    kept.set(key, held);
    return held;
  }
  signal.throwIfAborted();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => onProgress?.(data);
  const end = () => port1.postMessage("end");
  signal.addEventListener("abort", end, { once: true });
  try {
    const blob = await typed(await vault().viewing.blob(id, part, port2));
    signal.throwIfAborted();
    if (blob.size <= MOST_KEPT_BYTES) kept.set(key, blob);
    for (const [oldest] of kept) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
    return blob;
  } finally {
    signal.removeEventListener("abort", end);
    port1.close();
  }
}

/** Forgets the kept Blobs when the lightbox closes. */
export function forgetBytes(): void {
  kept.clear();
}

/** An object URL of a Blob, for as long as it is shown. */
export function useAddress(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  // Before it is drawn: otherwise what is said of the new Blob would be shown
  // next to the old one for a moment.
  useLayoutEffect(() => {
    if (blob === undefined) return setAddress(undefined);
    const made = addressOf(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return blob === undefined ? undefined : address;
}
