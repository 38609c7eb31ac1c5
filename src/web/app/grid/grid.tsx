/**
 * A list of photos in rows, grouped by days. Only visible photos are in the
 * page.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { listHref, type ListSource, type PhotoList } from "../list.ts";
import { useLayer } from "../history/overlay_history.ts";
import { findLostFocus } from "../parts/focus.ts";
import { inOrder } from "../thumbs.ts";
import { Day, type DayShown, idsOf } from "./day.tsx";
import { useGestures } from "./gestures.ts";
import { useKeyboard } from "./keyboard.ts";
import { inSight, type Layout } from "./layout.ts";
import { lazily } from "../parts/lazy.tsx";
import { useSight } from "./sight.ts";
import { useStand } from "./stand.ts";
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
  const sight = useSight(root, list);
  const { layout, scale, seen, offset } = sight;
  useSelectionIn(source, list);
  const { stand, here, entered, enter } = useStand(root, source, list, sight);
  const keyboard = useKeyboard(stand);
  const gestures = useGestures(root, stand, enter);

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

/** Ends a selection of another list, and of photos that are gone. */
function useSelectionIn(source: ListSource, list: PhotoList): void {
  useEffect(() => selectIn(source), [listHref(source)]);
  useEffect(() => {
    keepWithin(list);
    findLostFocus();
  }, [list]);
  useEffect(findLostFocus, [isSelecting.value]);
  useLayer(isSelecting.value, clearSelection);
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
