/**
 * Looking users up by id, which finds only people of the caller's albums
 * (protocol/discovery.md#people).
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { MEMBER, PEER } from "../support/capabilities.ts";
import { FEDERATES } from "../support/peers.ts";
import { mint, provisionAlbum, publishRoster } from "../support/albums.ts";
import { withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { type Person, registerWriter, uuidOf } from "../support/people.ts";
import { expectSameAnswers, withFaultlessApp } from "../support/api.ts";
import { lookup, withAdaAndBob } from "../support/lookup.ts";

const SECOND = 1_000;

Deno.test("an id finds only the caller and members of the caller's albums", async () => {
  await withFaultlessApp(async (app) => {
    const [ada, bob, cyd, eve] = [
      await registerWriter(app, "ada"),
      await registerWriter(app, "bob"),
      await registerWriter(app, "cyd"),
      await registerWriter(app, "eve"),
    ];
    const found = async (looker: Person, wanted: Person) => {
      const answer = await lookup(app, looker, { user_id: wanted.userId });
      if (answer.status === 200) {
        const user = await expectJson(answer, 200);
        assert.equal(user.user_id, wanted.userId);
        assert.equal(
          user.identity_key,
          toBase64(wanted.signer.publicKey),
        );
        return true;
      }
      await expectProblem(answer, "error.user.not_found");
      return false;
    };
    const pairs = async () => {
      const known: string[] = [];
      const people = { ada, bob, cyd, eve };
      for (const [a, looker] of Object.entries(people)) {
        for (const [b, wanted] of Object.entries(people)) {
          if (await found(looker, wanted)) known.push(`${a} ${b}`);
        }
        // A minute is the budget's: none of them is short of it.
        app.clock.advance(10 * SECOND);
      }
      return known;
    };
    const selves = ["ada ada", "bob bob", "cyd cyd", "eve eve"];
    assert.deepEqual(await pairs(), selves);
    const album = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, album, 1, [
      { member: bob.userId },
      { member: cyd.userId, role: "contributor" },
      // Of another server: another person with the same id.
      { member: `${eve.userId}@https://peer.example` },
    ]);
    const inAlbum = ["ada", "bob", "cyd"];
    assert.deepEqual(
      await pairs(),
      [
        ...inAlbum.flatMap((a) => inAlbum.map((b) => `${a} ${b}`)),
        "eve eve",
      ],
    );
    // Who left, or was taken off, is a stranger again, also to the owner.
    await expectEmpty(
      await app.send("DELETE", `/v1/albums/${album}/membership`, {
        token: bob.token,
      }),
      204,
    );
    const left = ["ada ada", "ada cyd", "bob bob", "cyd ada", "cyd cyd"];
    assert.deepEqual(await pairs(), [...left, "eve eve"]);
    await publishRoster(app, ada, album, 2, []);
    assert.deepEqual(await pairs(), selves);
  });
});

Deno.test("an unknown id is not found, as one of a stranger, and a malformed one is 422", async () => {
  await withAdaAndBob(async (app, ada, bob) => {
    const body = await expectSameAnswers({
      "an unknown id": await lookup(app, ada, { user_id: uuidOf("nobody") }),
      "a stranger's": await lookup(app, ada, { user_id: bob.userId }),
    });
    assert.equal(JSON.parse(body).code, "error.user.not_found");
    for (const user_id of ["", "bob", bob.userId.toUpperCase(), null, 7]) {
      await expectProblem(
        await lookup(app, ada, { user_id }),
        "error.request.invalid",
      );
    }
  });
});

Deno.test("a capability finds by id only the members of its album", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const eve = await registerWriter(app, "eve");
    const album = await provisionAlbum(app, ada, "shared");
    const other = await provisionAlbum(app, ada, "other");
    await publishRoster(app, ada, album, 1, [
      { member: MEMBER },
      { member: bob.userId },
    ]);
    await publishRoster(app, ada, other, 1, [{ member: eve.userId }]);
    const { token } = await expectJson(
      await mint(app, ada, album, { peer: PEER, member: MEMBER }),
      201,
    );
    const statuses = [];
    for (const { userId } of [ada, bob, eve]) {
      const answer = await app.send("POST", "/v1/users/lookup", {
        token,
        json: { user_id: userId },
      });
      await answer.body?.cancel();
      statuses.push(answer.status);
    }
    assert.deepEqual(statuses, [200, 200, 404]);
  }, { settings: FEDERATES });
});
