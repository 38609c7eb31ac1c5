/**
 * State slots (protocol/state.md): opaque octets that no client overwrites
 * unseen, and their entries in the feed.
 *
 * @module
 */
import assert from "node:assert/strict";
import { START_MS, type TestApp } from "../support/app.ts";
import { provisionAlbum, publishRoster, readFeed } from "../support/albums.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import { ciphertext, type Person, registerWriter } from "../support/people.ts";
import { deleteState, getState, putState } from "../support/state.ts";
import {
  expectBytes,
  pieces,
  suspend,
  withFaultlessApp,
} from "../support/api.ts";
import { expectHeld, expectPut, tagOf } from "../support/state_slots.ts";

const MIB = 1024 * 1024;

const EMPTY = new Uint8Array(0);

async function stateEntries(app: TestApp, person: Person): Promise<Json[]> {
  const { entries } = await readFeed(app, person.token);
  return entries.filter(({ action }: Json) => action === "state");
}

Deno.test("what is put into a slot comes back byte for byte under a strong tag, nothing and 4 MiB too", async () => {
  await withFaultlessApp(async (app) => {
    // No device directory is needed.
    const ada = await registerWriter(app, "ada");
    const bodies = [EMPTY, ciphertext("one", 1), ciphertext("four", 4 * MIB)];
    for (const [n, bytes] of bodies.entries()) {
      await expectPut(await putState(app, ada, `slot-${n}`, bytes), bytes);
      await expectHeld(app, ada, `slot-${n}`, bytes);
    }
    const over = ciphertext("over", 4 * MIB + 1);
    for (const body of [over, pieces(over.slice(0, MIB), over.slice(MIB))]) {
      await expectEmpty(await putState(app, ada, "over", body), 413);
    }
    await expectProblem(
      await getState(app, ada, "over"),
      "error.state.not_found",
    );
  });
});

Deno.test("a right If-None-Match is 304 with the tag, and HEAD tells tag and length", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("held", 300);
    await expectPut(await putState(app, ada, "index", bytes), bytes);
    const same = await getState(app, ada, "index", {
      "If-None-Match": `"x", W/${tagOf(bytes)}`,
    });
    assert.equal(same.headers.get("etag"), tagOf(bytes));
    await expectEmpty(same, 304);
    const head = await getState(app, ada, "index", {}, "HEAD");
    assert.equal(head.headers.get("etag"), tagOf(bytes));
    assert.equal(head.headers.get("content-length"), "300");
    await expectEmpty(head, 200);
    const other = await getState(app, ada, "index", { "If-None-Match": '"x"' });
    assert.equal(other.status, 200);
    expectBytes(await other.arrayBuffer(), bytes);
  });
});

Deno.test("a name is 1 to 32 of a-z 0-9 -, anything else is 400", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("held", 10);
    for (const slot of ["a", "-", "0", "index-2", "z".repeat(32)]) {
      await expectPut(await putState(app, ada, slot, bytes), bytes);
    }
    for (
      const slot of ["A", "a_b", "a.b", "%20", "%C3%A4", "z".repeat(33), "%00"]
    ) {
      for (
        const response of [
          await putState(app, ada, slot, bytes),
          await getState(app, ada, slot),
          await deleteState(app, ada, slot),
        ]
      ) await expectProblem(response, "error.request.malformed");
    }
  });
});

Deno.test("a write without a condition is 428 and changes nothing", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const held = ciphertext("held", 10);
    await expectPut(await putState(app, ada, "index", held), held);
    const other = ciphertext("other", 10);
    for (const condition of [{}, { "If-None-Match": tagOf(held) }]) {
      for (const slot of ["index", "empty"]) {
        await expectProblem(
          await putState(app, ada, slot, other, condition as Json),
          "error.state.precondition_required",
        );
      }
    }
    await expectHeld(app, ada, "index", held);
    // What is no list of tags is no header.
    for (const given of ["held", `"held`, `"a" "b"`, `*, "a"`, ""]) {
      await expectProblem(
        await putState(app, ada, "index", other, { "If-Match": given }),
        "error.request.malformed",
      );
    }
  });
});

