/**
 * Who publishes and fetches rosters, when, and at the same time
 * (protocol/albums.md#roster).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { SendOptions, TestApp } from "../support/app.ts";
import {
  beginUpgrade,
  endUpgrade,
  expectRoster,
  getRoster,
  intentBytes,
  listAlbums,
  OLD_PROTOCOL,
  provisionAlbum,
  publishRoster,
  putRoster,
  readFeed,
  rosterBytes,
  withAlbum,
} from "../support/albums.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  directoryBytes,
  registerPerson,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import {
  expectSameAnswers,
  suspend,
  withFaultlessApp,
} from "../support/api.ts";

Deno.test("a roster is as unknown to accounts that it does not name as an unknown album", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const eve = await registerWriter(app, "eve");
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    await publishRoster(app, ada, albumId, 2, [
      // A person of a peer is not the person of this server.
      { member: `${bob.userId}@https://peer.example` },
      { member: `${eve.userId}@https://peer.example` },
    ]);
    const unknown = uuidOf("no album");
    for (const method of ["GET", "HEAD"]) {
      const answer = await expectSameAnswers({
        "a stranger": await getRoster(app, eve, albumId, method),
        "a removed member": await getRoster(app, bob, albumId, method),
        "an unknown album": await getRoster(app, eve, unknown, method),
        "her own unknown album": await getRoster(app, ada, unknown, method),
      });
      if (method === "HEAD") continue;
      assert.equal(JSON.parse(answer).code, "error.album.not_found");
    }
    const bytes = await rosterBytes(eve, albumId, 3, []);
    const answer = await expectSameAnswers({
      "a stranger": await putRoster(app, eve, albumId, bytes),
      "a removed member": await putRoster(app, bob, albumId, bytes),
      "an unknown album": await putRoster(app, ada, unknown, bytes),
    });
    assert.equal(JSON.parse(answer).code, "error.album.not_found");
  });
});

Deno.test("only the owner publishes, no matter who signed", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const roles = ["viewer", "contributor"];
    for (const [index, role] of roles.entries()) {
      const version = index + 1;
      const held = await rosterBytes(ada, albumId, version, [
        { member: bob.userId, role },
      ]);
      await expectJson(await putRoster(app, ada, albumId, held), 200);
      for (const signer of [ada, bob]) {
        const bytes = await rosterBytes(signer, albumId, version + 1, []);
        await expectProblem(
          await putRoster(app, bob, albumId, bytes),
          "error.album.role_forbidden",
        );
      }
      await expectProblem(
        await putRoster(app, bob, albumId, held),
        "error.album.role_forbidden",
      );
      await expectRoster(app, bob, albumId, held);
    }
  });
});

Deno.test("of different rosters of one version at once exactly one is held", async () => {
  await withAlbum(async (app, ada, _bob, albumId) => {
    for (let version = 1; version <= 3; version++) {
      const rosters = await Promise.all(
        Array.from(
          { length: 8 },
          (_, index) =>
            rosterBytes(ada, albumId, version, [
              { member: uuidOf(`member ${index}`) },
            ]),
        ),
      );
      const answers = await Promise.all(
        rosters.map((bytes) => putRoster(app, ada, albumId, bytes)),
      );
      const won = answers.findIndex(({ status }) => status === 200);
      for (const [index, answer] of answers.entries()) {
        if (index === won) {
          assert.equal((await expectJson(answer, 200)).replayed, false);
          continue;
        }
        const refusal = await expectProblem(answer, "error.album.roster_stale");
        assert.equal(refusal.current_version, version);
      }
      const winner = rosters[won] ?? new Uint8Array();
      await expectRoster(app, ada, albumId, winner);
    }
    const { entries } = await readFeed(app, ada.token);
    const actions = entries.map((entry: Json) => entry.action);
    assert.deepEqual(actions, ["album", "roster", "roster", "roster"]);
  });
});

Deno.test("of one roster many times at once one is written and all succeed", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const members = [{ member: bob.userId }];
    for (let version = 1; version <= 3; version++) {
      const bytes = await rosterBytes(ada, albumId, version, members);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => putRoster(app, ada, albumId, bytes)),
      );
      let written = 0;
      for (const answer of answers) {
        const { replayed, ...held } = await expectJson(answer, 200);
        if (!replayed) written++;
        assert.deepEqual(held, {
          album_id: albumId,
          roster_version: version,
          amk_epoch: 0,
          member_count: 1,
        });
      }
      assert.equal(written, 1);
    }
  });
});

/** Holds the database's one connection; queries queue up until it is let go. */
function hold(app: TestApp): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => release = resolve);
  app.app.db.connection().execute(() => held);
  return release;
}

