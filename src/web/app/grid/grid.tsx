/**
 * A list of photos in rows, grouped by days. Only visible photos are in the
 * page.
 *
 * @module
 */
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { listHref, type ListSource, type PhotoList, photoOf } from "../list.ts";
import { useLayer } from "../history/overlay_history.ts";
import { route } from "../routes.ts";
import { findLostFocus, takeLostFocus } from "../parts/focus.ts";
import { inOrder } from "../thumbs.ts";
import { Day, type DayShown, idsOf } from "./day.tsx";
import { HEADING_PX, laidOut } from "./day_box.ts";
import { useGestures } from "./gestures.ts";
import { useKeyboard } from "./keyboard.ts";
import { inSight, type Layout } from "./layout.ts";
import { lazily } from "../parts/lazy.tsx";
import { scaleOf } from "./scrolling.ts";
import { type GridStand, placeIn } from "./stand.ts";
import {
  clearSelection,
  isSelecting,
  keepWithin,
  selectIn,
} from "./selection.ts";

// Loaded separately, so that the first photos do not wait for them.
const Scrubber = lazily(
  async () => (await import("./scrubber.tsx")).Scrubber,
  { quiet: true, afterPictures: true },
);
const SelectionBar = lazily(
  async () => (await import("./selection_bar.tsx")).SelectionBar,
  { quiet: true, afterPictures: true },
);

/** About how high the rows are where there is room. */
const rowsFor = (width: number) => Math.min(236, 150 + width / 24);

/** The photos of a list. */
export function Grid(
  { source, list, children }: {
    readonly source: ListSource;
    readonly list: PhotoList;
    /** Content above the photos. */
    readonly children?: ComponentChildren;
  },
) {
  const root = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  const seen = useSignal({ above: 0, below: 0 });
  const at = useSignal(0);
  const entered = useSignal(false);
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
  useEffect(() => selectIn(source), [listHref(source)]);
  useEffect(() => {
    keepWithin(list);
    findLostFocus();
  }, [list]);
  useEffect(findLostFocus, [isSelecting.value]);
  useLayer(isSelecting.value, clearSelection);

  const rootTop = () =>
    (root.current?.getBoundingClientRect().top ?? 0) + scrollY;
  // The keyboard stays at its photo while the list changes around it.
  const listBefore = useRef(list);
  if (listBefore.current !== list) {
    at.value = placeIn(list, listBefore.current, at.peek());
    listBefore.current = list;
  }
  const here = at.value;
  const stand: GridStand | undefined = layout && {
    list,
    source,
    layout,
    at: here,
    moveTo: (next) => {
      at.value = next;
      entered.value = true;
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
      looks.current();
      requestAnimationFrame(() => focusAt(root.current, next));
    },
    scrollTo: (height) => {
      scrollTo({ top: rootTop() + scale.toPage(height) - barHeight() });
      looks.current();
    },
    topNow: () => scale.toGrid(stood.current.top + (stood.current.bar ?? 0)),
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
  const keyboard = useKeyboard(stand);
  const gestures = useGestures(root, stand, (next) => {
    at.value = next;
    entered.value = true;
  });

  const days = layout === undefined
    ? []
    : daysShown(layout, seen.value, entered.value ? here : undefined);
  useEffect(() => {
    if (layout === undefined) return;
    const step = innerHeight / 2;
    const { above, below } = seen.value;
    const sight = inSight(layout, above + step, below - step);
    const around = inSight(layout, above, below);
    inOrder([
      ...idsOf(list, sight.from, sight.to),
      ...idsOf(list, sight.to, around.to),
      ...idsOf(list, around.from, sight.from),
    ]);
  }, [layout, seen.value]);

  const first = days[0]?.from ?? 0;
  const last = days.at(-1)?.to ?? 0;
  const reached = here >= first && here < last ? here : first;
  // A grid above the greatest height is shown scaled; see `scrolling.ts`.
  const offset = layout === undefined || layout.height === scale.shown
    ? 0
    : scale.toGrid(stood.current.top) - stood.current.top;
  return (
    <>
      {children}
      <div
        class={isSelecting.value ? "grid selecting" : "grid"}
        ref={root}
        style={{ height: `${scale.shown}px` }}
        onKeyDown={keyboard}
        {...gestures}
      >
        {layout !== undefined && days.map((day) => (
          <Day
            key={list.dayAt(layout.dayStart[day.day] ?? 0)}
            list={list}
            source={source}
            layout={layout}
            offset={offset}
            reached={reached}
            {...day}
          />
        ))}
      </div>
      {stand !== undefined && list.length > 0 && (
        <>
          {source.kind !== "largest" && <Scrubber stand={stand} />}
          <SelectionBar list={list} source={source} />
        </>
      )}
    </>
  );
}

/** Height of the bar that covers the top of the photos (pixels). */
function barHeight(): number {
  return document.querySelector(".bar")?.getBoundingClientRect().height ?? 0;
}

/** Focuses a photo's link if it is in the page. */
function focusAt(root: HTMLElement | null, at: number): void {
  root?.querySelector<HTMLElement>(`[data-at="${at}"] > a`)
    ?.focus({ preventScroll: true });
}

/** The visible days, and of each the visible photos. */
function daysShown(
  layout: Layout,
  { above, below }: { above: number; below: number },
  kept: number | undefined,
): DayShown[] {
  const { from, to, fromDay, toDay } = inSight(layout, above, below);
  const { dayStart } = layout;
  const shown: DayShown[] = [];
  for (let day = fromDay; day < toDay; day++) {
    const first = Math.max(from, dayStart[day] ?? 0);
    const last = Math.min(to, dayStart[day + 1] ?? 0);
    if (first < last) shown.push({ day, from: first, to: last });
  }
  return kept === undefined || (kept >= from && kept < to)
    ? shown
    : withKept(layout, shown, kept);
}

/**
 * Adds the photo that has the focus, which stays in the page while scrolling.
 */
function withKept(layout: Layout, shown: DayShown[], at: number): DayShown[] {
  const { dayStart, days } = layout;
  let day = 0;
  while (day + 1 < days && (dayStart[day + 1] ?? 0) <= at) day += 1;
  const held = shown.find((one) => one.day === day);
  if (held !== undefined) {
    return shown.map((one) => one === held ? { ...one, also: at } : one);
  }
  const only = { day, from: at, to: at + 1 };
  return [...shown, only].toSorted((a, b) => a.day - b.day);
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
