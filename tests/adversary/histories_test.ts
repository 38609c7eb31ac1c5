/**
 * A household whose server lies: whatever it answers, it learns nothing, forges
 * nothing and hides nothing without being told of, and once it is honest
 * everything is there (threat-model.md#a-server-that-lies).
 *
 * @module
 */
import fc from "fast-check";
import { modelRuns } from "../support/models.ts";
import { history, playHistory } from "./history.ts";

const SEED = 20_261_123;
const RUNS = modelRuns(16, 3);

Deno.test("a household whose server lies gives nothing away, loses nothing without a word, and is whole once it is honest", async () => {
  await fc.assert(fc.asyncProperty(history, playHistory), {
    numRuns: RUNS,
    seed: SEED,
  });
});
