/**
 * Photos to choose from: the days and rows of the timeline, in a box that
 * scrolls for itself. Only what is in sight is in the page.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { boxOf, laidOut, placeOf } from "../../grid/day_box.ts";
import { dayOf, momentText } from "../../grid/days.ts";
import { inSight, type Layout } from "../../grid/layout.ts";
import { scaleOf } from "../../grid/scrolling.ts";
import type { PhotoList } from "../../list.ts";
import { Icon } from "../../parts/icon.tsx";
import { inOrder, useThumb } from "../../thumbs.ts";
import { messages } from "../../messages.ts";

/** About how high the rows are where there is room. */
const ROWS_PX = 170;

/** What is chosen, and what is done with a tap. */
interface Choosing {
  readonly list: PhotoList;
  readonly chosen: Pick<ReadonlySet<string>, "has" | "size">;
  /** Takes them in, or out where all of them were in. */
  readonly onToggle: (ids: readonly string[]) => void;
}

/** The photos of a list, each of which can be chosen. */
export function PickGrid({ list, chosen, onToggle }: Choosing) {
  const root = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  const seen = useSignal({ above: 0, below: 0 });
  const layout = useMemo(
    () => width.value === 0 ? undefined : laidOut(list, width.value, ROWS_PX),
    [list, width.value],
  );
  const scale = scaleOf(layout?.height ?? 0, innerHeight);
  const look = () => {
    const box = root.current;
    if (box === null) return;
    const style = getComputedStyle(box);
    const inner = box.clientWidth - Number.parseFloat(style.paddingLeft) -
      Number.parseFloat(style.paddingRight);
    if (Math.abs(inner - width.peek()) >= 1) width.value = inner;
    const step = Math.max(1, box.clientHeight / 4);
    const top = scale.toGrid(box.scrollTop);
    const above = Math.floor((top - 2 * step) / step) * step;
    const below = Math.ceil((top + 6 * step) / step) * step;
    const before = seen.peek();
    if (before.above !== above || before.below !== below) {
      seen.value = { above, below };
    }
  };
  const looks = useRef(look);
  looks.current = look;
  useLayoutEffect(() => {
    const box = root.current;
    if (box === null) return;
    const soon = () => looks.current();
    const sized = new ResizeObserver(soon);
    sized.observe(box);
    box.addEventListener("scroll", soon, { passive: true });
    return () => {
      sized.disconnect();
      box.removeEventListener("scroll", soon);
    };
  }, []);
  useLayoutEffect(() => looks.current(), [layout]);
  const { above, below } = seen.value;
  const sight = layout === undefined
    ? { from: 0, to: 0, fromDay: 0, toDay: 0 }
    : inSight(layout, above, below);
  useEffect(() => {
    inOrder(idsBetween(list, sight.from, sight.to));
  }, [list, sight.from, sight.to]);
  // Past the greatest height a box scrolls through less than there is.
  const offset = layout === undefined || layout.height === scale.shown
    ? 0
    : scale.toGrid(root.current?.scrollTop ?? 0) -
      (root.current?.scrollTop ?? 0);
  const days = Array.from(
    { length: sight.toDay - sight.fromDay },
    (_, n) => sight.fromDay + n,
  );
  return (
    <div
      class="pick-grid"
      ref={root}
      role="group"
      aria-label={messages.value.albums.pick}
    >
      <div class="grid selecting" style={{ height: `${scale.shown}px` }}>
        {layout !== undefined && days.map((day) => (
          <PickDay
            key={dayOf(list.takenAt(layout.dayStart[day] ?? 0))}
            {...{ list, chosen, onToggle, layout, day, offset }}
            from={Math.max(sight.from, layout.dayStart[day] ?? 0)}
            to={Math.min(sight.to, layout.dayStart[day + 1] ?? 0)}
          />
        ))}
      </div>
    </div>
  );
}

function idsBetween(list: PhotoList, from: number, to: number): string[] {
  return Array.from(
    { length: Math.max(0, to - from) },
    (_, n) => list.idAt(from + n),
  );
}

/** A day: its heading, and those of its photos that are in sight. */
function PickDay(
  { list, chosen, onToggle, layout, day, from, to, offset }: Choosing & {
    readonly layout: Layout;
    readonly day: number;
    readonly from: number;
    readonly to: number;
    readonly offset: number;
  },
) {
  const { grid } = messages.value;
  const { start, end, title, style, ...box } = boxOf(
    list,
    layout,
    day,
    offset,
  );
  let every = chosen.size >= end - start;
  for (let at = start; every && at < end; at++) {
    every = chosen.has(list.idAt(at));
  }
  return (
    <section class="day" aria-label={title} style={style}>
      <header>
        <h3>{title}</h3>
        <button
          type="button"
          class="check of-day"
          role="checkbox"
          aria-checked={every}
          aria-label={grid.selectDay({ day: title })}
          onClick={() => onToggle(list.wholeIds(start, end))}
        >
          <Icon name="check" size={16} />
        </button>
      </header>
      {Array.from({ length: Math.max(0, to - from) }, (_, n) => {
        const at = from + n;
        const id = list.idAt(at);
        const { left, top, width, height } = placeOf(layout, box, at);
        return (
          <PickTile
            key={id}
            {...{ list, at, id }}
            isChosen={chosen.has(id)}
            onToggle={() => onToggle(list.wholeIds(at, at + 1))}
            place={{
              transform: `translate(${left}px, ${top}px)`,
              width: `${width}px`,
              height: `${height}px`,
            }}
          />
        );
      })}
    </section>
  );
}

function PickTile(
  { list, at, id, isChosen, onToggle, place }: {
    readonly list: PhotoList;
    readonly at: number;
    readonly id: string;
    readonly isChosen: boolean;
    readonly onToggle: () => void;
    readonly place: Readonly<Record<string, string>>;
  },
) {
  const { grid } = messages.value;
  const thumb = useThumb(id);
  const kind = list.kindAt(at);
  const name = list.columns.names.get(at);
  const label = [
    grid.kinds[kind],
    ...(name === undefined ? [] : [name]),
    momentText(list.takenAt(at)),
  ];
  return (
    <button
      type="button"
      class={isChosen ? "tile pick-tile selected" : "tile pick-tile"}
      role="checkbox"
      aria-checked={isChosen}
      aria-label={label.join(", ")}
      style={place}
      onClick={onToggle}
    >
      {thumb.state === "here"
        ? <img class="thumb" src={thumb.url} alt="" draggable={false} />
        : thumb.state === "coming" && name === undefined
        ? <span class="coming" />
        : (
          <span class="no-picture">
            <Icon name={kind === "video" ? "film" : "file"} size={28} />
            <span class="name">{name}</span>
          </span>
        )}
      <span class="check" aria-hidden="true">
        <Icon name="check" size={16} />
      </span>
      {kind === "video" && (
        <span class="mark top" aria-hidden="true">
          <Icon name="film" size={16} />
        </span>
      )}
    </button>
  );
}
