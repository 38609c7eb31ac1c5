/**
 * The upgrade ceremony's phases: begin, read, abort and expiry
 * (protocol/albums.md#upgrade-ceremony).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  beginUpgrade,
  endUpgrade,
  intentBytes,
  provisionAlbum,
} from "../support/albums.ts";
import { PROTOCOL, type TestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { everything, expectRefused } from "../support/ops.ts";
import { type Person, uuidOf } from "../support/people.ts";
import {
  begin,
  commit,
  getPhase,
  phaseOf,
  SECOND,
  withOldAlbum,
} from "../support/upgrades.ts";

/** Begins with the intent of that name; returns the answer. */
async function send(
  app: TestApp,
  person: Person,
  albumId: string,
  name: string,
  over: Json = {},
): Promise<Response> {
  const intent = await intentBytes(person, albumId, name, over);
  return await beginUpgrade(app, person, albumId, intent);
}

Deno.test("an album is in normal operation until a ceremony begins", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const normal = { album_id: albumId, in_flight: 0 };
    assert.deepEqual(await phaseOf(world), normal);
    const phase = await expectJson(
      await send(app, ada, albumId, "one", { window_seconds: 600 }),
      200,
    );
    const { expires_at, ...rest } = phase;
    assert.deepEqual(rest, {
      ...normal,
      intent_id: uuidOf("intent one"),
      to_protocol_version: PROTOCOL,
    });
    assert.equal(Date.parse(expires_at), app.clock.now + 600 * SECOND);
    assert.deepEqual(await phaseOf(world), phase);
  });
});

Deno.test("only the owner and members read the phase", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, bob, vic, eve, albumId } = world;
    const phase = await begin(world, "one");
    for (const person of [ada, bob, vic]) {
      const read = await expectJson(await getPhase(app, person, albumId), 200);
      assert.deepEqual(read, phase);
    }
    for (const id of [albumId, uuidOf("no album")]) {
      await expectProblem(
        await getPhase(app, eve, id),
        "error.album.not_found",
      );
    }
  });
});

Deno.test("only the owner begins, aborts and commits: a member 403, a stranger 404", async () => {
  await withOldAlbum(async (world) => {
    const { app, bob, vic, eve, albumId } = world;
    const ends = (person: Person) => [
      () => endUpgrade(app, person, albumId, "abort", "one"),
      () => endUpgrade(app, person, albumId, "commit", "one"),
      () => send(app, person, albumId, "two"),
    ];
    for (const live of [false, true]) {
      if (live) await begin(world, "one");
      for (const call of [...ends(bob), ...ends(vic)]) {
        await expectRefused(app, call, "error.album.role_forbidden");
      }
      for (const call of ends(eve)) {
        await expectRefused(app, call, "error.album.not_found");
      }
    }
  });
});

Deno.test("beginning is idempotent under its own intent", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const intent = await intentBytes(ada, albumId, "one");
    const first = await expectJson(
      await beginUpgrade(app, ada, albumId, intent),
      200,
    );
    app.clock.advance(60 * SECOND);
    const before = await everything(app);
    const after = await app.reopen();
    const again = await expectJson(
      await beginUpgrade(after, ada, albumId, intent),
      200,
    );
    // The window does not move.
    assert.deepEqual(again, first);
    assert.deepEqual(await everything(after), before);
  });
});

Deno.test("another intent while a ceremony is in flight is 409 upgrade_in_flight", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const phase = await begin(world, "one");
    await expectRefused(
      app,
      () => send(app, ada, albumId, "two"),
      "error.album.upgrade_in_flight",
    );
    assert.deepEqual(await phaseOf(world), phase);
  });
});

Deno.test("of two begins at once one ceremony comes; the same intent twice is one", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const [one, two] = [
      await intentBytes(ada, albumId, "one"),
      await intentBytes(ada, albumId, "two"),
    ];
    const answers = await Promise.all(
      [one, two, one, two].map((body) => beginUpgrade(app, ada, albumId, body)),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 200, 409, 409]);
    assert.equal(statuses[0], statuses[2]);
    const bodies = await Promise.all(answers.map((one) => one.json()));
    const begun = bodies.filter((_, index) => statuses[index] === 200);
    assert.deepEqual(begun[0], begun[1]);
    assert.deepEqual(await phaseOf(world), begun[0]);
  });
});

Deno.test("an abort returns the album to normal operation, and spends the intent", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    await begin(world, "one");
    const phase = await expectJson(
      await endUpgrade(app, ada, albumId, "abort", "one"),
      200,
    );
    assert.deepEqual(phase, { album_id: albumId, in_flight: 0 });
    assert.deepEqual(await phaseOf(world), phase);
    for (
      const call of [
        () => send(app, ada, albumId, "one"),
        () => endUpgrade(app, ada, albumId, "abort", "one"),
        () => endUpgrade(app, ada, albumId, "commit", "one"),
      ]
    ) {
      await expectRefused(app, call, "error.album.upgrade_intent_spent");
    }
    const second = await begin(world, "two");
    assert.equal(second.intent_id, uuidOf("intent two"));
  });
});

