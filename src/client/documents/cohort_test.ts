import assert from "node:assert/strict";
import { cohortHash } from "./cohort.ts";

const USER = "018f2f4e-7c1a-4b6e-9a53-0c9d5e1f2a3b";

// The SHA-256 of the bytes 84 78 18, the label, 78 24, the user's id, 65
// "linux", 6e "kitchen tablet", as another program's hash of them.
Deno.test("a device's cohort is the hash of label, account, platform and id", () => {
  assert.equal(
    cohortHash(USER, "linux", "kitchen tablet"),
    "6be5d5cb8dd2da5e1157c242c8515a233e4d650f52e690ece43e733fdb923609",
  );
});

Deno.test("a device under two accounts has two cohorts", () => {
  const other = USER.replace("018f", "028f");
  assert.notEqual(cohortHash(other, "web", "1"), cohortHash(USER, "web", "1"));
});

for (const id of ["", "x".repeat(129), "Küche", "a\nb"]) {
  Deno.test(`a device's id may not be ${JSON.stringify(id.slice(0, 9))}`, () => {
    assert.throws(() => cohortHash(USER, "web", id), RangeError);
  });
}
