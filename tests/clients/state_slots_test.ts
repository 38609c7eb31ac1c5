/**
 * Programs of one person that share a state over a real server
 * (protocol/client-cryptography.md#state-slots).
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { deriveStateKey } from "../../src/client/documents/identity.ts";
import {
  changedAt,
  emptyState,
  LIBRARY_SLOT,
  type LibraryState,
  mergeStates,
  openState,
  present,
  sealState,
} from "../../src/client/documents/state.ts";
import { toRfc3339 } from "../../src/core/time.ts";
import { seededRandom, START_MS, withTestApp } from "../support/app.ts";
import { expectEmpty, expectProblem } from "../support/expect.ts";
import { registerWriter, uuidOf } from "../support/people.ts";
import { getState, putState } from "../support/state.ts";

Deno.test("two devices that write at once lose nothing of each other", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const random = seededRandom("state of ada");
    const key = deriveStateKey(random(32), LIBRARY_SLOT);
    const read = async () => {
      const response = await getState(app, ada, LIBRARY_SLOT);
      const blob = new Uint8Array(await response.arrayBuffer());
      const tag = response.headers.get("ETag") ?? "";
      return { state: await openState(blob, key), tag };
    };
    const put = async (
      state: LibraryState,
      condition?: Record<string, string>,
    ) =>
      await putState(
        app,
        ada,
        LIBRARY_SLOT,
        await sealState(state, key, random),
        condition,
      );

    const [photo, other] = [uuidOf("a photo"), uuidOf("another photo")];
    const at = changedAt(undefined, START_MS);
    const laptop: LibraryState = {
      ...emptyState(),
      flags: { [photo]: { favourite: true, at } },
    };
    const phone: LibraryState = {
      ...emptyState(),
      flags: { [other]: { hidden: true, at } },
    };
    await expectEmpty(await put(laptop), 204);
    await expectProblem(await put(phone), "error.state.version_conflict");
    const held = await read();
    const merged = mergeStates(phone, held.state);
    await expectEmpty(await put(merged, { "If-Match": held.tag }), 204);

    const { state } = await read();
    assert.deepEqual(state, mergeStates(laptop, phone));
    assert.deepEqual(
      present(state.flags).map(([id]) => id).toSorted(),
      [photo, other].toSorted(),
    );
  });
});

const entry = fc.record({
  at: fc.integer({ min: 0, max: 5 }).map((n) => toRfc3339(START_MS + n)),
  favourite: fc.boolean(),
  removed: fc.constantFrom<true | undefined>(true, undefined),
  newer: fc.integer({ min: 0, max: 2 }),
}, { requiredKeys: ["at"] });
const state: fc.Arbitrary<LibraryState> = fc.record({
  flags: fc.dictionary(fc.constantFrom("a", "b", "c"), entry),
}).map(({ flags }) => ({ ...emptyState(), flags: { ...flags } }));

Deno.test("states come to the same in whatever order and however often devices merge", () => {
  const same = (a: LibraryState, b: LibraryState) =>
    assert.deepEqual(
      JSON.parse(JSON.stringify(a)),
      JSON.parse(JSON.stringify(b)),
    );
  fc.assert(fc.property(state, state, state, (a, b, c) => {
    same(mergeStates(a, b), mergeStates(b, a));
    same(
      mergeStates(mergeStates(a, b), c),
      mergeStates(a, mergeStates(c, b)),
    );
    same(mergeStates(a, mergeStates(a, b)), mergeStates(a, b));
    for (const [id, { at }] of Object.entries(mergeStates(a, b).flags)) {
      const latest = [a.flags[id]?.at ?? "", b.flags[id]?.at ?? ""].toSorted();
      assert.equal(at, latest[1]);
    }
  }));
});
