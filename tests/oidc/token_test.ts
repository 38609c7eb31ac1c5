/**
 * A malicious provider: ID tokens that break one rule each
 * (protocol/authentication.md#the-providers-answers).
 *
 * @module
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { SignJWT } from "jose";
import { profileOf } from "../support/ceremony.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  makeKey,
  type Party,
  signed,
  type SigningKey,
  withParty,
} from "../support/malicious_provider.ts";
import { CLIENT_ID } from "../support/provider.ts";

type Claims = Record<string, unknown>;

/** Claims changed by a table's row, signed by the honest key. */
const CLAIMS: Record<string, (honest: Claims) => Claims> = {
  "an issuer with a slash more": (c) => ({ ...c, iss: `${c["iss"]}/` }),
  "an issuer in capitals": (c) => ({
    ...c,
    iss: String(c["iss"]).toUpperCase(),
  }),
  "another issuer": (c) => ({ ...c, iss: "https://other.example" }),
  "no issuer": without("iss"),
  "an issuer in a list": (c) => ({ ...c, iss: [c["iss"]] }),
  "no audience": without("aud"),
  "another audience": (c) => ({ ...c, aud: "another client" }),
  "an audience that begins like ours": (c) => ({ ...c, aud: `${CLIENT_ID}2` }),
  "audiences without ours": (c) => ({ ...c, aud: ["a", "b"] }),
  "no audience in the list": (c) => ({ ...c, aud: [] }),
  "an audience in a list in a list": (c) => ({ ...c, aud: [[CLIENT_ID]] }),
  "another authorized party": (c) => ({ ...c, azp: "another client" }),
  "another authorized party among our audiences": (c) => ({
    ...c,
    aud: [CLIENT_ID, "another client"],
    azp: "another client",
  }),
  "an expiry 61 s ago": (c) => ({ ...c, exp: seconds(c) - 61 }),
  "an expiry 60 s ago": (c) => ({ ...c, exp: seconds(c) - 60 }),
  "no expiry": without("exp"),
  "an expiry in a text": (c) => ({ ...c, exp: String(c["exp"]) }),
  "an expiry of null": (c) => ({ ...c, exp: null }),
  "a beginning 62 s ahead": (c) => ({ ...c, nbf: seconds(c) + 62 }),
  "a beginning in a text": (c) => ({ ...c, nbf: String(c["iat"]) }),
  "an issue 62 s ahead": (c) => ({ ...c, iat: seconds(c) + 62 }),
  "no issue": without("iat"),
  "an issue in a text": (c) => ({ ...c, iat: String(c["iat"]) }),
  "no nonce": without("nonce"),
  "another nonce": (c) => ({ ...c, nonce: "x".repeat(43) }),
  "a nonce in a list": (c) => ({ ...c, nonce: [c["nonce"]] }),
  "no subject": without("sub"),
  "an empty subject": (c) => ({ ...c, sub: "" }),
  "a subject of 256 characters": (c) => ({ ...c, sub: "x".repeat(256) }),
  "a number for a subject": (c) => ({ ...c, sub: 1001 }),
  "null for a subject": (c) => ({ ...c, sub: null }),
};

/** Tokens that are no honest signature over honest claims. */
const TOKENS: Record<
  string,
  (honest: Claims, keys: Keys) => unknown
> = {
  "no algorithm": (claims) => `${part({ alg: "none" })}.${part(claims)}.`,
  "no algorithm, in capitals": (claims, { honest }) =>
    `${part({ ...honest.header, alg: "NONE" })}.${part(claims)}.`,
  "the public key as an HMAC secret": async (claims, { honest }) =>
    await new SignJWT(claims)
      .setProtectedHeader({ ...honest.header, alg: "HS256" })
      .sign(new TextEncoder().encode(JSON.stringify(honest.published))),
  "an algorithm that is not among the three": (claims, { es384 }) =>
    signed(es384, claims),
  "a key that is not published, under the name of one that is": (
    claims,
    { stranger, honest },
  ) => signed(stranger, claims, honest.header),
  "a key that is not published, under its own name": (claims, { stranger }) =>
    signed(stranger, claims),
  "a key of its own in the header": (claims, { stranger }) =>
    signed(stranger, claims, { jwk: stranger.published }),
  "a critical extension": (claims, { honest }) =>
    signed(honest, claims, { crit: ["extension"], extension: 1 }),
  "an altered claim": async (claims, { honest }) => {
    const [header, , signature] = (await signed(honest, claims)).split(".");
    return `${header}.${part({ ...claims, sub: "1002" })}.${signature}`;
  },
  "claims that are a list": (_, { honest }) => signed(honest, ["sub"]),
  "claims that are null": (_, { honest }) => signed(honest, null),
  "no id_token": () => undefined,
  "null for an id_token": () => null,
  "a number for an id_token": () => 5,
  "an object for an id_token": (claims) => claims,
  "an empty id_token": () => "",
  "garbage": () => "not.a.token",
  "five parts, as if encrypted": () => "a.b.c.d.e",
};

Deno.test("whatever is wrong with an ID token, the answer is one and the same 401", async (t) => {
  await withParty(async ({ app, provider, signIn }) => {
    const keys = await makeKeys(provider);
    const answers = new Set<string>();
    const refused = async (t: Deno.TestContext, what: string) => {
      await t.step(`an ID token with ${what} is refused`, async () => {
        // An unknown kid may be looked for again.
        app.clock.advance(60_000);
        const response = await signIn();
        answers.add(await wire(response.clone()));
        await expectProblem(response, "error.auth.oidc_token_invalid");
      });
    };
    for (const [what, change] of Object.entries(CLAIMS)) {
      provider.idToken = (claims) => signed(keys.honest, change(claims));
      await refused(t, what);
    }
    for (const [what, make] of Object.entries(TOKENS)) {
      provider.idToken = (claims) => make(claims, keys);
      await refused(t, what);
    }
    assert.equal(answers.size, 1, [...answers].join("\n"));
    const { users } = await app.app.db.selectFrom("account")
      .select((e) => e.fn.countAll<number>().as("users"))
      .executeTakeFirstOrThrow();
    assert.equal(users, 0, "a refused token makes no account");
  });
});