Deno.test("a write is done where its condition holds, and 409 everywhere else", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const first = ciphertext("first", 10);
    const second = ciphertext("second", 20);
    const refuse = async (condition: Record<string, string>) =>
      await expectProblem(
        await putState(app, ada, "index", ciphertext("no", 5), condition),
        "error.state.version_conflict",
      );
    // Of an empty slot there is no tag.
    await refuse({ "If-Match": tagOf(first) });
    await refuse({ "If-Match": "*" });
    await refuse({ "If-Match": tagOf(EMPTY) });
    await refuse({ "If-Match": "*", "If-None-Match": "*" });
    await expectPut(await putState(app, ada, "index", first), first);
    await refuse({ "If-None-Match": "*" });
    await refuse({ "If-Match": tagOf(second) });
    await refuse({ "If-Match": tagOf(first), "If-None-Match": "*" });
    await expectHeld(app, ada, "index", first);
    const either = `"older" , ${tagOf(first)}`;
    await expectPut(
      await putState(app, ada, "index", second, { "If-Match": either }),
      second,
    );
    await expectPut(
      await putState(app, ada, "index", EMPTY, { "If-Match": "*" }),
      EMPTY,
    );
    // An empty value is a value.
    await refuse({ "If-None-Match": "*" });
    await expectPut(
      await putState(app, ada, "index", first, { "If-Match": tagOf(EMPTY) }),
      first,
    );
    await expectHeld(app, ada, "index", first);
  });
});

Deno.test("a tag that a proxy weakened or gave a suffix still names its value", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    let held = ciphertext("held", 10);
    await expectPut(await putState(app, ada, "index", held), held);
    const changes = [
      (tag: string) => `W/${tag}`,
      (tag: string) => tag.replace(/"$/, '-gzip"'),
      (tag: string) => `"older", W/${tag.replace(/"$/, '-gzip"')}`,
    ];
    for (const [n, changed] of changes.entries()) {
      const next = ciphertext(`next ${n}`, 10);
      const other = changed(tagOf(next));
      await expectProblem(
        await putState(app, ada, "index", next, { "If-Match": other }),
        "error.state.version_conflict",
      );
      const condition = { "If-Match": changed(tagOf(held)) };
      await expectPut(
        await putState(app, ada, "index", next, condition),
        next,
      );
      held = next;
    }
  });
});

Deno.test("of writes at once under one tag one is done, and the others are conflicts", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const held = ciphertext("held", 10);
    for (
      const condition of [{ "If-None-Match": "*" }, { "If-Match": tagOf(held) }]
    ) {
      const bodies = Array.from(
        { length: 12 },
        (_, n) => "If-Match" in condition ? ciphertext(`${n}`, 40 + n) : held,
      );
      const answers = await Promise.all(
        bodies.map((body) =>
          putState(app, ada, "index", body, condition as Json)
        ),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [204, ...Array(11).fill(409)]);
      await Promise.all(answers.map((one) => one.body?.cancel()));
    }
    const entries = await stateEntries(app, ada);
    assert.equal(entries.length, 2);
  });
});

Deno.test("deleting is 204 with or without something there, and frees the name", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("held", 10);
    await expectEmpty(await deleteState(app, ada, "index"), 204);
    assert.deepEqual(await stateEntries(app, ada), []);
    await expectPut(await putState(app, ada, "index", bytes), bytes);
    await expectEmpty(await deleteState(app, ada, "index"), 204);
    await expectEmpty(await deleteState(app, ada, "index"), 204);
    assert.equal((await stateEntries(app, ada)).length, 2);
    await expectProblem(
      await getState(app, ada, "index"),
      "error.state.not_found",
    );
    await expectEmpty(await getState(app, ada, "index", {}, "HEAD"), 404);
    await expectPut(await putState(app, ada, "index", bytes), bytes);
  });
});

Deno.test("every change is an entry of its own account's feed alone", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const album = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, album, 1, [{ member: bob.userId }]);
    const { next_after } = await readFeed(app, ada.token);
    const waiting = app.send("GET", `/v1/sync?after=${next_after}&wait=30`, {
      token: ada.token,
    });
    const bytes = ciphertext("held", 10);
    await expectPut(await putState(app, ada, "index", bytes), bytes);
    const woken = await expectJson(await waiting, 200);
    assert.deepEqual(
      woken.entries.map(({ sync_seq: _, ...entry }: Json) => entry),
      [{
        action: "state",
        slot: "index",
        at: new Date(START_MS).toISOString(),
      }],
    );
    await expectEmpty(await deleteState(app, ada, "index"), 204);
    const slots = (await stateEntries(app, ada)).map(({ slot }) => slot);
    assert.deepEqual(slots, ["index", "index"]);
    assert.deepEqual(await stateEntries(app, bob), []);
    const ofAlbum = await readFeed(app, ada.token, `?album_id=${album}`);
    assert(ofAlbum.entries.every(({ action }: Json) => action !== "state"));
  });
});

Deno.test("a suspended account reads and empties its slots, and fills none", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("held", 10);
    await expectPut(await putState(app, ada, "index", bytes), bytes);
    await suspend(app, ada);
    await expectProblem(
      await putState(app, ada, "index", bytes, { "If-Match": "*" }),
      "error.account.suspended",
    );
    await expectHeld(app, ada, "index", bytes);
    await expectEmpty(await deleteState(app, ada, "index"), 204);
  });
});
