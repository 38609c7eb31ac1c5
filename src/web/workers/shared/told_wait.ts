/**
 * Waiting as the server asks, in the thread of a link's page.
 *
 * @module
 */
import { now, sleep } from "../../browser.ts";

declare const self: { postMessage(message: unknown, moved: []): void };

/** What waiting works with. */
interface Waiting {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Shows until when calls wait (ms); 0 if none does. */
  tell(until: number): void;
}

/**
 * Returns what several clients wait with, each so many milliseconds; the page
 * shows until when the last wait ends.
 */
export function toldWaits(
  { now, sleep, tell }: Waiting,
): (ms: number) => Promise<void> {
  const ends = new Set<{ readonly until: number }>();
  const tellLast = () =>
    tell(Math.max(0, ...[...ends].map(({ until }) => until)));
  return async (ms) => {
    const end = { until: now() + ms };
    ends.add(end);
    tellLast();
    await sleep(ms);
    ends.delete(end);
    tellLast();
  };
}

/** Waits so many milliseconds; the page shows until when the last wait ends. */
export const toldWait = toldWaits({
  now,
  sleep,
  tell: (until) => self.postMessage({ event: "waiting", data: { until } }, []),
});
