import assert from "node:assert/strict";
import { mint, refreshCapability } from "../support/albums.ts";
import { START_MS } from "../support/app.ts";
import {
  DAY,
  expectDead,
  expectInvalid,
  expectReads,
  fromNow,
  HOUR,
  MEMBER,
  MINUTE,
  PEER,
  SECOND,
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
import { suspend } from "../support/api.ts";

const PATH = "/v1/federation/capabilities/refresh";

function at(ms: number): string {
  return new Date(START_MS + ms).toISOString();
}

Deno.test("a refresh answers the successor, and the grant's end stays", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    const first = await minted({
      ttl_seconds: 3_600,
      renewable_until: fromNow(app, 100 * MINUTE),
      scope: "read-derivative-only",
    });
    app.clock.advance(30 * MINUTE);
    const { token, jti, ...answer } = await successorOf(app, first.token);
    assert.deepEqual(answer, {
      expires_at: at(90 * MINUTE),
      not_after: at(100 * MINUTE),
      replayed: false,
    });
    assert.notEqual(jti, first.jti);
    const [oldHeader, oldClaims] = partsOf(first.token);
    const [header, claims] = partsOf(token);
    assert.deepEqual(header, oldHeader);
    assert.deepEqual(claims, {
      ...oldClaims,
      jti,
      iat: (START_MS + 30 * MINUTE) / SECOND,
      exp: (START_MS + 90 * MINUTE) / SECOND,
    });
    // The predecessor lives on until its own expiry.
    await expectReads(app, first.token);
    await expectReads(app, token);
    app.clock.advance(30 * MINUTE);
    await expectDead(app, first.token, "the predecessor");
    const third = await successorOf(app, token);
    assert.equal(third.expires_at, at(100 * MINUTE));
    assert.equal(third.not_after, at(100 * MINUTE));
    app.clock.advance(40 * MINUTE);
    await expectDead(app, token, "past the grant");
    await expectDead(app, third.token, "past the grant");
  });
});

Deno.test("a successor lives as long as was asked for the first token", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    const renewable_until = fromNow(app, 10 * DAY);
    for (
      const [ttl_seconds, lives] of [
        [1, MINUTE],
        [undefined, 6 * HOUR],
        [1_000_000_000, DAY],
      ] as const
    ) {
      const { token } = await minted({ ttl_seconds, renewable_until });
      app.clock.advance(10 * SECOND);
      const { expires_at } = await successorOf(app, token);
      assert.equal(expires_at, fromNow(app, lives), String(ttl_seconds));
    }
    // A first token that its grant's end cut short: so are its successors.
    const { token } = await minted({
      ttl_seconds: 3_600,
      renewable_until: fromNow(app, MINUTE),
    });
    const successor = await successorOf(app, token);
    assert.equal(successor.expires_at, successor.not_after);
  });
});

Deno.test("a repeated refresh answers the very same successor, replayed", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    const first = await minted({ renewable_until: fromNow(app, DAY) });
    app.clock.advance(1_234);
    const { replayed, ...successor } = await successorOf(app, first.token);
    assert.equal(replayed, false);
    for (const ms of [0, SECOND, HOUR]) {
      app.clock.advance(ms);
      assert.deepEqual(await successorOf(app, first.token), {
        ...successor,
        replayed: true,
      });
    }
    const after = await app.reopen();
    assert.deepEqual(await successorOf(after, first.token), {
      ...successor,
      replayed: true,
    });
    // Under a new key the claims, and with them the jti, are the same.
    await after.rotateAccessKey();
    const rotated = await successorOf(after, first.token);
    assert.equal(rotated.jti, successor.jti);
    assert.deepEqual(
      partsOf(rotated.token)[1],
      partsOf(successor.token)[1],
    );
  });
});

Deno.test("of twenty refreshes at once exactly one issues the successor", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    const { token } = await minted({ renewable_until: fromNow(app, DAY) });
    const answers: Json[] = await Promise.all(
      Array.from({ length: 20 }, () => successorOf(app, token)),
    );
    assert.equal(new Set(answers.map((one) => one.token)).size, 1);
    assert.equal(new Set(answers.map((one) => one.jti)).size, 1);
    assert.equal(answers.filter((one) => !one.replayed).length, 1);
  });
});

Deno.test("successors have successors, and an older link of the chain keeps its own", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    const first = await minted({ renewable_until: fromNow(app, 90 * DAY) });
    const chain = [first];
    for (let link = 0; link < 10; link += 1) {
      app.clock.advance(10 * MINUTE);
      const next = await successorOf(app, chain.at(-1)?.token);
      assert.equal(next.replayed, false);
      assert.equal(next.not_after, first.not_after);
      chain.push(next);
    }
    assert.equal(new Set(chain.map(({ jti }) => jti)).size, 11);
    for (const [link, { token }] of chain.slice(0, -1).entries()) {
      const again = await successorOf(app, token);
      assert.equal(again.token, chain[link + 1].token);
      assert.equal(again.replayed, true);
      await expectReads(app, token);
    }
  });
});

