/**
 * Reading a zip that a person chose. A browser takes about a millisecond for
 * each part of a file, however short, and a zip is read in parts of a few bytes
 * (headers) and of 32 KiB (contents): so more is read at once, the more so
 * where someone reads on.
 *
 * @module
 */
import { collectAfter } from "../../../../client/stream/threads/collecting.ts";
import type { PlainSource } from "../../../../client/stream/sealer.ts";

interface Window {
  readonly file: Blob;
  readonly start: number;
  readonly end: number;
  readonly bytes: Promise<Uint8Array<ArrayBuffer>>;
}

/** Read at first, which holds a header and a sidecar (bytes). */
const LEAST_BYTES = 16 * 1024;
/** Read at once where someone reads on (bytes). */
const MOST_BYTES = 2 * 1024 * 1024;
/** Held of all zips together (bytes). */
const HELD_BYTES = 32 * 1024 * 1024;

/** Of all zips, the newest last. */
let windows: readonly Window[] = [];

/** A zip as a source. */
export function sourceOfZip(file: Blob): PlainSource {
  return {
    size: file.size,
    async read(offset, length) {
      const end = Math.min(offset + length, file.size);
      const around = windows.findLast((one) =>
        one.file === file && one.start <= offset && offset <= one.end
      );
      const window = around !== undefined && end <= around.end
        ? around
        : open(file, offset, end, around);
      const bytes = await window.bytes;
      return bytes.slice(offset - window.start, end - window.start);
    },
  };
}

function open(
  file: Blob,
  start: number,
  least: number,
  before: Window | undefined,
): Window {
  const size = before === undefined
    ? LEAST_BYTES
    : Math.min(2 * (before.end - before.start), MOST_BYTES);
  const end = Math.min(Math.max(least, start + size), file.size);
  const window = { file, start, end, bytes: bytesOf(file, start, end) };
  // Whoever asked hears of the failure; the next one reads again.
  window.bytes.catch(() => windows = windows.filter((one) => one !== window));
  const held = [...windows.filter((one) => one !== before), window];
  let bytes = held.reduce((sum, one) => sum + one.end - one.start, 0);
  windows = held.filter((one) => {
    if (bytes <= HELD_BYTES || one === window) return true;
    bytes -= one.end - one.start;
    return false;
  });
  return window;
}

async function bytesOf(file: Blob, start: number, end: number) {
  collectAfter(end - start);
  return new Uint8Array(await file.slice(start, end).arrayBuffer());
}

/** Lets go of what is held. */
export function forgetZips(): void {
  windows = [];
}