Deno.test("a caller without the live intent id neither aborts nor commits: 409", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const phase = await begin(world, "one");
    for (const how of ["abort", "commit"] as const) {
      await expectRefused(
        app,
        () => endUpgrade(app, ada, albumId, how, "two"),
        "error.album.upgrade_in_flight",
      );
    }
    assert.deepEqual(await phaseOf(world), phase);
  });
});

Deno.test("with no live ceremony an unknown intent is 409 upgrade_not_in_flight", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const other = await provisionAlbum(app, ada, "other", "2026-08-01");
    await begin({ ...world, albumId: other }, "elsewhere");
    for (const how of ["abort", "commit"] as const) {
      for (const name of ["unknown", "elsewhere"]) {
        await expectRefused(
          app,
          () => endUpgrade(app, ada, albumId, how, name),
          "error.album.upgrade_not_in_flight",
        );
      }
    }
  });
});

Deno.test("past its deadline a ceremony is over, reads as absent, and its intent is spent", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const intent = await intentBytes(ada, albumId, "one", {
      window_seconds: 60,
    });
    await expectJson(await beginUpgrade(app, ada, albumId, intent), 200);
    app.clock.advance(60 * SECOND - 1);
    assert.equal((await phaseOf(world)).intent_id, uuidOf("intent one"));
    app.clock.advance(1);
    assert.deepEqual(await phaseOf(world), { album_id: albumId, in_flight: 0 });
    const after = await app.reopen();
    for (
      const call of [
        () => beginUpgrade(after, ada, albumId, intent),
        () => endUpgrade(after, ada, albumId, "abort", "one"),
        () => endUpgrade(after, ada, albumId, "commit", "one"),
      ]
    ) {
      await expectProblem(await call(), "error.album.upgrade_intent_spent");
    }
    await expectJson(await send(after, ada, albumId, "two"), 200);
    // Still spent during the ceremony that came after it.
    const answer = await beginUpgrade(after, ada, albumId, intent);
    assert.equal(answer.status, 409);
    await answer.body?.cancel();
  });
});

Deno.test("an intent whose successor id is taken is 409 upgrade_intent_spent", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, bob, albumId } = world;
    const taken = [
      await provisionAlbum(app, ada, "ada's", "2026-08-01"),
      await provisionAlbum(app, bob, "bob's", "2026-08-01"),
    ];
    for (const successor_album_id of taken) {
      await expectRefused(
        app,
        () => send(app, ada, albumId, "one", { successor_album_id }),
        "error.album.upgrade_intent_spent",
      );
    }
    assert.deepEqual(await phaseOf(world), { album_id: albumId, in_flight: 0 });
  });
});

Deno.test("a successor id that is taken meanwhile makes the commit 409, and nothing is forked", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, bob, albumId } = world;
    await begin(world, "one");
    await expectJson(
      await app.send("POST", "/v1/albums", {
        token: bob.token,
        json: { album_id: uuidOf("successor one") },
      }),
      201,
    );
    await expectRefused(
      app,
      () => endUpgrade(app, ada, albumId, "commit", "one"),
      "error.album.upgrade_intent_spent",
    );
    assert.equal((await phaseOf(world)).intent_id, uuidOf("intent one"));
  });
});

Deno.test("intent_id missing or malformed is 400", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    await begin(world, "one");
    const path = `/v1/albums/${albumId}/upgrade`;
    const queries = ["", "?", "?intent_id=", "?intent_id=x", "?intent=1"];
    queries.push(`?intent_id=${uuidOf("intent one").toUpperCase()}`);
    for (const query of queries) {
      for (
        const [method, at] of [["DELETE", path], ["POST", `${path}/commit`]]
      ) {
        await expectRefused(
          app,
          () => app.send(method ?? "", `${at}${query}`, { token: ada.token }),
          "error.request.malformed",
        );
      }
    }
  });
});

Deno.test("a tombstoned album begins, aborts and commits nothing any more: 403", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    await begin(world, "one");
    await commit(world, "one");
    for (
      const call of [
        () => send(app, ada, albumId, "one"),
        () => send(app, ada, albumId, "two"),
        () => endUpgrade(app, ada, albumId, "abort", "one"),
        () => endUpgrade(app, ada, albumId, "commit", "two"),
      ]
    ) {
      await expectRefused(app, call, "error.album.tombstoned");
    }
    assert.deepEqual(await phaseOf(world), { album_id: albumId, in_flight: 0 });
  });
});

Deno.test("an intent that was signed again is the same intent", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    // A hybrid signature is never the same twice.
    const [one, again] = [
      await intentBytes(ada, albumId, "one"),
      await intentBytes(ada, albumId, "one"),
    ];
    assert.notDeepEqual(one, again);
    const first = await expectJson(
      await beginUpgrade(app, ada, albumId, one),
      200,
    );
    app.clock.advance(SECOND);
    const second = await beginUpgrade(app, ada, albumId, again);
    assert.deepEqual(await expectJson(second, 200), first);
  });
});
