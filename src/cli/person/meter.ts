/**
 * How far a command has come: with the file under way and with all of them, how
 * fast, and how long it will take. On a terminal alone.
 *
 * @module
 */
import { type Amount, bytesInWords, numberInWords } from "../../core/sizes.ts";
import type { StatusLine } from "../progress.ts";
import { printable } from "../phrasing.ts";

/** A file that is under way. */
export interface Running {
  /** So many bytes of it are done by now. */
  at(bytes: number): void;
  /** It is over, well or not. */
  end(): void;
  /** There was nothing to do for it: it was never one of them. */
  skip(): void;
}

/** Tells of files under way on one line of a terminal. */
export interface Meter {
  /** Whether anybody sees it: what there is need not be counted otherwise. */
  readonly isSeen: boolean;
  /** There is so much more to do. */
  expect(more: Amount): void;
  /** That was all: how long it will take can be told from now on. */
  expectNoMore(): void;
  begin(name: string, bytes: number): Running;
  /** Takes the line away. */
  end(): void;
}

/** What a line tells. */
interface Progress {
  readonly name: string;
  /** Of the file of that name. */
  readonly fileBytes: number;
  readonly fileTotal: number;
  readonly done: Amount;
  /** Undefined while it is unknown. */
  readonly total: Amount | undefined;
  /** Bytes a second; undefined before there is any. */
  readonly rate: number | undefined;
}

/** The line is written over at most this often (ms). */
const REDRAW_MS = 100;
/** The rate is that of the last so many milliseconds. */
const RATE_MS = 10_000;
/** One look at it in so many milliseconds is kept. */
const SAMPLE_MS = 500;
/** Too early to tell a rate before (ms). */
const FIRST_RATE_MS = 1_000;
/** A name takes no more of the line (columns). */
const NAME_COLUMNS = 28;

/** A meter over a line of the terminal. */
export function openMeter(monotonic: () => number, line: StatusLine): Meter {
  const running = new Map<
    Running,
    { name: string; size: number; at: number }
  >();
  const done = { count: 0, bytes: 0 };
  const total = { count: 0, bytes: 0 };
  let isAll = false;
  let drawnAt = -Infinity;
  /** What had been moved when. */
  const samples: { at: number; bytes: number }[] = [];
  const moved = () => {
    let bytes = done.bytes;
    for (const one of running.values()) bytes += one.at;
    return bytes;
  };
  const rateNow = (now: number, bytes: number): number | undefined => {
    const [first] = samples;
    const last = samples.at(-1);
    if (last === undefined || now - last.at >= SAMPLE_MS) {
      samples.push({ at: now, bytes });
    }
    while ((samples[1]?.at ?? now) < now - RATE_MS) samples.shift();
    if (first === undefined || now - first.at < FIRST_RATE_MS) return undefined;
    return Math.max(0, bytes - first.bytes) * 1_000 / (now - first.at);
  };
  const draw = (of: { name: string; size: number; at: number }) => {
    const now = monotonic();
    if (!line.isSeen || now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    const bytes = moved();
    line.draw(progressInWords({
      name: of.name,
      fileBytes: of.at,
      fileTotal: of.size,
      done: { count: done.count, bytes },
      // The counter may include files that are already done.
      total: isAll
        ? {
          count: Math.max(total.count, done.count),
          bytes: Math.max(total.bytes, bytes),
        }
        : undefined,
      rate: rateNow(now, bytes),
    }));
  };
  return {
    isSeen: line.isSeen,
    expect({ count, bytes }) {
      total.count += count;
      total.bytes += bytes;
    },
    expectNoMore() {
      isAll = true;
    },
    begin(name, size) {
      const one = { name, size, at: 0 };
      const self: Running = {
        at(bytes) {
          if (!running.has(self)) return;
          one.at = Math.min(bytes, size);
          draw(one);
        },
        end() {
          if (!running.delete(self)) return;
          done.count += 1;
          done.bytes += size;
          one.at = size;
          draw(one);
        },
        skip() {
          if (!running.delete(self)) return;
          total.count -= 1;
          total.bytes -= size;
        },
      };
      running.set(self, one);
      draw(one);
      return self;
    },
    end: () => line.clear(),
  };
}

/**
 * `IMG_1.jpg 45 %, 12 of 340 files, 120.4 MiB of 3.1 GiB (3 %), 24.5 MiB/s, 2
 * min left`
 */
export function progressInWords(
  { name, fileBytes, fileTotal, done, total, rate }: Progress,
): string {
  const left = total === undefined || rate === undefined || rate === 0
    ? undefined
    : Math.max(0, total.bytes - done.bytes) / rate;
  const share = (part: number, of: number) =>
    of === 0 ? 100 : Math.min(100, Math.floor(100 * part / of));
  const files = numberInWords(done.count);
  const bytes = bytesInWords(done.bytes);
  return [
    `${shortened(name)} ${share(fileBytes, fileTotal)} %`,
    ...total === undefined ? [`${files} files done`, bytes] : [
      `${files} of ${numberInWords(total.count)} files`,
      `${bytes} of ${bytesInWords(total.bytes)} (${
        share(done.bytes, total.bytes)
      } %)`,
    ],
    ...rate === undefined ? [] : [`${bytesInWords(Math.round(rate))}/s`],
    ...left === undefined ? [] : [`${durationInWords(left)} left`],
  ].join(", ");
}

/** Seconds as people say them: `42 s`, `3 min`, `2 h 5 min`. */
export function durationInWords(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${numberInWords(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** The end of a name tells more than its middle. */
function shortened(name: string): string {
  const points = [...printable(name)];
  if (points.length <= NAME_COLUMNS) return points.join("");
  const half = Math.floor((NAME_COLUMNS - 1) / 2);
  return `${points.slice(0, half).join("")}…${points.slice(-half).join("")}`;
}
