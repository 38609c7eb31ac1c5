import assert from "node:assert/strict";
import {
  emptyState,
  type LibraryState,
  mergeStates,
} from "../../client/documents/state.ts";
import { isInArchive, isInTimeline, openFlags } from "./flags.ts";
import type { Row } from "../rows/rows.ts";
import type { SharedState } from "../vault/shared_state.ts";

/** A state of one device, in memory. */
function stateInMemory(before: LibraryState = emptyState()) {
  let held = before;
  const state: SharedState = {
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
  return state;
}

const row = (id: string, metadata = {}) => ({ id, metadata }) as unknown as Row;

Deno.test("the timeline has neither hidden nor archived photos, and the archive no hidden ones", () => {
  const cases = [
    [{}, true, false],
    [{ favourite: true }, true, false],
    [{ archived: true }, false, true],
    [{ hidden: true }, false, false],
    [{ hidden: true, archived: true }, false, false],
  ] as const;
  for (const [marks, timeline, archive] of cases) {
    assert.equal(isInTimeline(marks), timeline, JSON.stringify(marks));
    assert.equal(isInArchive(marks), archive, JSON.stringify(marks));
  }
});

Deno.test("a photo that is archived keeps its other marks, and another device learns of it", async () => {
  const state = stateInMemory();
  const flags = openFlags(state, () => 1_000);
  await flags.change(["a"], { favourite: true });
  const before = state.held;
  await flags.change(["a", "b"], { archived: true });
  assert.deepEqual(flags.of(row("a")), {
    favourite: true,
    hidden: false,
    archived: true,
  });
  const other = openFlags(
    stateInMemory(mergeStates(before, state.held)),
    () => 2_000,
  );
  assert(other.of(row("b")).archived);
  // What was imported as archived stays so until someone says otherwise.
  assert(other.of(row("c", { archived: true })).archived);
  await other.change(["c"], { archived: false });
  assert(!other.of(row("c", { archived: true })).archived);
});
