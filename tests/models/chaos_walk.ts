/**
 * Walks many histories of a household under chaos, each from a seed of its own,
 * and tells which promises broke: `deno task chaos [COUNT] [FIRST SEED]
 * [shrink]`. Of one history it tells every step and what the programs said,
 * with `shrink` of the shortest that it comes down to. No test: what fails here
 * is played again by its seed.
 *
 * @module
 */
import { walk } from "./chaos_history.ts";
import { Household } from "./chaos_household.ts";

const [count = 100, first = 1] = Deno.args.slice(0, 2).map(Number);
const shrinks = Deno.args[2] === "shrink";
// deno-lint-ignore no-console -- this is what a person started
const say = console.log;

let broken = 0;
await Household.withHousehold(async (begin) => {
  for (let seed = first; seed < first + count; seed++) {
    const { error, steps, diary } = await walk(begin, seed, { shrinks });
    if (count === 1) say(diary.join("\n"));
    if (error === undefined) continue;
    broken += 1;
    say(`seed ${seed}: ${error}`);
    if (shrinks) { for (const step of steps) say(JSON.stringify(step)); }
  }
});
say(`${count} histories walked from seed ${first}, ${broken} broke a promise`);
// The program that bundled the app may still run; nothing waits for it.
Deno.exit(broken > 0 ? 1 : 0);
