/**
 * Walks many histories of a household whose server lies, each from a seed of
 * its own, and tells which promises broke and how often:
 * `deno task adversary [COUNT] [FIRST SEED] [first]`, with `first` no further
 * than the first one. No test: what fails here is replayed by its seed.
 *
 * @module
 */
import fc from "fast-check";
import { history, playHistories } from "./history.ts";

const [count = 1_000, first = 1] = Deno.args.slice(0, 2).map(Number);
const isToEnd = Deno.args[2] !== "first";
// deno-lint-ignore no-console -- this is what a person started
const say = console.log;
const broken = new Map<string, { times: number; seed: number }>();

/** Histories of one household; what one leaves, the next one finds. */
const IN_A_ROW = 5;

for (let seed = first; seed < first + count; seed += IN_A_ROW) {
  const numRuns = Math.min(IN_A_ROW, first + count - seed);
  const histories = fc.sample(history, { numRuns, seed });
  try {
    await playHistories(histories);
  } catch (error) {
    const kind = kindOf(error);
    const { times = 0, seed: at = seed } = broken.get(kind) ?? {};
    broken.set(kind, { times: times + 1, seed: at });
    if (times === 0) say(`broken by seed ${seed}: ${kind}`);
    if (!isToEnd) break;
    if (count <= IN_A_ROW) say(JSON.stringify(histories, null, 1), error);
  }
  const walked = seed - first + numRuns;
  if (walked % 500 === 0) say(`${walked} walked, ${total()} broken`);
}
const kinds = [...broken].sort(([, a], [, b]) => b.times - a.times);
for (const [kind, { times, seed }] of kinds) {
  say(`${times} times, first by seed ${seed}: ${kind}`);
}
say(`${count} histories walked, ${total()} broke a promise`);
// The program that bundled the app may still run; nothing waits for it.
Deno.exit(broken.size > 0 ? 1 : 0);

function total(): number {
  return [...broken.values()].reduce((sum, { times }) => sum + times, 0);
}

/** What went wrong, without the ids in it. */
function kindOf(error: unknown): string {
  const text = error instanceof Error
    ? `${error.name}: ${error.message}`
    : String(error);
  const wrong = text.split("\n").filter((line) =>
    /^\+ {3}|^\S+Error/.test(line)
  );
  return (wrong.length > 0 ? wrong : [text]).slice(0, 3).join(" | ")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
    .replaceAll(/[0-9a-f]{8,}/g, "HASH")
    .replaceAll(/\d+/g, "N");
}
