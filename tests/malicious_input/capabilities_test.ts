/**
 * Capabilities that this server did not mint, or not so
 * (protocol/federation.md#capability): each is 401, and none of them is an
 * error of the server's own.
 *
 * @module
 */
import assert from "node:assert/strict";
import { generateKeyPair } from "jose";
import { refreshCapability } from "../support/albums.ts";
import { ORIGIN, type TestApp, withTestApp } from "../support/app.ts";
import {
  DAY,
  expectDead,
  expectInvalid,
  expectReads,
  FEDERATED,
  fromNow,
  HOUR,
  MEMBER,
  MINUTE,
  PEER,
  shareAlbum,
  type SharedAlbum,
  successorOf,
  withSharedAlbum,
} from "../support/capabilities.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  forge,
  forgeText,
  headlessTokens,
  part,
  partsOf,
  tamperedTokens,
} from "../support/forgery.ts";
import { uuidOf } from "../support/people.ts";

/** Whoever does not call itself a capability is tried as an access token. */
async function expectNoCapability(
  app: TestApp,
  token: string,
  what: string,
): Promise<void> {
  const read = await app.send("GET", "/v1/sync", { token });
  const { status } = read;
  assert.equal(status, 401, `${what}: ${await read.clone().text()}`);
  await expectProblem(read, "error.auth.token_invalid");
  await expectInvalid(await refreshCapability(app, token), what);
}

/** Runs a test over a renewable capability, which it must not hurt. */
async function withCapability(
  test: (shared: SharedAlbum, token: string) => Promise<void>,
): Promise<void> {
  await withSharedAlbum(async (shared) => {
    const { token } = await shared.minted({
      renewable_until: fromNow(shared.app, DAY),
    });
    await test(shared, token);
    await expectReads(shared.app, token);
    await successorOf(shared.app, token);
  });
}

Deno.test("a capability whose header, claims or signature were changed is refused", async () => {
  await withCapability(async ({ app }, token) => {
    const [head, , signature] = token.split(".");
    const [, claims] = partsOf(token);
    const tokens = await tamperedTokens(app, token);
    for (
      const over of [
        { album: uuidOf("no album") },
        { scope: "read-derivative-only" },
        { aud: "https://eve.example.org" },
        { jti: uuidOf("another") },
      ]
    ) {
      const what = JSON.stringify(over);
      tokens[what] = `${head}.${part({ ...claims, ...over })}.${signature}`;
    }
    for (const [name, one] of Object.entries(tokens)) {
      await expectDead(app, one, name);
    }
  });
});

Deno.test("what does not call itself a capability is taken for a bad access token", async () => {
  await withCapability(async ({ app }, token) => {
    const [header, claims] = partsOf(token);
    const { typ, ...bare } = header;
    const tokens = headlessTokens(token);
    tokens["no typ"] = await forge(app, bare, claims);
    for (const other of [[typ], null, "JWT"]) {
      const what = JSON.stringify(other);
      tokens[what] = await forge(app, { ...bare, typ: other }, claims);
    }
    for (const [name, one] of Object.entries(tokens)) {
      await expectNoCapability(app, one, name);
    }
  });
});

Deno.test("an access token with a capability's typ is refused, and the reverse", async () => {
  await withCapability(async (shared, token) => {
    const { app } = shared;
    const { token: access } = await shared.owner();
    const [capability, claims] = partsOf(token);
    const [session, sessionClaims] = partsOf(access);
    await expectDead(
      app,
      await forge(app, capability, sessionClaims),
      "an access token's claims",
    );
    await expectNoCapability(
      app,
      await forge(app, session, claims),
      "a capability's claims",
    );
    // Nor does one become the other by having the claims of both.
    const both = { ...claims, ...sessionClaims };
    const asSession = await forge(app, capability, both);
    await expectDead(app, asSession, "both");
    const asCapability = await forge(app, session, {
      ...sessionClaims,
      ...claims,
    });
    await expectNoCapability(app, asCapability, "both");
    for (const one of [token, asSession]) {
      await expectProblem(
        await app.send("GET", "/v1/auth/profile", { token: one }),
        "error.auth.token_invalid",
      );
    }
  });
});

Deno.test("a forged capability that is right in everything is accepted", async () => {
  await withCapability(async ({ app }, token) => {
    const [header, claims] = partsOf(token);
    await expectReads(app, await forge(app, header, { ...claims, extra: 1 }));
  });
});

