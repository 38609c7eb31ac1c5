import assert from "node:assert/strict";

import {
  beginUpgrade,
  endUpgrade,
  intentBytes,
  mint,
  OLD_PROTOCOL,
  provisionAlbum,
  publishRoster,
} from "../support/albums.ts";
import { ORIGIN, START_MS, withTestApp } from "../support/app.ts";
import {
  DAY,
  FEDERATED,
  fromNow,
  HOUR,
  MEMBER,
  MINUTE,
  PEER,
  SECOND,
  withSharedAlbum,
} from "../support/capabilities.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { partsOf } from "../support/forgery.ts";
import { registerPerson, registerWriter, uuidOf } from "../support/people.ts";
import { suspend } from "../support/api.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/;

function at(ms: number): string {
  return new Date(START_MS + ms).toISOString();
}

function pathsOf(refusal: Json): string[] {
  return refusal.errors.map(({ path }: Json) => path);
}

Deno.test("a capability minted without ttl lives six hours and is not renewable", async () => {
  await withSharedAlbum(async ({ minted, albumId }) => {
    const { token, jti, ...answer } = await minted();
    assert.equal(typeof token, "string");
    assert.match(jti, UUID_V7);
    assert.deepEqual(answer, {
      album_id: albumId,
      peer: PEER,
      member: MEMBER,
      scope: "read",
      issued_at: at(0),
      expires_at: at(6 * HOUR),
      not_after: at(6 * HOUR),
      renewable: false,
      min_protocol_version: "2026-11-01",
    });
  });
});

Deno.test("ttl_seconds is clamped to a minute and to twenty-four hours", async () => {
  await withSharedAlbum(async ({ minted }) => {
    for (
      const [asked, given] of [
        [null, 6 * HOUR],
        [1, MINUTE],
        [0, MINUTE],
        [-5, MINUTE],
        [59, MINUTE],
        [60, MINUTE],
        [61, 61 * SECOND],
        [86_399, DAY - SECOND],
        [86_400, DAY],
        [86_401, DAY],
        [1_000_000_000, DAY],
      ] as const
    ) {
      const answer = await minted({ ttl_seconds: asked });
      assert.equal(answer.expires_at, at(given), `ttl ${asked}`);
      assert.equal(answer.not_after, answer.expires_at, `ttl ${asked}`);
      assert.equal(answer.renewable, false);
    }
  });
});

Deno.test("renewable_until lies in the future and at most ninety days out", async () => {
  await withSharedAlbum(async ({ app, owner, albumId, minted }) => {
    const ada = await owner();
    for (const ms of [-DAY, -1, 0, 90 * DAY + 1, 10_000 * DAY]) {
      const refusal = await expectProblem(
        await mint(app, ada, albumId, {
          peer: PEER,
          member: MEMBER,
          renewable_until: fromNow(app, ms),
        }),
        "error.request.invalid",
      );
      assert.deepEqual(pathsOf(refusal), ["/renewable_until"], String(ms));
    }
    for (const ms of [SECOND, 90 * DAY]) {
      const answer = await minted({ renewable_until: fromNow(app, ms) });
      assert.equal(answer.not_after, at(ms));
      assert.equal(answer.renewable, true);
    }
    const absent = await minted({ renewable_until: null });
    assert.equal(absent.renewable, false);
  });
});

Deno.test("a token expires after its ttl or with its grant, whichever is sooner", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    for (
      const [ttl, until, expiry] of [
        [3_600, 2 * HOUR, HOUR],
        [3_600, HOUR, HOUR],
        [3_600, 90 * SECOND, 90 * SECOND],
        [1, 10 * SECOND, 10 * SECOND],
        [undefined, DAY, 6 * HOUR],
        [undefined, HOUR, HOUR],
      ] as const
    ) {
      const answer = await minted({
        ttl_seconds: ttl,
        renewable_until: fromNow(app, until),
      });
      assert.equal(answer.expires_at, at(expiry), `${ttl}, ${until}`);
      assert.equal(answer.not_after, at(until), `${ttl}, ${until}`);
    }
  });
});

Deno.test("a token never outlives its grant, within a second either", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    app.clock.advance(250);
    const plain = await minted({ ttl_seconds: 60 });
    assert.equal(plain.not_after, plain.expires_at);
    assert(Date.parse(plain.expires_at) <= app.clock.now + MINUTE);
    const { exp } = partsOf(plain.token)[1];
    assert.equal(exp * 1_000, Date.parse(plain.expires_at));
    const until = fromNow(app, 90_333);
    const renewable = await minted({ renewable_until: until });
    assert.equal(renewable.not_after, until);
    assert(Date.parse(renewable.expires_at) <= Date.parse(until));
  });
});

Deno.test("a member of another server needs that server as peer", async () => {
  await withSharedAlbum(async ({ app, owner, albumId, minted, roster }) => {
    const ada = await owner();
    for (const peer of ["https://other.example.org", ORIGIN]) {
      const refusal = await expectProblem(
        await mint(app, ada, albumId, { peer, member: MEMBER }),
        "error.request.invalid",
      );
      assert.deepEqual(pathsOf(refusal), ["/peer"], peer);
    }
    // A member of this server may read through any peer.
    const bob = await registerPerson(app, "bob");
    await roster(MEMBER, bob.userId);
    for (const peer of [PEER, "https://other.example.org"]) {
      const answer = await minted({ peer, member: bob.userId });
      assert.deepEqual([answer.peer, answer.member], [peer, bob.userId]);
    }
  });
});

