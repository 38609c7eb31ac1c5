/**
 * Waiting as the server asks, in the thread of a link's page.
 *
 * @module
 */
import { now, sleep } from "../../browser.ts";

declare const self: { postMessage(message: unknown, moved: []): void };

/** Waits so many milliseconds; the page shows until when. */
export async function toldWait(ms: number): Promise<void> {
  const tell = (until: number) =>
    self.postMessage({ event: "waiting", data: { until } }, []);
  tell(now() + ms);
  await sleep(ms);
  tell(0);
}