Deno.test("a grant minted without renewable_until cannot be refreshed", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    const { token } = await minted();
    for (let time = 0; time < 2; time += 1) {
      await expectProblem(
        await refreshCapability(app, token),
        "error.federation.capability_not_renewable",
      );
    }
    await expectReads(app, token);
  });
});

Deno.test("what is no live capability is not refreshed", async () => {
  await withSharedAlbum(async ({ app, ada, minted, revoke, owner }) => {
    const until = fromNow(app, DAY);
    const expired = await minted({ ttl_seconds: 60, renewable_until: until });
    app.clock.advance(MINUTE);
    const revoked = await minted({ renewable_until: until });
    await expectEmpty(await revoke(revoked.jti), 204);
    const { token } = await owner();
    const tokens: Record<string, string> = {
      expired: expired.token,
      revoked: revoked.token,
      "an access token": token,
      "a session token": ada.sessionToken,
      "a session id": ada.sessionId,
      "a jti": revoked.jti,
      garbage: "garbage",
    };
    for (const [what, one] of Object.entries(tokens)) {
      await expectInvalid(await refreshCapability(app, one), what);
    }
    const live = await minted({ renewable_until: until });
    for (
      const headers of [
        {},
        { Authorization: live.token },
        { Authorization: `Basic ${live.token}` },
      ]
    ) {
      const response = await app.send("POST", PATH, { headers });
      const challenge = response.headers.get("www-authenticate") ?? "";
      await expectProblem(response, "error.auth.token_missing");
      assert.match(challenge, /^Bearer\b/);
      assert.doesNotMatch(challenge, /error=/);
    }
    await successorOf(app, live.token);
  });
});

Deno.test("a member off the roster answers 409, and gets the same successor once back", async () => {
  await withSharedAlbum(async ({ app, minted, roster }) => {
    const { token } = await minted({ renewable_until: fromNow(app, DAY) });
    const successor = await successorOf(app, token);
    await roster();
    for (const one of [token, successor.token]) {
      await expectProblem(
        await refreshCapability(app, one),
        "error.album.member_not_on_roster",
      );
    }
    await roster(MEMBER);
    const again = await successorOf(app, token);
    assert.equal(again.token, successor.token);
  });
});

Deno.test("a grant is refreshed thirty times a minute and no more", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    const { token } = await minted({ renewable_until: fromNow(app, DAY) });
    const other = await minted({ renewable_until: fromNow(app, DAY) });
    // The budget is the grant's, whichever of its tokens is presented.
    let last = token;
    for (let time = 0; time < 30; time += 1) {
      last = (await successorOf(app, time % 2 === 0 ? last : token)).token;
    }
    app.clock.advance(20 * SECOND);
    for (const one of [token, last]) {
      const response = await refreshCapability(app, one);
      assert.equal(response.headers.get("retry-after"), "40");
      await expectProblem(response, "error.federation.rate_limited");
    }
    // Neither reading nor another grant is touched by it.
    await expectReads(app, token);
    await successorOf(app, other.token);
    app.clock.advance(40 * SECOND - 1);
    await expectProblem(
      await refreshCapability(app, token),
      "error.federation.rate_limited",
    );
    app.clock.advance(1);
    await successorOf(app, token);
  });
});

Deno.test("the budget of refreshes is configurable", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    const { token } = await minted({ renewable_until: fromNow(app, DAY) });
    await successorOf(app, token);
    await successorOf(app, token);
    await expectProblem(
      await refreshCapability(app, token),
      "error.federation.rate_limited",
    );
  }, { STRONGROOM_LIMIT_CAPABILITY_REFRESH: "2" });
});

Deno.test("a suspended owner mints nothing, and still revokes", async () => {
  await withSharedAlbum(async ({ app, albumId, minted, owner, revoke }) => {
    const { token, jti } = await minted({ renewable_until: fromNow(app, DAY) });
    await suspend(app, await owner());
    await expectProblem(
      await mint(app, await owner(), albumId, { peer: PEER, member: MEMBER }),
      "error.account.suspended",
    );
    await expectEmpty(await revoke(jti), 204);
    await expectDead(app, token);
  });
});

Deno.test("a refresh takes the handshake, and no body", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    const { token } = await minted({ renewable_until: fromNow(app, DAY) });
    await expectProblem(
      await app.send("POST", PATH, { token, protocol: null }),
      "error.handshake.protocol_missing",
    );
    await expectProblem(
      await app.send("POST", PATH, { token, protocol: "2026-05-31" }),
      "error.handshake.protocol_unsupported",
    );
    const response = await app.send("POST", PATH, { token });
    assert.equal(response.headers.get("cache-control"), "no-store");
    await expectJson(response, 200);
  });
});
