/**
 * State slots (protocol/state.md): how many there are, the room that they
 * take, and how long they last.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import { check, namesOf } from "../support/check.ts";
import { removePerson } from "../support/departure.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  type Person,
  registerWriter,
} from "../support/people.ts";
import { deleteState, getState, putState } from "../support/state.ts";
import { withFaultlessApp } from "../support/api.ts";
import { expectHeld, expectPut } from "../support/state_slots.ts";

const EMPTY = new Uint8Array(0);

async function used(app: TestApp, person: Person): Promise<number> {
  const usage = await expectJson(
    await app.send("GET", "/v1/storage/usage", { token: person.token }),
    200,
  );
  return usage.used_bytes;
}

Deno.test("an account fills 16 slots, and another's are its own", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const bytes = ciphertext("held", 10);
    for (let n = 1; n <= 16; n++) {
      await expectPut(await putState(app, ada, `slot-${n}`, bytes), bytes);
    }
    const problem = await expectProblem(
      await putState(app, ada, "slot-17", bytes),
      "error.account.limit_reached",
    );
    assert.equal(problem.limit, 16);
    assert.equal(await used(app, ada), 160);
    // What is there may change, and what is not bob's is not there for bob.
    const other = ciphertext("other", 10);
    await expectPut(
      await putState(app, ada, "slot-16", other, { "If-Match": "*" }),
      other,
    );
    await expectProblem(
      await getState(app, bob, "slot-1"),
      "error.state.not_found",
    );
    await expectPut(await putState(app, bob, "slot-1", other), other);
    await expectEmpty(await deleteState(app, bob, "slot-1"), 204);
    await expectHeld(app, ada, "slot-1", bytes);
    await expectEmpty(await deleteState(app, ada, "slot-1"), 204);
    await expectPut(await putState(app, ada, "slot-17", bytes), bytes);
  });
});

Deno.test("bytes in slots are used bytes: the quota refuses what passes it and nothing that shrinks", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const small = ciphertext("small", 400);
    await expectPut(await putState(app, ada, "index", small), small);
    assert.equal(await used(app, ada), 400);
    const before = await used(app, ada);
    await createAsset(app, ada, "a photo", { length: 300 });
    const grown = await used(app, ada) - before;
    await app.app.db.updateTable("usage").set({ quota_bytes: 400 + grown })
      .where("user_id", "=", ada.userId as Json).execute();
    const over = ciphertext("over", 401);
    for (
      const [slot, condition] of [
        ["index", { "If-Match": "*" }],
        ["other", { "If-None-Match": "*" }],
      ] as const
    ) {
      await expectProblem(
        await putState(app, ada, slot, over, condition as Json),
        "error.storage.quota_exceeded",
      );
    }
    await expectHeld(app, ada, "index", small);
    assert.equal(await used(app, ada), 400 + grown);
    // Nothing takes no room.
    await expectPut(await putState(app, ada, "other", EMPTY), EMPTY);
    await app.app.db.updateTable("usage").set({ quota_bytes: 10 })
      .where("user_id", "=", ada.userId as Json).execute();
    const less = ciphertext("less", 399);
    await expectPut(
      await putState(app, ada, "index", less, { "If-Match": "*" }),
      less,
    );
    assert.equal(await used(app, ada), 399 + grown);
    await expectEmpty(await deleteState(app, ada, "index"), 204);
    assert.equal(await used(app, ada), grown);
    assert.deepEqual((await check(app)).findings, []);
  });
});

Deno.test("a disk below its reserve takes nothing more, and still empties slots", async () => {
  await withTestApp(async (roomy) => {
    const ada = await registerWriter(roomy, "ada");
    const bytes = ciphertext("held", 10);
    await expectPut(await putState(roomy, ada, "index", bytes), bytes);
    const app = await roomy.reopen({
      STRONGROOM_RESERVED_DISK_BYTES: String(2 ** 50),
    });
    const other = ciphertext("other", 10);
    await expectProblem(
      await putState(app, ada, "index", other, { "If-Match": "*" }),
      "error.storage.full",
    );
    await expectHeld(app, ada, "index", bytes);
    await expectEmpty(await deleteState(app, ada, "index"), 204);
  });
});

Deno.test("a check names the account of a slot whose bytes are not those that were put", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const slot of ["a", "b", "c", "d", "e", "f"]) {
      const bytes = ciphertext(slot, 10);
      await expectPut(await putState(app, ada, slot, bytes), bytes);
    }
    const sound = await check(app);
    assert.deepEqual(sound.findings, []);
    assert.equal(sound.summary.checked.state, 6);
    await app.app.db.updateTable("state_slot")
      .set({ body: ciphertext("flipped", 10) })
      .where("slot", "=", "f" as Json).execute();
    assert.deepEqual(namesOf(await check(app)), [
      `state_damaged ${ada.userId}`,
    ]);
    await app.app.db.updateTable("usage").set({ used_bytes: 0 }).execute();
    assert.deepEqual(namesOf(await check(app)), [
      `state_damaged ${ada.userId}`,
      `usage_miscounted ${ada.userId}`,
    ]);
  });
});

Deno.test("slots go with their account, and no other account's do", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const bytes = ciphertext("held", 10);
    for (const slot of ["a", "b", "c"]) {
      await expectPut(await putState(app, ada, slot, bytes), bytes);
    }
    await expectPut(await putState(app, bob, "a", bytes), bytes);
    const { belongings } = await removePerson(app, ada);
    assert.equal(belongings.state_slots, 3);
    const rows = await app.app.db.selectFrom("state_slot").select("user_id")
      .execute();
    assert.deepEqual(rows.map(({ user_id }) => user_id), [bob.userId]);
    await expectHeld(app, bob, "a", bytes);
    assert.deepEqual((await check(app)).findings, []);
  });
});

Deno.test("a slot outlives a restart and the purge", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("durable", 100_000);
    await expectPut(await putState(app, ada, "index", bytes), bytes);
    const again = await app.reopen();
    await again.purge();
    await expectHeld(again, ada, "index", bytes);
  });
});
