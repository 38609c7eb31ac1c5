/**
 * Rows of a grid: they fill the width, in order, and are found again.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  beside,
  inSight,
  type Layout,
  layOut,
} from "../../src/web/app/grid/layout.ts";
import { layOutSquares } from "../../src/web/app/grid/squares.ts";
import { MOST_PX, scaleOf } from "../../src/web/app/grid/scrolling.ts";

const OPTIONS = {
  width: 1_200,
  height: 200,
  gap: 4,
  heading: 44,
  between: 20,
  least: 120,
};

const RATIOS = [1.5, 0.75, 1.333, 1, 0.5625, 1.778, 6, 0.1];

/** So many photos, a day each for as many as `perDay` says. */
function library(count: number, perDay: (day: number) => number) {
  const days: number[] = [];
  for (let day = 0; days.length < count; day++) {
    for (let i = 0; i < perDay(day) && days.length < count; i++) {
      days.push(20_000 - day);
    }
  }
  return {
    count,
    ratioAt: (at: number) => RATIOS[(at * 7) % RATIOS.length] ?? 1,
    dayAt: (at: number) => days[at] ?? 0,
  };
}

/** The right edge of each row. */
function edges({ rows, rowStart, left, width }: Layout): number[] {
  return Array.from({ length: rows }, (_, row) => {
    const last = (rowStart[row + 1] ?? 0) - 1;
    return (left[last] ?? 0) + (width[last] ?? 0);
  });
}

Deno.test("photos of a day fill rows of much the same height", () => {
  const layout = layOut(library(500, () => 500), OPTIONS);
  // The last one too: a day does not end in a row of one photo.
  const full = edges(layout);
  assert(full.every((edge) => Math.abs(edge - OPTIONS.width) < 0.5));
  const heights = layout.rowHeight.subarray(0, layout.rows);
  assert(heights.every((height) => height > 120 && height < 300), `${heights}`);
});

Deno.test("no photo overlaps another, and none is wider than the window", () => {
  for (const width of [320, 390, 1_200, 2_560]) {
    const list = library(2_000, (day) => (day * 5) % 23 + 1);
    const layout = layOut(list, { ...OPTIONS, width });
    let bottom = 0;
    for (let row = 0; row < layout.rows; row++) {
      assert((layout.rowTop[row] ?? 0) >= bottom);
      bottom = (layout.rowTop[row] ?? 0) + (layout.rowHeight[row] ?? 0);
      let right = 0;
      for (
        let at = layout.rowStart[row] ?? 0;
        at < (layout.rowStart[row + 1] ?? 0);
        at++
      ) {
        assert((layout.left[at] ?? 0) >= right - 0.01);
        right = (layout.left[at] ?? 0) + (layout.width[at] ?? 0);
      }
      assert(right <= width + 0.5, `${right} of ${width}`);
    }
    assert(layout.height >= bottom);
  }
});

Deno.test("days of few photos share one row", () => {
  const layout = layOut(library(6, () => 1), OPTIONS);
  assert(layout.rows < 6);
  assert.equal(layout.days, 6);
  assert.equal(layout.dayTop[0], layout.dayTop[1]);
  assert((layout.dayLeft[1] ?? 0) >= (layout.dayWidth[0] ?? 0));
});

Deno.test("a row that other photos could fill has no empty end", () => {
  // Today's two photos and yesterday's one in one row; then many.
  const few = (counts: readonly number[]) =>
    library(counts.reduce((sum, n) => sum + n, 0), (day) => counts[day] ?? 0);
  const landscapes = (counts: readonly number[]) => ({
    ...few(counts),
    ratioAt: () => 1.5,
  });
  const narrow = { ...OPTIONS, width: 760, height: 182, least: 200 };
  const right = ({ dayLeft, dayWidth }: Layout, day: number) =>
    (dayLeft[day] ?? 0) + (dayWidth[day] ?? 0);
  for (
    const [counts, beside] of [
      // Higher than wanted, up to half as much again.
      [[1, 1, 9], 2],
      // Lower than wanted, where one more day fits so.
      [[2, 1, 9], 2],
      [[1, 1, 1, 9], 3],
    ] as const
  ) {
    const layout = layOut(landscapes(counts), narrow);
    const last = beside - 1;
    assert.equal(layout.dayTop[last], layout.dayTop[0], `${counts}`);
    assert(Math.abs(right(layout, last) - narrow.width) < 0.5, `${counts}`);
  }
  // Wide ones next to high ones in a day of several rows.
  for (const width of [640, 760, 1_000, 1_200]) {
    for (let from = 0; from < 200; from++) {
      const list = few([5 + from % 9]);
      const ratioAt = (at: number) => RATIOS[((from + at) * 5) % 8] ?? 1;
      const layout = layOut({ ...list, ratioAt }, { ...narrow, width });
      if (layout.rows < 2) continue;
      const full = edges(layout);
      assert(
        full.every((edge) => Math.abs(edge - width) < 0.5),
        `${width} ${from}: ${full}`,
      );
    }
  }
});

const SQUARES = { width: 390, columns: 3, gap: 2, heading: 44, between: 8 };

