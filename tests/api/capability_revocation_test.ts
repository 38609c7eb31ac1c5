import assert from "node:assert/strict";
import { mint, provisionAlbum, publishRoster } from "../support/albums.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  DAY,
  expectDead,
  expectReads,
  FEDERATED,
  fromNow,
  HOUR,
  MEMBER,
  MINUTE,
  PEER,
  revokedJtis,
  revokedRecord,
  SECOND,
  shareAlbum,
  successorOf,
  withSharedAlbum,
} from "../support/capabilities.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import { partsOf } from "../support/forgery.ts";
import { registerPerson, registerWriter, uuidOf } from "../support/people.ts";
import { expectSameAnswers } from "../support/api.ts";

const RECORD = "/.well-known/service/revoked-jti";

/** Tokens of one grant, each the successor of the one before. */
async function chainOf(
  app: TestApp,
  first: Json,
  links: number,
  step: number,
): Promise<Json[]> {
  const chain = [first];
  for (let link = 1; link < links; link += 1) {
    app.clock.advance(step);
    chain.push(await successorOf(app, chain.at(-1)?.token));
  }
  return chain;
}

Deno.test("a revoked capability is refused at once, and its jti is listed", async () => {
  await withSharedAlbum(async ({ app, minted, revoke }) => {
    const { token, jti, expires_at } = await minted();
    const other = await minted();
    assert.deepEqual(await revokedRecord(app), {
      generated_at: fromNow(app, 0),
      max_staleness_seconds: 300,
      revoked: [],
    });
    app.clock.advance(MINUTE);
    await expectEmpty(await revoke(jti), 204);
    await expectDead(app, token);
    await expectReads(app, other.token);
    assert.deepEqual(await revokedRecord(app), {
      generated_at: fromNow(app, 0),
      max_staleness_seconds: 300,
      revoked: [{ jti, expires_at }],
    });
  });
});

Deno.test("revoking a jti of one's own, a revoked, an unknown or another album's is one and the same", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, minted, revoke } = shared;
    const { token, jti } = await minted();
    const ada = await shared.owner();
    const other = await provisionAlbum(app, ada, "other");
    await publishRoster(app, ada, other, 1, [{ member: MEMBER }]);
    const elsewhere = await expectJson(
      await mint(app, ada, other, { peer: PEER, member: MEMBER }),
      201,
    );
    const body = await expectSameAnswers({
      own: await revoke(jti),
      "already revoked": await revoke(jti),
      unknown: await revoke(uuidOf("no capability")),
      "another album's": await revoke(elsewhere.jti),
    });
    assert.equal(body, "");
    await expectDead(app, token);
    await expectReads(app, elsewhere.token);
    assert.deepEqual(await revokedJtis(app), [jti]);
    await expectEmpty(await revoke(elsewhere.jti, other), 204);
    await expectDead(app, elsewhere.token);
  });
});

Deno.test("an album that is not the caller's is 404 to a revocation, a contributor's included", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, albumId } = shared;
    const { token, jti } = await shared.minted();
    const bob = await registerWriter(app, "bob");
    const eve = await registerPerson(app, "eve");
    await publishRoster(app, await shared.owner(), albumId, 2, [
      { member: MEMBER },
      { member: bob.userId, role: "contributor" },
    ]);
    const revoke = (person: { token: string }, album: string) =>
      app.send("DELETE", `/v1/albums/${album}/capabilities/${jti}`, {
        token: person.token,
      });
    const body = await expectSameAnswers({
      "a contributor": await revoke(bob, albumId),
      "a stranger": await revoke(eve, albumId),
      "an unknown album": await revoke(bob, uuidOf("no album")),
      "an unknown album of the owner's": await revoke(
        await shared.owner(),
        uuidOf("no album"),
      ),
    });
    assert.equal(JSON.parse(body).code, "error.album.not_found");
    await expectReads(app, token);
    assert.deepEqual(await revokedJtis(app), []);
    const { token: bearer } = await shared.owner();
    for (const malformed of ["x", jti.toUpperCase(), `${jti}0`]) {
      await expectProblem(
        await app.send(
          "DELETE",
          `/v1/albums/${albumId}/capabilities/${malformed}`,
          { token: bearer },
        ),
        "error.request.malformed",
      );
    }
  });
});

Deno.test("revoking any jti of a chain ends the whole grant", async () => {
  await withSharedAlbum(async ({ app, minted, revoke }) => {
    for (const which of [0, 2, 4]) {
      const listed = await revokedJtis(app);
      const chain = await chainOf(
        app,
        await minted({ renewable_until: fromNow(app, DAY) }),
        5,
        MINUTE,
      );
      const other = await minted({ renewable_until: fromNow(app, DAY) });
      await expectEmpty(await revoke(chain[which].jti), 204);
      for (const { token } of chain) await expectDead(app, token);
      await expectReads(app, other.token);
      const added = (await revokedJtis(app)).filter((jti) =>
        !listed.includes(jti)
      );
      // Soonest expiry first, which is the order of their issue.
      assert.deepEqual(added, chain.map(({ jti }) => jti));
    }
  });
});

