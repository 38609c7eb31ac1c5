import assert from "node:assert/strict";
import { emptyState, mergeStates } from "../../client/documents/state.ts";
import type { LibraryPlatform } from "../base/platform.ts";
import {
  hasHiddenPin,
  isHiddenPin,
  sealHiddenPin,
  withHiddenPin,
} from "./hidden_pin.ts";

const PLATFORM: LibraryPlatform = {
  fetch: () => Promise.reject(new Error("nothing is asked for")),
  now: () => 0,
  wait: () => Promise.resolve(),
  clientVersion: "test/1",
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  passphraseCost: { memoryKib: 8, passes: 1, lanes: 1 },
};

const settingsWith = async (pin: string, at = 0) =>
  withHiddenPin({}, await sealHiddenPin(PLATFORM, pin), at);

Deno.test("only the PIN opens hidden photos, and without one they are not locked", async () => {
  assert(!hasHiddenPin({}));
  assert(!await isHiddenPin(PLATFORM, {}, "2580"));
  const settings = await settingsWith("2580");
  assert(hasHiddenPin(settings));
  assert(await isHiddenPin(PLATFORM, settings, "2580"));
  for (const wrong of ["2581", "02580", "258", ""]) {
    assert(!await isHiddenPin(PLATFORM, settings, wrong), wrong);
  }
  const removed = withHiddenPin(settings, undefined, 1);
  assert(!hasHiddenPin(removed));
  assert(!await isHiddenPin(PLATFORM, removed, "2580"));
});

Deno.test("a PIN has 4 to 12 digits", async () => {
  for (const none of ["123", "1234567890123", "12a4", "", " 1234", "१२३४"]) {
    await assert.rejects(async () => await sealHiddenPin(PLATFORM, none));
  }
  await sealHiddenPin(PLATFORM, "1234");
  await sealHiddenPin(PLATFORM, "123456789012");
});

Deno.test("what is not understood locks, and no PIN opens it", async () => {
  for (const value of ["AAAA", "no base64!", 7, true, { v: 2 }]) {
    const settings = {
      "hidden-pin": { value, at: "2026-11-29T00:00:00.000Z" },
    };
    assert(hasHiddenPin(settings), String(value));
    assert(!await isHiddenPin(PLATFORM, settings, "2580"), String(value));
    // Removing it is later than what it was, whatever this clock says.
    assert(!hasHiddenPin(withHiddenPin(settings, undefined, 0)));
  }
});

Deno.test("of two devices the later one counts, and an earlier state takes no PIN away", async () => {
  const before = { ...emptyState(), settings: await settingsWith("1111", 1) };
  const after = { ...emptyState(), settings: await settingsWith("2222", 2) };
  for (const [a, b] of [[before, after], [after, before]] as const) {
    const { settings } = mergeStates(a, b);
    assert(await isHiddenPin(PLATFORM, settings, "2222"));
  }
  const { settings } = mergeStates(after, emptyState());
  assert(hasHiddenPin(settings));
});
