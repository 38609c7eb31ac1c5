import assert from "node:assert/strict";
import {
  emptyState,
  type LibraryState,
  mergeStates,
} from "../../client/documents/state.ts";
import { openDifferent } from "./dismissed_similar.ts";
import type { SharedState } from "../vault/shared_state.ts";

const A = "2f0a3c8e-5d0a-4f57-9a51-0b8f3f0c1a2b";
const B = "7a1be0b6-0c39-4a42-8d61-9e4c7d21ff03";
const C = "c4d95b12-7ef1-4a86-b8a0-5566778899aa";

/** A state of one device, in memory. */
function stateInMemory(before: LibraryState = emptyState()): SharedState {
  let held = before;
  return {
    get held() {
      return held;
    },
    get shown() {
      return held;
    },
    fresh: true,
    known: true,
    read: () => Promise.resolve(held),
    change: (change) => Promise.resolve(held = change(held)),
    note: (change) => Promise.resolve(held = change(held)),
  };
}

Deno.test("each of some different photos differs from all others, until that is taken back", async () => {
  const different = openDifferent(stateInMemory(), () => 1_000);
  assert(!different.has(A, B));
  await different.change([A, B], true);
  assert(different.has(A, B) && different.has(B, A));
  assert(!different.has(A, C));
  await different.change([C, A, B], true);
  assert(different.has(A, C) && different.has(B, C));
  // The same photos in another order are the same group.
  await different.change([B, C, A], false);
  assert(!different.has(A, C) && different.has(A, B));
});

Deno.test("what two devices called different is known to both", async () => {
  const [phone, desktop] = [stateInMemory(), stateInMemory()];
  await openDifferent(phone, () => 1_000).change([A, B], true);
  await openDifferent(desktop, () => 2_000).change([B, C], true);
  const merged = stateInMemory(mergeStates(phone.held, desktop.held));
  const different = openDifferent(merged, () => 3_000);
  assert(different.has(A, B) && different.has(B, C) && !different.has(A, C));
  // A short name: a state of thousands stays small.
  const [name = ""] = Object.keys(phone.held.settings);
  assert.equal(name.length, "different/".length + 12 + 1 + 12);
});
