/**
 * A process that attacks: its arguments are names of attacks, its standard
 * input tells on whom. It stops when its input ends, and says what it met.
 *
 * @module
 */
import { type Assault, pause } from "./attacking.ts";
import { ATTACKS } from "./attacks.ts";
import { victim } from "./people.ts";

const ENDS_WITHIN_MS = 2_000;

const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  .getReader();
let told = "";
while (!told.includes("\n")) told += (await lines.read()).value ?? "\n";
const over = new AbortController();
const met = new Map<string, number>();

function assaultOf(name: string): Assault {
  return {
    victim: victim.parse(JSON.parse(told)),
    over: over.signal,
    note: (what) => {
      const key = `${name} ${what}`;
      met.set(key, (met.get(key) ?? 0) + 1);
    },
  };
}

const attacks = Deno.args.map((name) => ATTACKS[name]?.(assaultOf(name)));
// Says that it has begun.
Deno.stdout.writeSync(new TextEncoder().encode("\n"));
while (!(await lines.read()).done);
over.abort();
// An answer that does not come is not waited for.
await Promise.race([Promise.all(attacks), pause(ENDS_WITHIN_MS)]);
Deno.stdout.writeSync(
  new TextEncoder().encode(JSON.stringify(Object.fromEntries(met))),
);
Deno.exit();
