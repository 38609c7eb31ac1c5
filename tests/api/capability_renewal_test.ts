/**
 * Renewal: a live token of a grant for the secret that its owner set, although
 * every token of it has expired (protocol/federation.md#renewal).
 *
 * @module
 */
import assert from "node:assert/strict";
import { renewCapability, setRenewal } from "../support/albums.ts";
import {
  DAY,
  expectDead,
  expectReads,
  fromNow,
  HOUR,
  MEMBER,
  MINUTE,
  type SharedAlbum,
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
import {
  ciphertext,
  hashOf,
  registerWriter,
  uuidOf,
} from "../support/people.ts";

const SECRET = ciphertext("a secret", 32);
const OTHER = ciphertext("another secret", 32);

/** A renewable grant of ten days with tokens of an hour, and its secret set. */
async function renewable(
  { app, albumId, owner, minted }: SharedAlbum,
  over: Json = {},
): Promise<Json> {
  const grant = await minted({
    ttl_seconds: 3_600,
    renewable_until: fromNow(app, 10 * DAY),
    ...over,
  });
  const of = { albumId, jti: grant.jti };
  const set = await setRenewal(app, await owner(), of, hashOf(SECRET));
  await expectEmpty(set, 204);
  return grant;
}

async function expectRefused(response: Response): Promise<void> {
  await expectProblem(response, "error.federation.capability_invalid");
}

async function renewed(shared: SharedAlbum, jti: string): Promise<Json> {
  return await expectJson(await renewCapability(shared.app, jti, SECRET), 200);
}

Deno.test("while a token lives, a renewal answers the newest one, and none is made", async () => {
  await withSharedAlbum(async (shared) => {
    const { app } = shared;
    const first = await renewable(shared);
    app.clock.advance(MINUTE);
    const { token, ...answer } = await renewed(shared, first.jti);
    assert.deepEqual(answer, {
      jti: first.jti,
      expires_at: first.expires_at,
      not_after: first.not_after,
      replayed: true,
    });
    assert.deepEqual(partsOf(token)[1], partsOf(first.token)[1]);
    const next = await successorOf(app, token);
    for (const jti of [first.jti, next.jti]) {
      assert.equal((await renewed(shared, jti)).jti, next.jti);
    }
  });
});

Deno.test("when all tokens have expired, a renewal answers a new one of the same grant, also after a purge", async () => {
  await withSharedAlbum(async (shared) => {
    const { app } = shared;
    const first = await renewable(shared, { scope: "read-derivative-only" });
    const second = await successorOf(app, first.token);
    app.clock.advance(2 * DAY);
    await expectDead(app, second.token, "it has expired");
    const third = await renewed(shared, second.jti);
    assert.equal(third.replayed, false);
    assert.equal(third.expires_at, fromNow(app, HOUR));
    assert.equal(third.not_after, first.not_after);
    await expectReads(app, third.token);
    const { jti: _, iat: __, exp: ___, ...same } = partsOf(first.token)[1];
    assert.deepEqual(
      { ...partsOf(third.token)[1], ...same },
      partsOf(third.token)[1],
    );
    assert.equal((await renewed(shared, second.jti)).jti, third.jti);

    app.clock.advance(DAY);
    await app.purge();
    // The server has the first one's id alone by now.
    await expectRefused(await renewCapability(app, second.jti, SECRET));
    const fourth = await renewed(shared, first.jti);
    assert.equal(fourth.replayed, false);
    await expectReads(app, fourth.token);
    // At the end of the grant it is cut short, and then it is over.
    app.clock.advance(7 * DAY - 30 * MINUTE);
    const last = await renewed(shared, first.jti);
    assert.equal(last.expires_at, last.not_after);
    app.clock.advance(30 * MINUTE);
    await expectRefused(await renewCapability(app, first.jti, SECRET));
    await expectDead(app, last.token, "past the grant");
  });
});

Deno.test("a renewal that is asked for twice at once gives one token", async () => {
  await withSharedAlbum(async (shared) => {
    const first = await renewable(shared);
    shared.app.clock.advance(DAY);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => renewed(shared, first.jti)),
    );
    assert.equal(new Set(answers.map(({ token }) => token)).size, 1);
    assert.equal(answers.filter(({ replayed }) => !replayed).length, 1);
  });
});