const SOUND: Record<string, (honest: Claims) => Claims> = {
  "an expiry 59 s ago": (c) => ({ ...c, exp: seconds(c) - 59 }),
  "a beginning 60 s ahead": (c) => ({ ...c, nbf: seconds(c) + 60 }),
  "an issue 60 s ahead": (c) => ({ ...c, iat: seconds(c) + 60 }),
  "an issue a year ago": (c) => ({ ...c, iat: seconds(c) - 31_536_000 }),
  "our audience among others": (c) => ({ ...c, aud: ["other", CLIENT_ID] }),
  "us as the authorized party": (c) => ({ ...c, azp: CLIENT_ID }),
  "a subject of 255 characters": (c) => ({ ...c, sub: "é".repeat(255) }),
  "a subject of 255 characters outside the first plane": (c) => ({
    ...c,
    sub: "\u{1f511}".repeat(255),
  }),
  "claims that no one asked for": (c) => ({
    ...c,
    email: 5,
    email_verified: true,
    acr: [{}],
  }),
};

Deno.test("an ID token within its bounds is accepted", async (t) => {
  await withParty(async ({ app, provider, signIn }) => {
    for (const [what, change] of Object.entries(SOUND)) {
      provider.idToken = (claims) => signed(provider.signer, change(claims));
      await t.step(`an ID token with ${what} is accepted`, async () => {
        const tokens = await expectJson(await signIn(), 200);
        assert.equal((await profileOf(app, tokens)).address, null);
      });
    }
    await t.step("an ID token without a kid is accepted", async () => {
      const plain = await makeKey(undefined);
      provider.keys = [await makeKey("rs", "RS256"), plain];
      provider.signer = plain;
      provider.idToken = (claims) => signed(plain, claims);
      app.clock.advance(3_600_000);
      await expectJson(await signIn(), 200);
      // Two keys that could be it: each is tried.
      provider.keys = [await makeKey(undefined), plain];
      app.clock.advance(3_600_000);
      await expectJson(await signIn(), 200);
    });
  });
});

Deno.test("subjects are told apart by every one of their characters", async () => {
  await withParty(async ({ signIn }) => {
    const subjects = [
      ["ada", "Ada", " ada", "ada ", "ada\u0000", "ada\u0000x", "ada\u0000y"],
      ["\u00e9", "e\u0301", "1001", "01001", "1001.0", "%", "_"],
    ].flat();
    const users = new Set<string>();
    for (const sub of subjects) {
      const { user_id } = await expectJson(await signIn({ sub }), 200);
      users.add(user_id);
      const again = await expectJson(await signIn({ sub }), 200);
      assert.equal(again.user_id, user_id, JSON.stringify(sub));
    }
    assert.equal(users.size, subjects.length);
  });
});

Deno.test("a subject that is no Unicode text is refused", async () => {
  await withParty(async ({ signIn }) => {
    for (const sub of ["a\ud800", "\udc00a", "\udfff"]) {
      await expectProblem(
        await signIn({ sub }),
        "error.auth.oidc_token_invalid",
      );
    }
  });
});

Deno.test("the log names the issuer and the audience expected and received, the wire does not", async () => {
  await withParty(async ({ app, provider, signIn }) => {
    const told = async (claims: Claims) => {
      app.logged.length = 0;
      const response = await signIn(claims);
      assert.equal(response.status, 401);
      const answer = await wire(response);
      for (const secret of [provider.issuer, CLIENT_ID, "elsewhere"]) {
        assert(!answer.includes(secret), answer);
      }
      return app.logged.map((line) => String(line.properties["cause"]))
        .join("\n");
    };
    const issuer = `${provider.issuer}/elsewhere`;
    const first = await told({ iss: issuer });
    assert(
      first.includes(`expected "${provider.issuer}", received "${issuer}"`),
      first,
    );
    const second = await told({ aud: ["elsewhere", "b"] });
    assert(
      second.includes(`expected "${CLIENT_ID}", received ["elsewhere","b"]`),
      second,
    );
    const third = await told({ azp: "elsewhere" });
    assert(
      third.includes(`expected "${CLIENT_ID}", received "elsewhere"`),
      third,
    );
  });
});

interface Keys {
  readonly honest: SigningKey;
  readonly stranger: SigningKey;
  readonly es384: SigningKey;
}

/** The honest key, an unknown one, and one of a wrong algorithm. */
async function makeKeys(provider: Party["provider"]): Promise<Keys> {
  const es384 = await makeKey("the long key", "ES384");
  provider.keys.push(es384);
  return {
    honest: provider.signer,
    stranger: await makeKey("nobody knows it"),
    es384,
  };
}

function without(name: string) {
  return ({ [name]: _, ...rest }: Claims): Claims => rest;
}

/** The provider's time in the claims. */
function seconds(claims: Claims): number {
  return Number(claims["iat"]);
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Everything that a client can see of an answer. */
async function wire(response: Response): Promise<string> {
  return JSON.stringify([
    response.status,
    [...response.headers],
    await response.text(),
  ]);
}
