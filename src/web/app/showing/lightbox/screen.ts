/**
 * Full screen, and the scroll lock of the page behind.
 *
 * @module
 */
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Something that is on or off. */
export interface Toggle {
  readonly isOn: boolean;
  readonly toggle: () => void;
}

/** Full screen, if the browser supports it; iPhones do not. */
export function useFullScreen(
  root: RefObject<HTMLElement | null>,
): Toggle & { readonly isThere: boolean } {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const changed = () => setOn(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", changed);
    return () => {
      document.removeEventListener("fullscreenchange", changed);
      if (document.fullscreenElement !== null) {
        document.exitFullscreen().catch(() => {});
      }
    };
  }, []);
  return {
    isThere: document.fullscreenEnabled === true,
    isOn,
    toggle() {
      // The browser refuses it without a key or a click; then nothing changes.
      // What is drawn follows a moment later than what is so.
      const isFull = document.fullscreenElement !== null;
      if (isFull) document.exitFullscreen().catch(() => {});
      else root.current?.requestFullscreen().catch(() => {});
    },
  };
}

/** Keeps the page behind from scrolling and from changing its width. */
export function useScrollLock(): void {
  useEffect(() => {
    const { documentElement: root, body } = document;
    const gutter = innerWidth - root.clientWidth;
    root.classList.add("large");
    body.style.paddingInlineEnd = `${gutter}px`;
    return () => {
      root.classList.remove("large");
      body.style.paddingInlineEnd = "";
    };
  }, []);
}

/** As the style has it: what is at the side, and what is below. */
const NARROW = "(max-width: 52rem)";

/** Whether there is little room, as on a phone. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(matchMedia(NARROW).matches);
  useEffect(() => {
    const asked = matchMedia(NARROW);
    const changed = () => setNarrow(asked.matches);
    asked.addEventListener("change", changed);
    return () => asked.removeEventListener("change", changed);
  }, []);
  return isNarrow;
}
