/**
 * The state of a grid that its keyboard, gestures and scrubber work on.
 *
 * @module
 */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Signal, useSignal } from "@preact/signals";
import { listHref, type ListSource, type PhotoList, photoOf } from "../list.ts";
import { findLostFocus, takeLostFocus } from "../parts/focus.ts";
import { route } from "../routes.ts";
import { HEADING_PX } from "./day_box.ts";
import type { Layout } from "./layout.ts";
import { barHeight, type GridSight } from "./sight.ts";

/** The state and the functions that a grid's parts use. */
export interface GridStand {
  readonly list: PhotoList;
  readonly source: ListSource;
  readonly layout: Layout;
  /** Position of the photo that the keyboard is at. */
  readonly at: number;
  /** Moves the keyboard to a photo and scrolls it into view. */
  readonly moveTo: (at: number) => void;
  /** Scrolls so that a height of the grid is at the top of the window. */
  readonly scrollTo: (height: number) => void;
  /** The height of the grid at the top of the window. */
  readonly topNow: () => number;
  readonly root: () => HTMLElement | null;
}

/** Where the keyboard stands in a grid. */
interface Standing {
  /** Undefined until the grid is laid out. */
  readonly stand: GridStand | undefined;
  /** Position of the photo that the keyboard is at. */
  readonly here: number;
  /** Whether the keyboard or a gesture has been in the grid. */
  readonly entered: Signal<boolean>;
  /** Puts the keyboard at a photo, and scrolls nowhere. */
  readonly enter: (at: number) => void;
}

/**
 * Keeps the place of the keyboard in a list; takes the focus that is lost
 * elsewhere, and comes back to the photo that was shown last.
 */
export function useStand(
  root: RefObject<HTMLElement | null>,
  source: ListSource,
  list: PhotoList,
  { layout, scale, look, topNow }: GridSight,
): Standing {
  const at = useSignal(0);
  const entered = useSignal(false);
  const enter = (next: number) => {
    at.value = next;
    entered.value = true;
  };
  // The keyboard stays at its photo while the list changes around it.
  const listBefore = useRef(list);
  if (listBefore.current !== list) {
    at.value = placeIn(list, listBefore.current, at.peek());
    listBefore.current = list;
  }
  const here = at.value;
  const rootTop = () =>
    (root.current?.getBoundingClientRect().top ?? 0) + scrollY;
  const stand: GridStand | undefined = layout && {
    list,
    source,
    layout,
    at: here,
    moveTo: (next) => {
      enter(next);
      const row = layout.rowOf[next] ?? 0;
      const top = layout.rowTop[row] ?? 0;
      const bottom = top + (layout.rowHeight[row] ?? 0);
      const now = scale.toGrid(scrollY - rootTop());
      const head = barHeight() + HEADING_PX;
      if (top < now + head) {
        scrollTo({ top: rootTop() + scale.toPage(top - head) });
      } else if (bottom > now + innerHeight - 8) {
        const under = bottom - innerHeight + 8;
        scrollTo({ top: rootTop() + scale.toPage(under) });
      }
      look();
      requestAnimationFrame(() => focusAt(root.current, next));
    },
    scrollTo: (height) => {
      scrollTo({ top: rootTop() + scale.toPage(height) - barHeight() });
      look();
    },
    topNow,
    root: () => root.current,
  };
  useComingBack(stand);
  const take = useRef<() => boolean>(() => false);
  take.current = () => {
    if (layout === undefined || list.length === 0) return false;
    if (photoOf(route.peek()) !== undefined) return false;
    entered.value = true;
    requestAnimationFrame(() => focusAt(root.current, at.peek()));
    return true;
  };
  useEffect(() => {
    const end = takeLostFocus(() => take.current());
    return () => {
      end();
      // Its last photo is gone, and no one went elsewhere.
      if (location.hash === listHref(source)) findLostFocus();
    };
  }, []);
  return { stand, here, entered, enter };
}

/** Focuses the photo that was shown last when the lightbox closes. */
function useComingBack(stand: GridStand | undefined): void {
  const shown = photoOf(route.value);
  const before = useRef<string | undefined>(undefined);
  useEffect(() => {
    const left = before.current;
    before.current = shown;
    if (shown !== undefined || left === undefined) return;
    const at = stand?.list.indexOf(left) ?? -1;
    if (at >= 0) stand?.moveTo(at);
  }, [shown]);
}

/** Focuses a photo's link if it is in the page. */
function focusAt(root: HTMLElement | null, at: number): void {
  root?.querySelector<HTMLElement>(`[data-at="${at}"] > a`)
    ?.focus({ preventScroll: true });
}

/** Photos after and before a removed one that are looked for. */
const MOST_TRIED = 2_000;

/**
 * The position in a list of the photo that was at `at` in the list before, or
 * of the next one that is still there, or of the one before.
 */
function placeIn(
  list: PhotoList,
  before: PhotoList,
  at: number,
): number {
  const last = Math.max(0, list.length - 1);
  const tried = (place: number) => list.indexOf(before.idAt(place));
  for (let by = 0; by < MOST_TRIED && at + by < before.length; by++) {
    const place = tried(at + by);
    if (place >= 0) return place;
  }
  for (let by = 1; by <= MOST_TRIED && by <= at; by++) {
    const place = tried(at - by);
    if (place >= 0) return place;
  }
  return Math.min(at, last);
}
