/**
 * The days of a list as every grid shows them: how they are laid out, what
 * stands above each, and where it is.
 *
 * @module
 */
import type { PhotoList } from "../list.ts";
import { firstMessages, sizeText } from "../first_messages.ts";
import { daysText } from "./days.ts";
import { type Layout, layOut } from "./layout.ts";
import { layOutSquares } from "./squares.ts";

/** Height of the heading above a day (pixels). */
export const HEADING_PX = 44;

/** Below that width photos are squares; above, they keep their shape. */
const SQUARES_PX = 640;
/** Four of them have room. */
const FOUR_PX = 480;

/** Rows of about a height, gaps and headings for a width. */
export function laidOut(
  list: PhotoList,
  width: number,
  height: number,
): Layout {
  const laid = {
    count: list.length,
    ratioAt: (i: number) => list.ratioAt(i),
    dayAt: (i: number) => list.dayAt(i),
  };
  const heading = HEADING_PX;
  if (width < SQUARES_PX) {
    const columns = width < FOUR_PX ? 3 : 4;
    return layOutSquares(laid, { width, columns, gap: 2, heading, between: 8 });
  }
  return layOut(laid, {
    width,
    height,
    gap: 4,
    heading,
    between: 20,
    // A whole date and the check mark next to it.
    least: 200,
  });
}

/** More photos than that under one heading are of one day. */
const MOST_SHARING = 500;

/** The first and the last moment of what is under one heading. */
function spanOf(
  list: PhotoList,
  start: number,
  end: number,
): [first: number, last: number] {
  let [first, last] = [list.takenAt(start), list.takenAt(start)];
  for (let at = start + 1; at < Math.min(end, start + MOST_SHARING); at++) {
    first = Math.min(first, list.takenAt(at));
    last = Math.max(last, list.takenAt(at));
  }
  return [first, last];
}

/** What stands above photos of a day, or of about one size. */
function titleOf(list: PhotoList, start: number, end: number): string {
  const { grid } = firstMessages.value;
  const size = list.sizeAt(start);
  if (size !== undefined) {
    const [most, least] = [sizeText(size), sizeText(list.sizeAt(end - 1) ?? 0)];
    return most === least ? most : `${least} – ${most}`;
  }
  return list.takenAt(start) === 0
    ? grid.undated
    : daysText(...spanOf(list, start, end));
}

/** The box of a day: its photos, its heading, and its place. */
interface DayBox {
  /** The position of its first photo in the list. */
  readonly start: number;
  /** The position after its last photo. */
  readonly end: number;
  readonly title: string;
  readonly top: number;
  readonly left: number;
  readonly style: Readonly<Record<"top" | "left" | "width" | "height", string>>;
}

/** The box of a day, drawn `offset` above its height in the layout. */
export function boxOf(
  list: PhotoList,
  layout: Layout,
  day: number,
  offset: number,
): DayBox {
  const { dayStart, dayTop, dayEnd, dayLeft, dayWidth } = layout;
  const [start, end] = [dayStart[day] ?? 0, dayStart[day + 1] ?? 0];
  const [top, left] = [dayTop[day] ?? 0, dayLeft[day] ?? 0];
  return {
    start,
    end,
    title: titleOf(list, start, end),
    top,
    left,
    style: {
      top: `${top - offset}px`,
      left: `${left}px`,
      width: `${dayWidth[day]}px`,
      height: `${(dayEnd[day] ?? 0) - top}px`,
    },
  };
}

/** The place of a photo in the box of its day. */
export function placeOf(
  { rowOf, rowTop, rowHeight, left, width }: Layout,
  box: Pick<DayBox, "top" | "left">,
  at: number,
) {
  const row = rowOf[at] ?? 0;
  return {
    left: (left[at] ?? 0) - box.left,
    top: (rowTop[row] ?? 0) - box.top,
    width: width[at] ?? 0,
    height: rowHeight[row] ?? 0,
  };
}