Deno.test("a roster that is committed while it is sent again is told as it is held", async () => {
  await withAlbum(async (app, ada, _bob, albumId) => {
    // The second comes so many queries after the first, each pair one query at
    // a time: for some lead the commit falls between two of its reads.
    for (let lead = 0; lead < 6; lead++) {
      const version = lead + 1;
      const over = { amk_epoch: version };
      const bytes = await rosterBytes(ada, albumId, version, [], over);
      const answers: Promise<Response>[] = [];
      let answered = 0;
      let release = hold(app);
      for (let step = 0; answered < 2; step++) {
        for (const start of [0, lead]) {
          if (start !== step) continue;
          const answer = putRoster(app, ada, albumId, bytes);
          answers.push(answer.finally(() => answered++));
        }
        // Time to verify a signature and to queue up.
        await new Promise((resume) => setTimeout(resume, 15));
        const next = hold(app);
        release();
        release = next;
      }
      release();
      for (const answer of await Promise.all(answers)) {
        const { roster_version, amk_epoch } = await expectJson(answer, 200);
        assert.deepEqual([roster_version, amk_epoch], [version, version]);
      }
    }
  });
});

Deno.test("a tombstoned album takes no roster and shows the one it had", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "old", OLD_PROTOCOL);
    const members = [{ member: bob.userId, role: "contributor" }];
    const held = await rosterBytes(ada, albumId, 1, members);
    await expectJson(await putRoster(app, ada, albumId, held), 200);
    await expectJson(
      await beginUpgrade(
        app,
        ada,
        albumId,
        await intentBytes(ada, albumId, "old"),
      ),
      200,
    );
    await expectJson(
      await endUpgrade(app, ada, albumId, "commit", "old"),
      200,
    );
    for (const bytes of [held, await rosterBytes(ada, albumId, 2, [])]) {
      await expectProblem(
        await putRoster(app, ada, albumId, bytes),
        "error.album.tombstoned",
      );
    }
    for (const person of [ada, bob]) {
      await expectRoster(app, person, albumId, held);
    }
  });
});

Deno.test("rosters outlive a restart", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const members = [{ member: bob.userId }];
    const bytes = await rosterBytes(ada, albumId, 3, members);
    await expectJson(await putRoster(app, ada, albumId, bytes), 200);
    const again = await app.reopen();
    await expectRoster(again, bob, albumId, bytes);
    const replayed = await expectJson(
      await putRoster(again, ada, albumId, bytes),
      200,
    );
    assert.equal(replayed.replayed, true);
    assert.equal((await listAlbums(again, bob))[albumId].roster_version, 3);
  });
});

Deno.test("publishing wants a directory, an anchor and an active account", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const albumId = uuidOf("album holidays");
    const bytes = await rosterBytes(ada, albumId, 1, []);
    const publish = () => putRoster(app, ada, albumId, bytes);
    await expectProblem(await publish(), "error.directory.required");
    const directory = async (version: number, key: string) =>
      await expectJson(
        await app.send("PUT", "/v1/auth/devices/directory", {
          token: ada.token,
          headers: {
            "Content-Type": "application/cbor",
            "X-Service-Identity-Key": key,
          },
          body: await directoryBytes(ada, version),
        }),
        200,
      );
    // A directory published with null leaves the account without an anchor.
    await directory(1, "null");
    await provisionAlbum(app, ada, "holidays");
    await expectProblem(await publish(), "error.roster.invalid");
    await directory(2, ada.signer.publicKey.toBase64());
    await expectJson(await publish(), 200);
    await suspend(app, ada);
    await expectProblem(await publish(), "error.account.suspended");
    await expectRoster(app, ada, albumId, bytes);
  });
});

Deno.test("a roster comes as strict JSON with standard base64 under a UUID", async () => {
  await withAlbum(async (app, ada, _bob, albumId) => {
    const bytes = await rosterBytes(ada, albumId, 1, []);
    const roster_cbor = bytes.toBase64();
    const publish = (json: Json, path = albumId, sent: SendOptions = {}) =>
      app.send("PUT", `/v1/albums/${path}/roster`, {
        token: ada.token,
        json,
        ...sent,
      });
    for (
      const [json, path] of [
        [{}, "/roster_cbor"],
        [{ roster_cbor, more: 1 }, "/more"],
        [{ roster_cbor: null }, "/roster_cbor"],
        [{ roster_cbor: 1 }, "/roster_cbor"],
        [{ roster_cbor: "" }, "/roster_cbor"],
        [{ roster_cbor: "AA" }, "/roster_cbor"],
        [{ roster_cbor: "-_-_" }, "/roster_cbor"],
        [{ roster_cbor: ` ${roster_cbor}` }, "/roster_cbor"],
      ]
    ) {
      const { errors } = await expectProblem(
        await publish(json),
        "error.request.invalid",
      );
      assert.deepEqual(errors.map((one: Json) => one.path), [path]);
    }
    for (const path of ["holidays", albumId.toUpperCase(), `${albumId}%20`]) {
      for (const method of ["GET", "PUT"]) {
        const response = method === "GET"
          ? await app.send("GET", `/v1/albums/${path}/roster`, {
            token: ada.token,
          })
          : await publish({ roster_cbor }, path);
        await expectProblem(response, "error.request.malformed");
      }
    }
    await expectProblem(
      await publish({ roster_cbor }, albumId, {
        headers: { "Content-Type": "application/cbor" },
      }),
      "error.request.media_type",
    );
    const tooLarge = await publish({
      roster_cbor: "A".repeat(12 * 1024 * 1024),
    });
    assert.equal(tooLarge.status, 413);
    assert.equal(await tooLarge.text(), "");
    await expectJson(await publish({ roster_cbor }), 200);
  });
});