Deno.test("a wrong secret, an unknown jti, a grant that was revoked and federation that is off are one 401", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, minted, revoke, albumId, owner } = shared;
    const first = await renewable(shared);
    const bare = await minted({ renewable_until: fromNow(app, DAY) });
    const refusals = [
      await renewCapability(app, first.jti, OTHER),
      await renewCapability(app, uuidOf("no token"), SECRET),
      await renewCapability(app, bare.jti, SECRET),
    ];
    // The secret that was set last is the one.
    const of = { albumId, jti: first.jti };
    await expectEmpty(
      await setRenewal(app, await owner(), of, hashOf(OTHER)),
      204,
    );
    refusals.push(await renewCapability(app, first.jti, SECRET));
    await expectJson(await renewCapability(app, first.jti, OTHER), 200);
    await expectEmpty(await revoke(first.jti), 204);
    refusals.push(await renewCapability(app, first.jti, OTHER));
    const second = await renewable(shared);
    const off = await app.reopen({ STRONGROOM_FEDERATION: "off" });
    refusals.push(await renewCapability(off, second.jti, SECRET));
    const bodies = await Promise.all(refusals.map(async (refusal) => {
      assert.equal(refusal.headers.get("www-authenticate"), "Bearer");
      const text = await refusal.clone().text();
      await expectProblem(refusal, "error.federation.capability_invalid");
      return text;
    }));
    assert.equal(new Set(bodies).size, 1);
  });
});

Deno.test("a member who left the roster is told so, and a member who is back gets a token", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, roster } = shared;
    const { jti } = await renewable(shared);
    app.clock.advance(DAY);
    await roster();
    await expectProblem(
      await renewCapability(app, jti, SECRET),
      "error.album.member_not_on_roster",
    );
    await roster(MEMBER);
    await expectReads(app, (await renewed(shared, jti)).token);
  });
});

Deno.test("the owner alone sets a secret, of a renewable live grant of that album", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, albumId, owner, minted, revoke, another } = shared;
    const { jti } = await renewable(shared);
    const bob = await registerWriter(app, "bob");
    const set = async (jti: string, album = albumId, who = owner()) =>
      await setRenewal(app, await who, { albumId: album, jti }, hashOf(OTHER));
    for (const id of [jti, uuidOf("no token")]) {
      await expectProblem(
        await set(id, albumId, Promise.resolve(bob)),
        "error.album.not_found",
      );
    }
    await expectProblem(
      await set(jti, uuidOf("no album")),
      "error.album.not_found",
    );
    const other = await another("other");
    const once = await minted();
    const revoked = await minted({ renewable_until: fromNow(app, DAY) });
    await expectEmpty(await revoke(revoked.jti), 204);
    const ended = await minted({ renewable_until: fromNow(app, HOUR) });
    app.clock.advance(HOUR);
    for (
      const [album, id] of [
        [other.albumId, jti],
        [albumId, once.jti],
        [albumId, revoked.jti],
        [albumId, ended.jti],
        [albumId, uuidOf("no token")],
      ] as const
    ) {
      await expectProblem(
        await set(id, album),
        "error.federation.capability_not_renewable",
      );
    }
    await renewed(shared, jti);
    for (const verifier of ["", "A".repeat(64), "0".repeat(63), 1, null]) {
      await expectProblem(
        await app.send(
          "PUT",
          `/v1/albums/${albumId}/capabilities/${jti}/renewal`,
          { token: (await owner()).token, json: { verifier } },
        ),
        "error.request.invalid",
      );
    }
  });
});

Deno.test("a client address has 60 renewals a minute whatever they are for, and a grant as many as refreshes", async () => {
  await withSharedAlbum(async (shared) => {
    const { app } = shared;
    const { jti, token } = await renewable(shared);
    for (let count = 0; count < 30; count++) {
      const answer = await renewCapability(app, jti, SECRET);
      await answer.body?.cancel();
      assert.equal(answer.status, count < 3 ? 200 : 429);
    }
    // The budget of the grant is one for both.
    const spent = await app.send(
      "POST",
      "/v1/federation/capabilities/refresh",
      { token },
    );
    assert.equal(spent.status, 429);
    await expectProblem(spent, "error.federation.rate_limited");
    for (let count = 30; count < 60; count++) {
      await expectRefused(await renewCapability(app, jti, OTHER));
    }
    const answer = await renewCapability(app, uuidOf("no token"), OTHER);
    assert.ok(Number(answer.headers.get("retry-after")) > 0);
    await expectProblem(answer, "error.federation.rate_limited");
  }, { STRONGROOM_LIMIT_CAPABILITY_REFRESH: "3" });
});

Deno.test("a renewal outlives a change of the server's address, and no token does", async () => {
  await withSharedAlbum(async (shared) => {
    const { jti, token } = await renewable(shared);
    const settings = { STRONGROOM_BASE_URL: "https://photos.example" };
    const app = await shared.app.reopen(settings);
    await expectDead(app, token, "of another issuer");
    const next = await expectJson(await renewCapability(app, jti, SECRET), 200);
    await expectReads(app, next.token);
  });
});
