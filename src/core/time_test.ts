import assert from "node:assert/strict";
import {
  isCalendarDate,
  parseHttpDate,
  parseRfc3339,
  toHttpDate,
  toRfc3339,
} from "./time.ts";

const INSTANTS: readonly [string, string | undefined][] = [
  ["2026-11-21T12:00:00Z", "2026-11-21T12:00:00.000Z"],
  ["2026-11-21t12:00:00z", "2026-11-21T12:00:00.000Z"],
  ["2026-11-21T12:00:00.1239Z", "2026-11-21T12:00:00.123Z"],
  ["2026-11-21T12:00:00+05:30", "2026-11-21T06:30:00.000Z"],
  ["2026-11-21T12:00:00-00:00", "2026-11-21T12:00:00.000Z"],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
  ["2026-02-29T00:00:00Z", undefined],
  ["2026-13-01T00:00:00Z", undefined],
  ["2026-11-21T24:00:00Z", undefined],
  ["2026-11-21T12:60:00Z", undefined],
  ["2026-11-21T12:00:00+24:00", undefined],
  ["2026-11-21T12:00:00", undefined],
  ["2026-11-21 12:00:00Z", undefined],
  ["2026-11-21", undefined],
  ["", undefined],
];

for (const [text, instant] of INSTANTS) {
  Deno.test(`RFC 3339: "${text}" is ${instant ?? "refused"}`, () => {
    const parsed = parseRfc3339(text);
    assert.equal(parsed === undefined ? undefined : toRfc3339(parsed), instant);
  });
}

Deno.test("an instant is rendered as the platform does it, whichever it is", () => {
  const edges = [0, -1, 1.5, -1.5, 8.64e15, -8.64e15, 253_402_300_800_000];
  // Steps through days, hours and years on both sides of the epoch.
  const steps = Array.from({ length: 2_000 }, (_, n) => (n - 1_000) * 7.9e12);
  for (const instant of [...edges, ...steps]) {
    assert.equal(toRfc3339(instant), new Date(instant).toISOString());
  }
  assert.throws(() => toRfc3339(NaN), RangeError);
  assert.throws(() => toRfc3339(8.7e15), RangeError);
});

Deno.test("an HTTP-date is read in each of its three forms", () => {
  const instant = Date.UTC(1994, 10, 6, 8, 49, 37);
  assert.equal(parseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT"), instant);
  assert.equal(parseHttpDate("Sunday, 06-Nov-94 08:49:37 GMT"), instant);
  assert.equal(parseHttpDate("Sun Nov  6 08:49:37 1994"), instant);
  assert.equal(toHttpDate(instant), "Sun, 06 Nov 1994 08:49:37 GMT");
  for (
    const text of [
      "",
      "1994-11-06",
      "06 Nov 1994",
      "Sun, 06 Nov 1994",
      "Sun, 06 Foo 1994 08:49:37 GMT",
      "Sun, 30 Feb 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sunday, 31-Nov-94 08:49:37 GMT",
      "Sun Feb 29 08:49:37 1994",
    ]
  ) {
    assert.equal(parseHttpDate(text), undefined);
  }
});

Deno.test("a date that no month has is no calendar date", () => {
  assert.ok(isCalendarDate("2026-11-30"));
  assert.ok(isCalendarDate("2000-02-29"));
  for (const text of ["2026-11-31", "1900-02-29", "2026-00-01", "2026-1-1"]) {
    assert.ok(!isCalendarDate(text));
  }
});
