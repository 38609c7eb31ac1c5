/**
 * How many histories the models walk: few in the gate, and `TEST_RUNS` times as
 * many in `deno task test:nightly`.
 *
 * @module
 */
const TIMES = Number(Deno.env.get("TEST_RUNS") ?? 1);

/**
 * A third of what finds faults within minutes, or so many times more; where
 * each takes seconds, `byDay` may be fewer.
 */
export function modelRuns(
  enough: number,
  byDay = Math.ceil(enough / 3),
): number {
  return TIMES > 1 ? Math.ceil(enough * TIMES / 3) : byDay;
}
