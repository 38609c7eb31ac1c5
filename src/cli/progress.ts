/**
 * Progress of long work: one line on a terminal that is written over, nothing
 * in a pipe.
 *
 * @module
 */
import { numberInWords } from "../core/sizes.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { type Streams, writeOut } from "./streams.ts";

/** The line is written over at most this often (ms). */
const REDRAW_MS = 100;
/** A pace of less time says nothing. */
const PACE_AFTER_MS = 5 * SECOND_MS;
const CLEAR_LINE = "\r\x1b[K";
/** Where a terminal does not say how wide it is. */
const USUAL_COLUMNS = 80;
const LEAST_COLUMNS = 20;

export interface Progress {
  /** `total` is undefined where it is unknown before the end. */
  readonly show: (what: string, done: number, total?: number) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

/** The last line of a terminal, which is written over. */
export interface StatusLine {
  /** Whether there is a terminal. */
  readonly isSeen: boolean;
  readonly draw: (text: string) => void;
  /** Takes it away, where there is one. */
  readonly clear: () => void;
}

/** The line on standard error, where that is a terminal. */
export function statusLine(stderr: Streams["stderr"]): StatusLine {
  if (!stderr.isTerminal()) {
    return { isSeen: false, draw: () => {}, clear: () => {} };
  }
  const encoder = new TextEncoder();
  const write = (text: string) => writeOut(encoder.encode(text), stderr);
  let isThere = false;
  return {
    isSeen: true,
    draw(text) {
      isThere = true;
      write(`${CLEAR_LINE}${fitting(text, columnsOf() - 1)}`);
    },
    clear() {
      if (isThere) write(CLEAR_LINE);
      isThere = false;
    },
  };
}

/** Progress on standard error, where that is a terminal. */
export function terminalProgress(
  monotonic: () => number,
  stderr: Streams["stderr"],
  line: StatusLine = statusLine(stderr),
): Progress {
  let drawnAt = -Infinity;
  let began: { readonly what: string; readonly at: number } | undefined;
  return {
    show: (what, done, total) => {
      const at = monotonic();
      if (began?.what !== what) began = { what, at };
      if (at - drawnAt < REDRAW_MS) return;
      drawnAt = at;
      const share = total === undefined || total === 0
        ? ""
        : ` of ${numberInWords(total)} (${Math.floor(100 * done / total)} %)`;
      const left = timeLeft(at - began.at, done, total);
      line.draw(`${what}: ${numberInWords(done)}${share}${left}`);
    },
    end: line.clear,
  };
}

/** How long it will take at the pace so far, once that says anything. */
function timeLeft(
  passedMs: number,
  done: number,
  total: number | undefined,
): string {
  if (total === undefined || done <= 0 || done >= total) return "";
  if (passedMs < PACE_AFTER_MS) return "";
  const minutes = Math.ceil(passedMs * (total - done) / done / MINUTE_MS);
  return minutes < 120
    ? `, about ${numberInWords(minutes)} min left`
    : `, about ${numberInWords(Math.round(minutes / 60))} h left`;
}

function columnsOf(): number {
  try {
    const { columns } = Deno.consoleSize();
    return columns < LEAST_COLUMNS ? USUAL_COLUMNS : columns;
  } catch {
    return USUAL_COLUMNS;
  }
}

/** A line that wraps cannot be written over; what is not Latin may be wide. */
function fitting(text: string, columns: number): string {
  let width = 0;
  let fits = "";
  for (const point of text) {
    width += (point.codePointAt(0) ?? 0) < 0x300 || point === "…" ? 1 : 2;
    if (width > columns) return fits;
    fits += point;
  }
  return fits;
}
