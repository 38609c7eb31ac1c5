/**
 * How much of the models is walked: in the gate what finds a fault soon, and
 * `TEST_RUNS` times as much in `deno task test:nightly`.
 *
 * @module
 */
const TIMES = Number(Deno.env.get("TEST_RUNS") ?? 1);

/** As many sequences as the gate walks, or so many times more. */
export function modelRuns(inGate: number): number {
  return inGate * TIMES;
}
