import assert from "node:assert/strict";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { terminalProgress } from "./progress.ts";

Deno.test("progress says how far it is, and how long it will take once the pace says anything", () => {
  let now = 0;
  const drawn: string[] = [];
  const { show } = terminalProgress(() => now, Deno.stderr, {
    isSeen: true,
    draw: (text) => drawn.push(text),
    clear: () => {},
  });
  show("restoring", 0, 1_000);
  now = 2 * SECOND_MS;
  show("restoring", 10, 1_000);
  now = MINUTE_MS;
  show("restoring", 250, 1_000);
  now = 2 * MINUTE_MS;
  show("restoring", 1_000, 1_000);
  // Another step has a pace of its own.
  now += SECOND_MS;
  show("files", 5, 1_000_000);
  now += MINUTE_MS;
  show("files", 5_000, 1_000_000);
  show("files", 9_000, 1_000_000);
  now += SECOND_MS;
  show("uncounted", 7);
  assert.deepEqual(drawn, [
    "restoring: 0 of 1,000 (0 %)",
    "restoring: 10 of 1,000 (1 %)",
    "restoring: 250 of 1,000 (25 %), about 3 min left",
    "restoring: 1,000 of 1,000 (100 %)",
    "files: 5 of 1,000,000 (0 %)",
    "files: 5,000 of 1,000,000 (0 %), about 3 h left",
    "uncounted: 7",
  ]);
});
