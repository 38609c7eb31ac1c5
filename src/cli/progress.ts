/**
 * Progress of long work: one line on a terminal that is written over, nothing
 * in a pipe.
 *
 * @module
 */
import { numberInWords } from "../core/sizes.ts";

import { type Streams, writeOut } from "./streams.ts";

/** The line is written over at most this often (ms). */
const REDRAW_MS = 100;
const CLEAR_LINE = "\r\x1b[K";

export interface Progress {
  /** `total` is undefined where nobody knows before the end. */
  readonly show: (what: string, done: number, total?: number) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

/** Progress on standard error, where that is a terminal. */
export function terminalProgress(
  monotonic: () => number,
  stderr: Streams["stderr"],
): Progress {
  if (!stderr.isTerminal()) return { show: () => {}, end: () => {} };
  const encoder = new TextEncoder();
  const write = (text: string) => writeOut(encoder.encode(text), stderr);
  let drawnAt = -Infinity;
  return {
    show: (what, done, total) => {
      if (monotonic() - drawnAt < REDRAW_MS) return;
      drawnAt = monotonic();
      const share = total === undefined || total === 0
        ? ""
        : ` of ${numberInWords(total)} (${Math.floor(100 * done / total)} %)`;
      write(`${CLEAR_LINE}${what}: ${numberInWords(done)}${share}`);
    },
    end: () => {
      if (drawnAt !== -Infinity) write(CLEAR_LINE);
    },
  };
}