Deno.test("a narrow window is filled to its edges, row by row", () => {
  for (const perDay of [1, 2, 3, 4, 7, 30]) {
    const layout = layOutSquares(library(61, () => perDay), SQUARES);
    assert(edges(layout).every((edge) => Math.abs(edge - 390) < 0.5));
    let bottom = 0;
    for (let row = 0; row < layout.rows; row++) {
      assert((layout.rowTop[row] ?? 0) >= bottom);
      bottom = (layout.rowTop[row] ?? 0) + (layout.rowHeight[row] ?? 0);
      const [from = 0, to = 0] = layout.rowStart.subarray(row, row + 2);
      assert(to - from <= 3);
      // Squares, and what fills a row that is not full is no taller than wide.
      const wide = layout.width[from] ?? 0;
      assert((layout.rowHeight[row] ?? 0) <= wide + 0.01);
    }
    assert(layout.height >= bottom);
  }
});

Deno.test("the only photo of a list is shown there as it is, unless it is very high", () => {
  for (
    const [ratio, high] of [
      [1, 390],
      [3 / 2, 260],
      [2 / 3, 585],
      [0.1, 624],
      [10, 39],
    ]
  ) {
    const only = { ...library(1, () => 1), ratioAt: () => ratio ?? 0 };
    const { rows, rowHeight } = layOutSquares(only, SQUARES);
    assert.equal(rows, 1);
    assert.equal(rowHeight[0], high, String(ratio));
  }
});

Deno.test("days of few photos share their rows there, and those of many do not", () => {
  // 1, 1, 1 | 5 | 2, 2 | 3 | 1
  const counts = [1, 1, 1, 5, 2, 2, 3, 1];
  const list = library(16, (day) => counts[day] ?? 0);
  const { days, dayStart } = layOutSquares(list, SQUARES);
  assert.deepEqual([...dayStart.subarray(0, days + 1)], [0, 3, 8, 12, 15, 16]);
  // A day too many for a row comes along where it would be alone.
  const four = layOutSquares(library(4, () => 1), SQUARES);
  assert.deepEqual([four.days, four.rows], [1, 2]);
  // Days of two years have a heading each.
  const newYear = Date.UTC(2024, 0, 1) / 86_400_000;
  const years = { ...list, count: 4, dayAt: (at: number) => newYear + 1 - at };
  const apart = layOutSquares(years, SQUARES);
  assert.deepEqual([...apart.dayStart.subarray(0, apart.days + 1)], [0, 2, 4]);
  // What has no date has no neighbours.
  const undated = { ...list, dayAt: (at: number) => at === 1 ? 0 : 9_000 - at };
  assert.equal(layOutSquares(undated, SQUARES).dayStart[1], 1);
});

Deno.test("a row has photos of one year only, on a wide screen and on a narrow one", () => {
  // One photo a day, so that days share rows: 25 days of each
  // year, with New Year in the middle of what could be a row.
  const newYear = Date.UTC(2024, 0, 1) / 86_400_000;
  const list = {
    count: 50,
    ratioAt: () => 1,
    dayAt: (at: number) => newYear + 24 - at,
  };
  const yearAt = (at: number) => list.dayAt(at) >= newYear ? 2024 : 2023;
  for (
    const { rows, rowStart } of [
      layOut(list, OPTIONS),
      layOutSquares(list, SQUARES),
    ]
  ) {
    let shared = 0;
    for (let row = 0; row < rows; row++) {
      const [from, to] = [rowStart[row] ?? 0, (rowStart[row + 1] ?? 0) - 1];
      assert.equal(yearAt(from), yearAt(to), `row ${row}`);
      if (to > from) shared += 1;
    }
    assert(shared > 0, "days stand next to each other");
  }
});

Deno.test("what is in sight is all that is between two heights", () => {
  const layout = layOut(library(3_000, (day) => day % 9 + 1), OPTIONS);
  const { rowOf, rowTop, rowHeight } = layout;
  for (const above of [0, 1_000, 20_000, layout.height - 800]) {
    const { from, to, fromDay, toDay } = inSight(layout, above, above + 800);
    for (let at = 0; at < 3_000; at++) {
      const top = rowTop[rowOf[at] ?? 0] ?? 0;
      const ends = top + (rowHeight[rowOf[at] ?? 0] ?? 0);
      if (ends > above && top < above + 800) assert(at >= from && at < to);
    }
    assert((layout.dayStart[fromDay] ?? 0) <= from);
    assert((layout.dayStart[toDay] ?? 0) >= to);
  }
});

Deno.test("up and down lead to the photo nearest to the middle", () => {
  const layout = layOut(library(40, () => 40), OPTIONS);
  const start = layout.rowStart[1] ?? 0;
  const down = beside(layout, start, 1);
  assert.equal(layout.rowOf[down], 2);
  assert.equal(layout.rowOf[beside(layout, down, -1)], 1);
  assert.equal(beside(layout, 0, -1), 0);
});

Deno.test("the oldest photo of a million is within the page's height", () => {
  const layout = layOut(library(1_000_000, () => 30), OPTIONS);
  assert(layout.height > MOST_PX);
  const scale = scaleOf(layout.height, 800);
  assert.equal(scale.shown, MOST_PX);
  const end = scale.toGrid(MOST_PX - 800);
  assert(Math.abs(end - (layout.height - 800)) < 1);
  assert.equal(inSight(layout, end, end + 800).to, 1_000_000);
  assert(Math.abs(scale.toPage(end) - (MOST_PX - 800)) < 1);
});