Deno.test("an expired predecessor's jti ends its grant as well, purged or not", async () => {
  await withSharedAlbum(async ({ app, minted, revoke }) => {
    for (const purged of [false, true]) {
      const first = await minted({
        ttl_seconds: 60,
        renewable_until: fromNow(app, 90 * DAY),
      });
      const chain = await chainOf(app, first, 4, 50 * SECOND);
      await expectDead(app, first.token, "expired");
      if (purged) await app.purge();
      const [third, last] = chain.slice(2);
      await expectReads(app, third.token);
      await expectEmpty(await revoke(first.jti), 204);
      await expectDead(app, third.token);
      await expectDead(app, last.token);
      // Only what has not expired is listed.
      assert.deepEqual(await revokedJtis(app), [third.jti, last.jti]);
      app.clock.advance(HOUR);
    }
  });
});

Deno.test("revoking what has expired lists nothing", async () => {
  await withSharedAlbum(async ({ app, minted, revoke }) => {
    const plain = await minted({ ttl_seconds: 60 });
    const renewable = await minted({
      ttl_seconds: 60,
      renewable_until: fromNow(app, DAY),
    });
    app.clock.advance(MINUTE);
    for (const { jti } of [plain, renewable]) {
      await expectEmpty(await revoke(jti), 204);
    }
    app.clock.advance(2 * DAY);
    await app.purge();
    for (const { jti } of [plain, renewable]) {
      await expectEmpty(await revoke(jti), 204);
    }
    assert.deepEqual(await revokedJtis(app), []);
  });
});

Deno.test("an entry is listed until its own expiry, soonest first, across albums and restarts", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, minted, revoke } = shared;
    const ada = await shared.owner();
    const other = await provisionAlbum(app, ada, "other");
    await publishRoster(app, ada, other, 1, [{ member: MEMBER }]);
    const long = await minted({ ttl_seconds: 300 });
    const short = await minted({ ttl_seconds: 60 });
    const middle = await expectJson(
      await mint(app, ada, other, {
        peer: PEER,
        member: MEMBER,
        ttl_seconds: 120,
        renewable_until: fromNow(app, DAY),
      }),
      201,
    );
    await expectEmpty(await revoke(long.jti), 204);
    await expectEmpty(await revoke(short.jti), 204);
    await expectEmpty(await revoke(middle.jti, other), 204);
    const all = [short, middle, long].map(({ jti, expires_at }) => ({
      jti,
      expires_at,
    }));
    assert.deepEqual((await revokedRecord(app)).revoked, all);
    const again = await app.reopen();
    assert.deepEqual((await revokedRecord(again)).revoked, all);
    await expectDead(again, long.token);
    for (
      const [step, left] of [
        [60 * SECOND - 1, 3],
        [1, 2],
        [60 * SECOND - 1, 2],
        [1, 1],
        [180 * SECOND - 1, 1],
        [1, 0],
      ] as const
    ) {
      app.clock.advance(step);
      const { revoked } = await revokedRecord(again);
      assert.deepEqual(revoked, all.slice(3 - left));
      await again.purge();
      assert.deepEqual((await revokedRecord(again)).revoked, revoked);
    }
  });
});

Deno.test("a member who left and came back does not bring a revoked grant to life", async () => {
  await withSharedAlbum(async ({ app, minted, revoke, roster }) => {
    const { token, jti } = await minted({ renewable_until: fromNow(app, DAY) });
    await roster();
    await expectEmpty(await revoke(jti), 204);
    await roster(MEMBER);
    await expectDead(app, token);
    assert.deepEqual(await revokedJtis(app), [jti]);
    await expectReads(app, (await minted()).token);
  });
});

Deno.test("revocations at once with refreshes leave no token that reads", async () => {
  await withSharedAlbum(async ({ app, minted, revoke }) => {
    const { token, jti } = await minted({ renewable_until: fromNow(app, DAY) });
    const refreshes = Array.from({ length: 5 }, async () => {
      const response = await app.send(
        "POST",
        "/v1/federation/capabilities/refresh",
        { token },
      );
      return response.status === 200 ? (await response.json()).token : token;
    });
    await expectEmpty(await revoke(jti), 204);
    const listed = await revokedJtis(app);
    for (const one of await Promise.all(refreshes)) {
      await expectDead(app, one);
      assert(listed.includes(partsOf(one)[1].jti));
    }
  });
});

Deno.test("the record is public, may be kept for five minutes, and has a HEAD", async () => {
  await withTestApp(async (app) => {
    const anywhere = { Origin: "https://anywhere.example" };
    for (const method of ["GET", "HEAD"]) {
      const response = await app.send(method, RECORD, {
        protocol: null,
        headers: anywhere,
      });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("cache-control"), "max-age=300");
      assert.equal(response.headers.get("access-control-allow-origin"), "*");
      await response.body?.cancel();
    }
    assert.deepEqual(await revokedJtis(app), []);
  });
});

Deno.test("a list that cannot be read is 503, never an empty one", async () => {
  await withTestApp(async (app) => {
    const shared = await shareAlbum(app);
    const { jti } = await shared.minted();
    await expectEmpty(await shared.revoke(jti), 204);
    await app.app.db.schema.dropTable("capability").execute();
    for (let time = 0; time < 2; time += 1) {
      const response = await app.send("GET", RECORD, { protocol: null });
      assert.equal(response.headers.get("cache-control"), "no-store");
      await expectProblem(
        response,
        "error.federation.revocations_unavailable",
      );
    }
  }, { settings: FEDERATED });
});