Deno.test("claims that are missing, of the wrong form or not of this server are refused", async () => {
  await withCapability(async ({ app }, token) => {
    const [header, claims] = partsOf(token);
    const refused = async (over: Json, what: string) =>
      await expectDead(app, await forge(app, header, over), what);
    for (const name of Object.keys(claims)) {
      const { [name]: _gone, ...rest } = claims;
      await refused(rest, `without ${name}`);
      for (const value of [null, [claims[name]], { id: 1 }, true, ""]) {
        // A list of one audience is an audience too (RFC 7519 section 4.1.3).
        if (name === "aud" && Array.isArray(value)) continue;
        // Whom it is for, its grant's record tells, not the token.
        if (["aud", "sub"].includes(name) && value === "") continue;
        await refused(
          { ...claims, [name]: value },
          `${name}: ${JSON.stringify(value)}`,
        );
      }
    }
    const now = app.clock.now / 1_000;
    const cases: [string, Json][] = [
      ["another issuer", { iss: PEER }],
      ["issuer with a slash", { iss: `${ORIGIN}/` }],
      ["expired", { exp: now }],
      ["exp as text", { exp: String(claims.exp) }],
      ["not before tomorrow", { nbf: now + 86_400 }],
      ["an unknown scope", { scope: "write" }],
      ["an unknown grant", { grant: uuidOf("no grant"), jti: uuidOf("none") }],
      ["a grant by injection", { grant: "' or 1=1 --" }],
      ["a jti never issued", { jti: uuidOf("never issued") }],
    ];
    for (const [name, over] of cases) {
      await refused({ ...claims, ...over }, name);
    }
    await expectDead(
      app,
      await forge(app, { ...header, crit: ["x"], x: 1 }, claims),
      "an unknown crit",
    );
  });
});

Deno.test("of duplicated claims none gives more than the grant", async () => {
  await withCapability(async ({ app }, token) => {
    const [header, claims] = partsOf(token);
    const text = JSON.stringify(claims).slice(1, -1);
    const twice = (other: string) =>
      forgeText(app, header, `{${text},${other}}`);
    await expectDead(app, await twice('"exp":1'), "expired in the end");
    await expectDead(app, await twice(`"iss":"${PEER}"`), "another issuer");
    // What a token may read stands in its grant's record.
    const wider = await twice(`"album":"${uuidOf("no album")}"`);
    const { entries } = await expectJson(
      await app.send("GET", "/v1/sync", { token: wider }),
      200,
    );
    for (const entry of entries) assert.equal(entry.album_id, claims.album);
    for (const broken of ["", "null", "[]", "1", '"text"', "{", `{${text},}`]) {
      await expectDead(app, await forgeText(app, header, broken), broken);
    }
  });
});

Deno.test("a capability of another server, or under another key, is refused", async () => {
  await withCapability(async ({ app }, token) => {
    const [header, claims] = partsOf(token);
    await withTestApp(async (other) => {
      const twin = await shareAlbum(other);
      const theirs = await twin.minted({
        renewable_until: fromNow(other, DAY),
      });
      await expectDead(app, theirs.token, "another server's");
      await expectDead(other, token, "another server's");
    }, { settings: FEDERATED });
    const { privateKey } = await generateKeyPair("EdDSA", {
      crv: "Ed25519",
      extractable: true,
    });
    const forged = await forge(app, header, claims, privateKey);
    await expectDead(app, forged, "another key under this kid");
    const { kid: _kid, ...bare } = header;
    const { x } = await crypto.subtle.exportKey("jwk", privateKey);
    for (
      const more of [{}, { kid: "" }, {
        jwk: { kty: "OKP", crv: "Ed25519", x },
      }]
    ) {
      const one = await forge(app, { ...bare, ...more }, claims, privateKey);
      await expectDead(app, one, JSON.stringify(more));
    }
  });
});

Deno.test("a member's name, a jti and a grant are no capability", async () => {
  await withCapability(async ({ app }, token) => {
    const { jti, grant } = partsOf(token)[1];
    for (const text of [jti, grant, MEMBER.split("@")[0] ?? ""]) {
      await expectNoCapability(app, text, text);
    }
    // No form of a bearer token at all.
    for (const text of ["", "a b", `${token},x`, `${token} ${token}`]) {
      const response = await refreshCapability(app, text);
      const { code } = await response.json();
      assert.equal(response.status, 401, text);
      assert.match(code, /^error\.(auth\.token_missing|federation\.)/, text);
    }
  });
});

Deno.test("a clock set back gives only declared answers and no further rights", async () => {
  await withSharedAlbum(async (shared) => {
    const { app } = shared;
    const until = fromNow(app, DAY);
    const ahead = await shared.minted({
      ttl_seconds: 60,
      renewable_until: until,
    });
    const revoked = await shared.minted({ renewable_until: until });
    await shared.revoke(revoked.jti);
    app.clock.jump(-HOUR);
    await expectDead(app, ahead.token, "issued in what is now the future");
    await expectDead(app, revoked.token, "revoked in what is now the future");
    app.clock.jump(HOUR);
    await expectReads(app, ahead.token);
    await expectDead(app, revoked.token, "revoked");
    const successor = await successorOf(app, ahead.token);
    assert(Date.parse(successor.expires_at) <= app.clock.now + MINUTE);
    assert.equal(successor.not_after, ahead.not_after);
    for (let time = 0; time < 29; time += 1) {
      await successorOf(app, ahead.token);
    }
    await expectProblem(
      await refreshCapability(app, ahead.token),
      "error.federation.rate_limited",
    );
    app.clock.jump(-DAY);
    await expectDead(app, successor.token, "issued in what is now the future");
    app.clock.jump(DAY);
    app.clock.advance(HOUR + MINUTE);
    await expectDead(app, ahead.token, "expired");
    await expectDead(app, successor.token, "expired");
  });
});
