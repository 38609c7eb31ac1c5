/**
 * Prints what the gate tests in addition to everyone's tier, for `deno task
 * test:gate` to hand to `run.ts`: its entries, and the files with isolates of
 * their own.
 *
 * Stories keep the processor busy, and the other tests wait for processes and
 * disks. So they alternate, and short files come last: no core is idle while
 * the last long one runs.
 *
 * @module
 */
import { aloneInGate, testsUnder } from "./parts.ts";

const entries = await testsUnder("tests/suite/gate");
const areStories = (path: string) => path.includes("/stories_");
const stories = entries.filter(areStories);
const others = [
  ...entries.filter((path) => !areStories(path)),
  ...await aloneInGate(),
];
const files: string[] = [];
while (stories.length + others.length > 0) {
  files.push(...others.splice(0, 1), ...stories.splice(0, 1));
}
Deno.stdout.writeSync(new TextEncoder().encode(files.join(" ")));
