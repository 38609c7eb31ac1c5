/**
 * Whether two kinds of answer take the same time. Both are asked for in turns,
 * so that whatever else the machine does falls on both alike, and compared by
 * their lower quartile, which that disturbs least.
 *
 * @module
 */
import assert from "node:assert/strict";

const ROUNDS = 40;
/** What one may take of the other's time, beside what is below notice. */
const RATIO = 2;
/** A network hides this much (ms). */
const BELOW_NOTICE_MS = 0.5;

/** Asks for one more answer of its kind. */
export type Ask = () => Promise<Response>;

/** Expects that nobody can tell the kinds apart by waiting for the answer. */
export async function expectSameTime(
  kinds: Readonly<Record<string, Ask>>,
): Promise<void> {
  const times = new Map(
    Object.keys(kinds).map((name): [string, number[]] => [name, []]),
  );
  for (let round = -5; round < ROUNDS; round++) {
    for (const [name, ask] of Object.entries(kinds)) {
      const asked = performance.now();
      const response = await ask();
      const ms = performance.now() - asked;
      await response.body?.cancel();
      // The first few warm up.
      if (round >= 0) times.get(name)?.push(ms);
    }
  }
  const quartiles = [...times].map(([name, all]) => ({
    name,
    ms: all.toSorted((a, b) => a - b)[ROUNDS / 4] ?? 0,
  })).toSorted((a, b) => a.ms - b.ms);
  const [fastest, slowest] = [quartiles[0], quartiles.at(-1)];
  assert(fastest !== undefined && slowest !== undefined);
  assert(
    slowest.ms <= fastest.ms * RATIO ||
      slowest.ms - fastest.ms < BELOW_NOTICE_MS,
    quartiles.map(({ name, ms }) => `${name} ${ms.toFixed(2)} ms`).join(", "),
  );
}
