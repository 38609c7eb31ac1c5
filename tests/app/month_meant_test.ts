import assert from "node:assert/strict";
import { monthMeant } from "../../src/web/app/grid/month_meant.ts";

Deno.test("a typed year means its first month from above, also with the oldest photos first", () => {
  const newest = [2020 * 12 + 5, 2019 * 12 + 10, 2019 * 12 + 2, 2018 * 12];
  const months = (month: readonly number[]) => ({
    count: month.length,
    month,
    top: month.map((_, at) => at * 100),
  });
  assert.equal(monthMeant(months(newest), "2019", []), 1);
  assert.equal(monthMeant(months(newest.toReversed()), "2019", []), 1);
  assert.equal(monthMeant(months([2019 * 12 + 4]), "2019", []), 0);
});
