/**
 * Scrolling to where one was, on a page whose photos come a moment later.
 *
 * @module
 */
import { sleep } from "../../browser.ts";

/** So long the page may take to be as high again as it was (ms). */
const PATIENCE_MS = 30_000;
/** So long after that it may still change (ms). */
const SETTLED_MS = 1_000;

/** Scrolls there as soon as the page is high enough; resolves at the end. */
export async function scrollBack(
  top: number,
  ending: AbortController,
): Promise<void> {
  const { signal } = ending;
  if (signal.aborted) return;
  const end = () => ending.abort();
  // Whoever scrolls meanwhile is not taken elsewhere.
  for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    addEventListener(kind, end, { signal, passive: true, capture: true });
  }
  let isThere = false;
  const scroll = () => {
    const most = document.documentElement.scrollHeight - innerHeight;
    if (signal.aborted) return;
    scrollTo(0, Math.min(top, most));
    if (most < top || isThere) return;
    isThere = true;
    sleep(SETTLED_MS, signal).then(end);
  };
  const sized = new ResizeObserver(scroll);
  // What was left is still shown now.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (!signal.aborted) sized.observe(document.body);
    })
  );
  await sleep(PATIENCE_MS, signal);
  end();
  sized.disconnect();
}
