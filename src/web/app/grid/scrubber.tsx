/**
 * The scrubber next to the grid: a scale of months, each with its share of the
 * grid's height, which can be dragged, clicked, stepped through and typed into.
 *
 * @module
 */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import type { PhotoList } from "../list.ts";
import { messages } from "../messages.ts";
import { monthNames, monthOf, monthText, shortMonthText } from "./days.ts";
import { lastNotAbove, type Layout } from "./layout.ts";
import { monthMeant } from "./month_meant.ts";
import type { GridStand } from "./stand.ts";

/** The scrubber is shown only if the grid is higher than this many windows. */
const LEAST_WINDOWS = 2.5;
const SHOWN_MS = 1_400;
const TYPED_MS = 1_500;
/** Least distance between two year labels, as a share of the height. */
const LABEL_SHARE = 0.035;

/** The scrubber of a grid. */
export function Scrubber({ stand }: { readonly stand: GridStand }) {
  const { list, layout } = stand;
  const track = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const active = useSignal(false);
  const dragging = useSignal(false);
  const typed = useSignal("");
  const months = useMemo(() => monthsOf(list, layout), [list, layout]);
  const years = useMemo(() => yearsOf(months, layout.height), [months]);
  const held = useRef(stand);
  held.current = stand;

  useEffect(() => {
    let frame = 0;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      frame = 0;
      top.value = held.current.topNow();
    };
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
      active.value = true;
      clearTimeout(rest);
      rest = setTimeout(() => active.value = false, SHOWN_MS);
    };
    look();
    addEventListener("scroll", soon, { passive: true });
    return () => {
      removeEventListener("scroll", soon);
      cancelAnimationFrame(frame);
      clearTimeout(rest);
    };
  }, []);
  useEffect(() => {
    if (typed.value === "") return;
    const timer = setTimeout(() => typed.value = "", TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);

  if (layout.height < innerHeight * LEAST_WINDOWS || months.count < 2) {
    return null;
  }
  const at = monthAt(months, top.value + 1);
  const shareNow = Math.min(1, Math.max(0, top.value / layout.height));
  const toMonth = (month: number) => {
    const next = Math.min(months.count - 1, Math.max(0, month));
    stand.scrollTo(months.top[next] ?? 0);
  };
  const toPointer = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined) return;
    const share = (event.clientY - box.top) / box.height;
    stand.scrollTo(Math.min(1, Math.max(0, share)) * layout.height);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nextMonth(event.key, at, months);
    if (next !== undefined) toMonth(next);
    else if (event.key.length === 1 && /[\p{L}\d .-]/u.test(event.key)) {
      typed.value += event.key;
      const meant = monthMeant(months, typed.value, monthNames());
      if (meant !== undefined) toMonth(meant);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shown = active.value || dragging.value;
  return (
    <div
      class={`scrubber${shown ? " active" : ""}${
        dragging.value ? " dragging" : ""
      }`}
      ref={track}
      role="slider"
      tabIndex={0}
      aria-label={messages.value.grid.scrubber}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={months.count - 1}
      aria-valuenow={at}
      aria-valuetext={monthText(months.month[at] ?? 0)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        dragging.value = true;
        toPointer(event);
      }}
      onPointerMove={(event) => dragging.value && toPointer(event)}
      onPointerUp={() => dragging.value = false}
      onPointerCancel={() => dragging.value = false}
    >
      {years.map(({ year, share }) => (
        <span
          class="year"
          key={year}
          style={{ top: `${share * 100}%` }}
          aria-hidden="true"
        >
          {year}
        </span>
      ))}
      <span
        class="handle"
        style={{ top: `${shareNow * 100}%` }}
        aria-hidden="true"
      >
        <span>
          {typed.value === ""
            ? shortMonthText(months.month[at] ?? 0)
            : typed.value}
        </span>
      </span>
    </div>
  );
}

function nextMonth(
  key: string,
  at: number,
  { count, month }: Months,
): number | undefined {
  switch (key) {
    case "ArrowUp":
    case "ArrowLeft":
      return at - 1;
    case "ArrowDown":
    case "ArrowRight":
      return at + 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    case "PageUp":
    case "PageDown": {
      const way = key === "PageUp" ? -1 : 1;
      // Some albums have the oldest photos first.
      const falls = (month[0] ?? 0) >= (month[count - 1] ?? 0) ? way : -way;
      const wanted = (month[at] ?? 0) - falls * 12;
      let next = at + way;
      while (
        next > 0 && next < count - 1 &&
        (falls > 0 ? (month[next] ?? 0) > wanted : (month[next] ?? 0) < wanted)
      ) next += way;
      return next;
    }
    default:
      return undefined;
  }
}

/**
 * The years that have room for a label, each with its position as a share of
 * the height.
 */
function yearsOf({ count, month, top }: Months, height: number) {
  const years: { year: number; share: number }[] = [];
  for (let i = 0; i < count; i++) {
    const year = Math.floor((month[i] ?? 0) / 12);
    const share = (top[i] ?? 0) / height;
    const before = years.at(-1);
    if (year === before?.year) continue;
    if (before !== undefined && share - before.share < LABEL_SHARE) continue;
    years.push({ year, share });
  }
  return years;
}

/** The months with photos, from top to bottom. */
interface Months {
  readonly count: number;
  /** Months since the year 0. */
  readonly month: readonly number[];
  /** The height in the grid at which each begins. */
  readonly top: readonly number[];
}

/** Finds the months of a list and its layout. */
function monthsOf(list: PhotoList, layout: Layout): Months {
  const month: number[] = [];
  const top: number[] = [];
  const { days, dayStart, dayTop, rowOf, rowTop } = layout;
  for (let day = 0; day < days; day++) {
    const [first, end] = [dayStart[day] ?? 0, dayStart[day + 1] ?? 0];
    const its = monthOf(list.takenAt(first));
    if (its !== month.at(-1)) {
      month.push(its);
      top.push(dayTop[day] ?? 0);
    }
    // Days that share a heading may be of other months.
    if (monthOf(list.takenAt(end - 1)) === its) continue;
    for (let at = first + 1; at < end; at++) {
      const other = monthOf(list.takenAt(at));
      if (other === month.at(-1)) continue;
      month.push(other);
      top.push(rowTop[rowOf[at] ?? 0] ?? 0);
    }
  }
  return { count: month.length, month, top };
}

/** The index of the month at a height. */
function monthAt({ count, top }: Months, height: number): number {
  return lastNotAbove(top, count, height);
}
