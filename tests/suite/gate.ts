/**
 * Prints what the gate tests beside everyone's tier, for `deno task test:gate`
 * to hand to `run.ts`: its entries, and the files with isolates of their
 * own, those first that take longest.
 *
 * @module
 */
import { aloneInGate, testsUnder } from "./parts.ts";

const entries = await testsUnder("tests/suite/gate");
const areStories = (path: string) => path.includes("/stories_");
const files = [
  ...entries.filter(areStories),
  ...await aloneInGate(),
  ...entries.filter((path) => !areStories(path)),
];
Deno.stdout.writeSync(new TextEncoder().encode(files.join(" ")));
