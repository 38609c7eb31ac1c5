/**
 * How a grid is laid out in the width that it has, and which part of it the
 * window shows.
 *
 * @module
 */
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Signal, useSignal } from "@preact/signals";
import type { PhotoList } from "../list.ts";
import { laidOut } from "./day_box.ts";
import type { Layout } from "./layout.ts";
import { type Scale, scaleOf } from "./scrolling.ts";

/** The layout of a grid and the part of it that is seen. */
export interface GridSight {
  /** Undefined until the width is known. */
  readonly layout: Layout | undefined;
  readonly scale: Scale;
  /** The heights of the grid between which photos are drawn. */
  readonly seen: Signal<{ readonly above: number; readonly below: number }>;
  /** How much lower the photos are drawn in a grid that is shown scaled. */
  readonly offset: number;
  /** Finds out again what is seen. */
  readonly look: () => void;
  /** The height of the grid at the top of the window, as last looked at. */
  readonly topNow: () => number;
}

/** About how high the rows are where there is room. */
const rowsFor = (width: number) => Math.min(236, 150 + width / 24);

/** Lays a list out in an element, and follows what the window shows of it. */
export function useSight(
  root: RefObject<HTMLElement | null>,
  list: PhotoList,
): GridSight {
  const width = useSignal(0);
  const seen = useSignal({ above: 0, below: 0 });
  /**
   * The scrolled distance and the height of the bar at the last look. Reading
   * them again in the same frame would lay the page out once more.
   */
  const stood = useRef<{ top: number; bar: number | undefined }>({
    top: 0,
    bar: undefined,
  });
  const layout = useMemo(
    () =>
      width.value === 0
        ? undefined
        : laidOut(list, width.value, rowsFor(width.value)),
    [list, width.value],
  );
  const scale = scaleOf(layout?.height ?? 0, innerHeight);

  const look = () => {
    const box = root.current?.getBoundingClientRect();
    if (box === undefined) return;
    if (stood.current.bar === undefined) stood.current.bar = barHeight();
    stood.current.top = -box.top;
    if (Math.abs(box.width - width.peek()) >= 1) width.value = box.width;
    // Half a window more above and below is drawn, ready for scrolling.
    const top = scale.toGrid(-box.top);
    const step = innerHeight / 4;
    const above = Math.floor((top - innerHeight / 2) / step) * step;
    const below = Math.ceil((top + innerHeight * 1.5) / step) * step;
    const before = seen.peek();
    if (before.above !== above || before.below !== below) {
      seen.value = { above, below };
    }
  };
  const looks = useRef(look);
  looks.current = look;
  useLayoutEffect(() => {
    let frame = 0;
    const soon = () => {
      if (frame === 0) {
        frame = requestAnimationFrame(() => {
          frame = 0;
          looks.current();
        });
      }
    };
    looks.current();
    const sized = new ResizeObserver(() => {
      stood.current.bar = undefined;
      looks.current();
    });
    if (root.current !== null) sized.observe(root.current);
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    return () => {
      cancelAnimationFrame(frame);
      sized.disconnect();
      removeEventListener("scroll", soon);
      removeEventListener("resize", soon);
    };
  }, []);
  useLayoutEffect(() => looks.current(), [layout]);

  const { top } = stood.current;
  return {
    layout,
    scale,
    seen,
    // A grid above the greatest height is shown scaled; see `scrolling.ts`.
    offset: layout === undefined || layout.height === scale.shown
      ? 0
      : scale.toGrid(top) - top,
    look: () => looks.current(),
    topNow: () => scale.toGrid(stood.current.top + (stood.current.bar ?? 0)),
  };
}

/** Height of the bar that covers the top of the photos (pixels). */
export function barHeight(): number {
  return document.querySelector(".bar")?.getBoundingClientRect().height ?? 0;
}
