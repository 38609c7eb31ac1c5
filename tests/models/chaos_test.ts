/**
 * Whatever happens to the devices, the network, the clocks and the server of a
 * household, no one loses a photo and no one is locked out. Repeat a failure by
 * its seed: `deno task chaos 1 SEED shrink`.
 *
 * @module
 */
import { modelRuns } from "../support/models.ts";
import { walk } from "./chaos_history.ts";
import { Household } from "./chaos_household.ts";

const FIRST_SEED = 1;
const RUNS = modelRuns(16, 3);

Deno.test("a household that is killed, cut off, restarted and restored keeps every photo that it was told is kept", async () => {
  await Household.withHousehold(async (begin) => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
      const { error } = await walk(begin, seed);
      if (error === undefined) continue;
      throw new Error(
        `the history of seed ${seed} breaks: deno task chaos 1 ${seed} shrink`,
        { cause: error },
      );
    }
  });
});
