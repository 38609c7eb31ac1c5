/**
 * Waiting as the server asks, in the thread of a link's page.
 *
 * @module
 */
import { now, sleep } from "../../browser.ts";

declare const self: { postMessage(message: unknown, moved: []): void };

/** The ends of the waits that last, of several clients. */
const ends = new Set<{ readonly until: number }>();

/** Waits so many milliseconds; the page shows until when the last wait ends. */
export async function toldWait(ms: number): Promise<void> {
  const tell = () => {
    const until = Math.max(0, ...[...ends].map(({ until }) => until));
    self.postMessage({ event: "waiting", data: { until } }, []);
  };
  const end = { until: now() + ms };
  ends.add(end);
  tell();
  await sleep(ms);
  ends.delete(end);
  tell();
}
