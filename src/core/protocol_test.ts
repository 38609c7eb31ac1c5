import assert from "node:assert/strict";
import {
  type Deprecation,
  inWindow,
  parseProtocolDate,
  pendingDeprecation,
  PROTOCOL_MAX,
  PROTOCOL_MIN,
  windowAt,
} from "./protocol.ts";

const CUTOFF = Date.UTC(2027, 0, 1);

const ANNOUNCED: readonly Deprecation[] = [{
  minProtocolVersion: parseProtocolDate("2026-09-01") ?? PROTOCOL_MIN,
  announcedAt: Date.UTC(2026, 10, 1),
  cutoff: CUTOFF,
  detailUrl: null,
}];

Deno.test("both ends of the protocol window are inclusive", () => {
  const window = windowAt([], 0);
  assert.ok(inWindow(PROTOCOL_MIN, window));
  assert.ok(inWindow(PROTOCOL_MAX, window));
  const before = parseProtocolDate("2026-05-31");
  const after = parseProtocolDate("2026-11-02");
  assert.ok(before !== undefined && !inWindow(before, window));
  assert.ok(after !== undefined && !inWindow(after, window));
});

Deno.test("a deprecation raises the window once its cutoff has come", () => {
  assert.equal(windowAt(ANNOUNCED, CUTOFF - 1).min, PROTOCOL_MIN);
  assert.equal(windowAt(ANNOUNCED, CUTOFF).min, "2026-09-01");
});

Deno.test("until the cutoff, and only below it, a date is warned of", () => {
  const below = parseProtocolDate("2026-08-31") ?? PROTOCOL_MAX;
  assert.ok(pendingDeprecation(ANNOUNCED, CUTOFF - 1, below));
  assert.equal(pendingDeprecation(ANNOUNCED, CUTOFF, below), undefined);
  const at = ANNOUNCED[0]?.minProtocolVersion ?? PROTOCOL_MIN;
  assert.equal(pendingDeprecation(ANNOUNCED, CUTOFF - 1, at), undefined);
});
