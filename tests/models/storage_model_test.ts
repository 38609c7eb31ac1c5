/**
 * Random sequences of uploads, manifests, deletes and collections against a
 * model of a few lines: who reads which bytes, what each account's counters
 * say, and which files lie on the disk.
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type TestApp, withTestApp } from "../support/app.ts";
import { registerWriter } from "../support/people.ts";
import { expectNoErrors } from "../support/api.ts";
import { filesIn } from "../support/trash.ts";
import { modelRuns } from "../support/models.ts";
import { type Operation, operation, TRASH } from "./storage_model.ts";
import { Run } from "./storage_run.ts";

const SEED = 20_261_126;
/** Fewer would not meet each outcome, which the test demands. */
const RUNS = modelRuns(168);

Deno.test("whatever two owners store, delete and restore in whatever order, and whenever it is collected, each reads and is charged what the model says", async () => {
  const seen = new Set<string>();
  const settings = { STRONGROOM_TRASH_DAYS: "3" };
  const play = async (app: TestApp, operations: readonly Operation[]) => {
    const people = [
      await registerWriter(app, "ada"),
      await registerWriter(app, "bob"),
    ];
    const run = new Run(app, people, seen);
    for (const one of operations) await run.play(one);
    await run.compareReads();
    await run.collect();
    await run.compareReads();
    // In the end everything is deleted and nothing is left.
    for (const who of [0, 1]) {
      for (const asset of [0, 1]) {
        const shelf = run.model.shelf(who, asset);
        const at = { who, asset };
        if (shelf.held) await run.play({ kind: "release", ...at });
        if (shelf.withheld) await run.play({ kind: "reinstate", ...at });
        await run.play({ kind: "delete", ...at });
      }
    }
    await run.play({ kind: "purge", who: 1, asset: 0 });
    await run.play({ kind: "empty", who: 0 });
    await run.advance(TRASH);
    await run.collect();
    assert.equal((await filesIn(app, "blobs")).size, 0);
    expectNoErrors(app);
  };
  const sequence = fc.array(operation, {
    minLength: 45,
    maxLength: 55,
  });
  await fc.assert(
    fc.asyncProperty(
      sequence,
      (operations) => withTestApp((app) => play(app, operations), { settings }),
    ),
    { seed: SEED, numRuns: RUNS },
  );
  // The sequences have been everywhere.
  assert.deepEqual([...seen].toSorted(), [
    "collect",
    "copy 200",
    "copy 201",
    "copy 404",
    "copy 422",
    "create 200",
    "create 409",
    "create 422",
    "delete 200",
    "delete 404",
    "delete 409",
    "empty none",
    "empty some",
    "hold false",
    "hold true",
    "open",
    "purge 204",
    "purge 404",
    "purge 409",
    "put 200",
    "read 200",
    "read 404",
    "reinstate false",
    "reinstate true",
    "release false",
    "release true",
    "replace 200",
    "replace 409",
    "replace 422",
    "restore 200",
    "restore 404",
    "take down false",
    "take down true",
    "upload 200",
    "upload 201",
    "upload 422",
  ]);
});