Deno.test("a member who is not on the roster answers 409", async () => {
  await withSharedAlbum(async ({ app, owner, albumId, roster }) => {
    const ada = await owner();
    const ask = (member: string) =>
      mint(app, ada, albumId, { peer: PEER, member });
    const bob = await registerPerson(app, "bob");
    const gone = "error.album.member_not_on_roster";
    await expectProblem(await ask(bob.userId), gone);
    await expectProblem(await ask(`${bob.userId}@${PEER}`), gone);
    await expectProblem(await ask("somebody"), gone);
    await expectProblem(await ask(MEMBER.toUpperCase().slice(0, 36)), gone);
    // An owner is no member either, unless the roster names them.
    await expectProblem(await ask(ada.userId), gone);
    await roster(bob.userId);
    await expectJson(await ask(bob.userId), 201);
    await expectProblem(await ask(MEMBER), gone);
    const empty = await provisionAlbum(app, ada, "no roster yet");
    const request = { peer: PEER, member: MEMBER };
    await expectProblem(await mint(app, ada, empty, request), gone);
  });
});

Deno.test("with federation off no capability is minted and no federation_url is told", async () => {
  const info = (app: Json) =>
    app.send("GET", "/.well-known/service/server-info", { protocol: null });
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, albumId, 1, [{ member: MEMBER }]);
    await expectProblem(
      await mint(app, ada, albumId, { peer: PEER, member: MEMBER }),
      "error.federation.disabled",
    );
    assert(!("federation_url" in await expectJson(await info(app), 200)));
  });
  await withTestApp(async (app) => {
    const { federation_url } = await expectJson(await info(app), 200);
    assert.equal(new URL(federation_url).origin, ORIGIN);
    assert.equal(new URL(federation_url).href, federation_url);
  }, { settings: FEDERATED });
});

Deno.test("an album is minted for by its owner alone, and while it lives", async () => {
  await withSharedAlbum(async ({ app, owner, albumId }) => {
    const ada = await owner();
    const bob = await registerWriter(app, "bob");
    const eve = await registerWriter(app, "eve");
    const request = { peer: PEER, member: MEMBER };
    await publishRoster(app, ada, albumId, 2, [
      { member: MEMBER },
      { member: bob.userId, role: "contributor" },
    ]);
    const unknown = uuidOf("no album");
    const absent = "error.album.not_found";
    await expectProblem(await mint(app, ada, unknown, request), absent);
    await expectProblem(await mint(app, eve, albumId, request), absent);
    await expectProblem(
      await mint(app, bob, albumId, request),
      "error.album.role_forbidden",
    );
    const nobody = await registerPerson(app, "nobody");
    await expectProblem(
      await mint(app, nobody, albumId, request),
      "error.directory.required",
    );
    const old = await provisionAlbum(app, ada, "old", OLD_PROTOCOL);
    await publishRoster(app, ada, old, 1, [{ member: MEMBER }]);
    const answer = await expectJson(await mint(app, ada, old, request), 201);
    assert.equal(answer.min_protocol_version, OLD_PROTOCOL);
    const intent = await intentBytes(ada, old, "old");
    await expectJson(await beginUpgrade(app, ada, old, intent), 200);
    await expectJson(await endUpgrade(app, ada, old, "commit", "old"), 200);
    await expectProblem(
      await mint(app, ada, old, request),
      "error.album.tombstoned",
    );
    await suspend(app, ada);
    await expectProblem(
      await mint(app, ada, albumId, request),
      "error.account.suspended",
    );
  });
});

Deno.test("a mint body is strict, and each fault is named by its path", async () => {
  await withSharedAlbum(async ({ app, owner, albumId }) => {
    const ada = await owner();
    const sound = { peer: PEER, member: MEMBER, scope: "read" };
    const { peer: _peer, ...noPeer } = sound;
    const { member: _member, ...noMember } = sound;
    const { scope: _scope, ...noScope } = sound;
    const cases: [Json, string][] = [
      [noPeer, "/peer"],
      [noMember, "/member"],
      [noScope, "/scope"],
      [{ ...sound, peer: null }, "/peer"],
      [{ ...sound, peer: "" }, "/peer"],
      [{ ...sound, peer: `${PEER}/` }, "/peer"],
      [{ ...sound, peer: "peer.example.org" }, "/peer"],
      [{ ...sound, member: "" }, "/member"],
      [{ ...sound, member: [MEMBER] }, "/member"],
      [{ ...sound, scope: "write" }, "/scope"],
      [{ ...sound, scope: "READ" }, "/scope"],
      [{ ...sound, scope: ["read"] }, "/scope"],
      [{ ...sound, ttl_seconds: "60" }, "/ttl_seconds"],
      [{ ...sound, ttl_seconds: 60.5 }, "/ttl_seconds"],
      [{ ...sound, renewable_until: 1 }, "/renewable_until"],
      [{ ...sound, renewable_until: "tomorrow" }, "/renewable_until"],
      [{ ...sound, renewable_until: "2026-11-22" }, "/renewable_until"],
      [{ ...sound, album_id: albumId }, "/album_id"],
      [{ ...sound, jti: uuidOf("chosen") }, "/jti"],
    ];
    for (const [json, path] of cases) {
      const refusal = await expectProblem(
        await app.send("POST", `/v1/albums/${albumId}/capabilities`, {
          token: ada.token,
          json,
        }),
        "error.request.invalid",
      );
      assert.deepEqual(pathsOf(refusal), [path], JSON.stringify(json));
    }
  });
});
