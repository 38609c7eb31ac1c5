/**
 * A day of a grid: its heading and its visible photos.
 *
 * @module
 */
import { Component, type ComponentChildren } from "preact";
import { hrefAt, type ListSource, type PhotoList } from "../list.ts";
import { Icon } from "../parts/icon.tsx";
import { firstMessages } from "../first_messages.ts";
import { boxOf, placeOf } from "./day_box.ts";
import type { Layout } from "./layout.ts";
import { selectedIds, toggleAll } from "./selection.ts";
import { Tile } from "./tile.tsx";

/** The photos of a day that are drawn. */
export interface DayShown {
  readonly day: number;
  readonly from: number;
  readonly to: number;
  /** One more photo of the day, outside that range. */
  readonly also?: number;
}

/** The ids of a range of a list. */
export function idsOf(list: PhotoList, from: number, to: number): string[] {
  const ids: string[] = [];
  for (let at = from; at < to; at++) ids.push(list.idAt(at));
  return ids;
}

/** A day at its place in the layout. */
export function Day(
  { list, source, layout, day, from, to, also, offset, reached }: DayShown & {
    readonly list: PhotoList;
    readonly source: ListSource;
    readonly layout: Layout;
    readonly offset: number;
    readonly reached: number;
  },
) {
  const { start, end, title, style } = boxOf(list, layout, day, offset);
  const ids = selectedIds.value;
  const isReached = reached >= start && reached < end;
  const name = `day-${start}`;
  return (
    <section class="day" aria-labelledby={name} style={style}>
      <header>
        <h2 id={name}>{title}</h2>
        <DayCheck list={list} from={start} to={end} title={title} />
      </header>
      <div role="list" aria-labelledby={name}>
        <Tiles
          list={list}
          source={source}
          layout={layout}
          ids={ids}
          day={day}
          from={from}
          to={to}
          also={also}
          reached={isReached ? reached : -1}
        />
      </div>
    </section>
  );
}

interface TilesProps {
  readonly list: PhotoList;
  readonly source: ListSource;
  readonly layout: Layout;
  readonly ids: ReadonlySet<string>;
  readonly day: number;
  readonly from: number;
  readonly to: number;
  readonly also: number | undefined;
  /** The photo that the keyboard has reached; -1 if it is of another day. */
  readonly reached: number;
}

/**
 * The photos of a day. They are not drawn again while one scrolls and nothing
 * of the day changes. Nor may they be elements that are kept and drawn again:
 * each of those keeps the tree that it was first drawn in, with the photos of
 * all days that were passed since.
 */
class Tiles extends Component<TilesProps> {
  override shouldComponentUpdate(next: TilesProps): boolean {
    const { props } = this;
    return next.list !== props.list || next.layout !== props.layout ||
      next.ids !== props.ids || next.day !== props.day ||
      next.from !== props.from || next.to !== props.to ||
      next.also !== props.also || next.reached !== props.reached;
  }

  override render(): ComponentChildren {
    const { list, source, layout, ids, day, from, to, also, reached } =
      this.props;
    const { start, end, ...box } = boxOf(list, layout, day, 0);
    const places = Array.from({ length: to - from }, (_, i) => from + i);
    if (also !== undefined) places.push(also);
    return places.map((at) => {
      const id = list.idAt(at);
      return (
        <Tile
          key={id}
          list={list}
          at={at}
          id={id}
          href={hrefAt(list, source, at)}
          {...placeOf(layout, box, at)}
          selected={ids.has(id)}
          reached={at === reached}
          place={at - start + 1}
          of={end - start}
        />
      );
    });
  }
}

/** Selects a whole day. */
function DayCheck(
  { list, from, to, title }: {
    readonly list: PhotoList;
    readonly from: number;
    readonly to: number;
    readonly title: string;
  },
) {
  const ids = selectedIds.value;
  let every = ids.size >= to - from;
  for (let at = from; every && at < to; at++) every = ids.has(list.idAt(at));
  return (
    <button
      type="button"
      class="check of-day"
      role="checkbox"
      aria-checked={every}
      aria-label={firstMessages.value.grid.selectDay({ day: title })}
      onClick={() => toggleAll(list.wholeIds(from, to))}
    >
      <Icon name="check" size={16} />
    </button>
  );
}
