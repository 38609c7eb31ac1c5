/**
 * Full screen, the scroll lock of the page behind, and the slideshow.
 *
 * @module
 */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { showingOf } from "../../workers/showing.ts";
import type { PhotoInfo } from "../list.ts";

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

const EACH_MS = 5_000;

/** A slideshow: a picture for five seconds, a video to its end. */
export function useSlideshow(info: PhotoInfo | undefined, next: () => void) {
  const [isOn, setOn] = useState(false);
  const onward = useRef(next);
  onward.current = next;
  const showing = info === undefined ? undefined : showingOf(info.mime);
  const waits = showing === "video" || showing === "sound";
  useEffect(() => {
    if (!isOn || waits || info === undefined) return;
    const timer = setTimeout(() => onward.current(), EACH_MS);
    return () => clearTimeout(timer);
  }, [isOn, waits, info?.id]);
  return {
    isOn,
    toggle: () => setOn(!isOn),
    stop: () => setOn(false),
    /** Called at the end of a video. */
    ended: () => {
      if (isOn) onward.current();
    },
  };
}
/** What a slideshow offers. */
export type Slideshow = ReturnType<typeof useSlideshow>;

/** As the style has it: what stands beside, and what lies below. */
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
