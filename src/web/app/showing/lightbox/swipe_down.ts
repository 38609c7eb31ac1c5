/**
 * A sheet that a finger pulls down, and away.
 *
 * @module
 */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { now } from "../../../browser.ts";

/** So far it goes, or so fast (pixels a millisecond). */
const FAR_PX = 110;
const FLICK_PX = 30;
const FLICK_SPEED = 0.5;

/** Closes what is pulled down from where it is scrolled to its top. */
export function useSwipeDown(
  root: RefObject<HTMLElement | null>,
  close: () => void,
): void {
  const held = useRef(close);
  held.current = close;
  useEffect(() => {
    const { current: sheet } = root;
    if (sheet === null) return;
    let start: { readonly y: number; readonly ms: number } | undefined;
    let by = 0;
    const put = (down: number) => {
      by = down;
      sheet.toggleAttribute("data-dragged", down > 0);
      sheet.style.translate = down > 0 ? `0 ${down}px` : "";
    };
    const begin = ({ touches, target }: TouchEvent) => {
      const [finger] = touches;
      // At the photo's side it is a panel, and does not move.
      const isSheet = getComputedStyle(sheet).position === "absolute";
      const types = target instanceof Element &&
        target.closest("textarea, select, input") !== null;
      start = finger === undefined || touches.length > 1 || !isSheet ||
          types || sheet.scrollTop > 0
        ? undefined
        : { y: finger.clientY, ms: now() };
    };
    const move = (event: TouchEvent) => {
      const [finger] = event.touches;
      if (start === undefined || finger === undefined) return;
      const down = finger.clientY - start.y;
      // Upwards it scrolls, as long as this finger is there.
      if (by === 0 && down < 0) start = undefined;
      else if (down > 0 || by > 0) {
        event.preventDefault();
        put(Math.max(0, down));
      }
    };
    const end = ({ type }: TouchEvent) => {
      if (start === undefined) return;
      const speed = by / Math.max(1, now() - start.ms);
      const far = by > FAR_PX || (by > FLICK_PX && speed > FLICK_SPEED);
      start = undefined;
      if (far && type === "touchend") held.current();
      else put(0);
    };
    const ending = new AbortController();
    const { signal } = ending;
    sheet.addEventListener("touchstart", begin, { signal, passive: true });
    sheet.addEventListener("touchmove", move, { signal, passive: false });
    sheet.addEventListener("touchend", end, { signal });
    sheet.addEventListener("touchcancel", end, { signal });
    return () => ending.abort();
  }, []);
}
