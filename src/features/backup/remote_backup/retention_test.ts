import assert from "node:assert/strict";
import { judge, type Policy } from "./retention.ts";

const NONE: Policy = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 };

/** Which of some dates a policy keeps, newest first, each with its rules. */
function kept(dates: readonly string[], policy: Partial<Policy>) {
  const generations = dates.map((date, at) => ({
    number: at + 1,
    madeAt: Date.parse(date),
  }));
  return judge(generations, { ...NONE, ...policy })
    .filter(({ rules }) => rules.length > 0)
    .map(({ generation, rules }) => [
      dates[generation.number - 1],
      rules.join(" "),
    ]);
}

/** Oldest first, as they are made. */
const TWICE_A_DAY = [
  "2026-02-26T03:30:00Z",
  "2026-02-26T15:30:00Z",
  "2026-02-27T03:30:00Z",
  "2026-02-27T15:30:00Z",
  "2026-02-28T03:30:00Z",
  "2026-02-28T15:30:00Z",
  "2026-03-01T03:30:00Z",
];

Deno.test("the newest of each day, week, month and year is kept, of so many of them as there are generations", () => {
  assert.deepEqual(kept(TWICE_A_DAY, { last: 2 }), [
    ["2026-03-01T03:30:00Z", "last"],
    ["2026-02-28T15:30:00Z", "last"],
  ]);
  assert.deepEqual(kept(TWICE_A_DAY, { daily: 3 }), [
    ["2026-03-01T03:30:00Z", "daily"],
    ["2026-02-28T15:30:00Z", "daily"],
    ["2026-02-27T15:30:00Z", "daily"],
  ]);
  // A day without one does not count.
  assert.deepEqual(
    kept(["2026-01-01T00:00:00Z", "2026-01-05T00:00:00Z"], { daily: 2 }),
    [["2026-01-05T00:00:00Z", "daily"], ["2026-01-01T00:00:00Z", "daily"]],
  );
  assert.deepEqual(kept(TWICE_A_DAY, { monthly: 1 }), [
    ["2026-03-01T03:30:00Z", "monthly"],
  ]);
});

Deno.test("a rule that has some left keeps the oldest one as well", () => {
  assert.deepEqual(kept(TWICE_A_DAY, { monthly: 12 }), [
    ["2026-03-01T03:30:00Z", "monthly"],
    ["2026-02-28T15:30:00Z", "monthly"],
    ["2026-02-26T03:30:00Z", "monthly"],
  ]);
  assert.deepEqual(kept(TWICE_A_DAY, { yearly: 1 }), [
    ["2026-03-01T03:30:00Z", "yearly"],
  ]);
});

Deno.test("what any rule keeps stays, and each rule counts for itself", () => {
  assert.deepEqual(kept(TWICE_A_DAY, { last: 1, daily: 2, monthly: 2 }), [
    ["2026-03-01T03:30:00Z", "last daily monthly"],
    ["2026-02-28T15:30:00Z", "daily monthly"],
  ]);
});

Deno.test("a week begins on Monday, and is of the year of its Thursday (ISO 8601)", () => {
  const dates = [
    "2024-12-29T12:00:00Z",
    "2024-12-30T12:00:00Z",
    "2025-01-05T12:00:00Z",
    "2025-01-06T12:00:00Z",
    "2027-01-01T12:00:00Z",
    "2027-01-03T12:00:00Z",
    "2027-01-04T12:00:00Z",
  ];
  assert.deepEqual(kept(dates, { weekly: 5 }).map(([date]) => date), [
    "2027-01-04T12:00:00Z",
    "2027-01-03T12:00:00Z",
    "2025-01-06T12:00:00Z",
    "2025-01-05T12:00:00Z",
    "2024-12-29T12:00:00Z",
  ]);
});

Deno.test("the one that was made last is kept, whatever the clock said then", () => {
  const behind = ["2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z"];
  assert.deepEqual(kept([...behind, "2026-03-01T23:00:00Z"], { last: 1 }), [
    ["2026-03-03T00:00:00Z", "last"],
    ["2026-03-01T23:00:00Z", "last"],
  ]);
});

Deno.test("seven days, five weeks and twelve months of three years of nights are 22 generations", () => {
  const nights = Array.from(
    { length: 3 * 365 },
    (_, at) =>
      new Date(Date.UTC(2024, 0, 1, 3, 30) + at * 86_400_000)
        .toISOString(),
  );
  const all = kept(nights, { daily: 7, weekly: 5, monthly: 12 });
  const by = (rule: string) =>
    all.filter(([, rules]) => rules?.split(" ").includes(rule)).length;
  assert.deepEqual([by("daily"), by("weekly"), by("monthly")], [7, 5, 12]);
  assert(all.length < 24 && all.length >= 20, String(all.length));
});
