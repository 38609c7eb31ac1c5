/**
 * Access tokens that this server did not issue, or not so
 * (protocol/authentication.md#tokens): each is 401 `error.auth.token_invalid`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { ORIGIN, type TestApp, withTestApp } from "../support/app.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  forge,
  headlessTokens,
  partsOf,
  tamperedTokens,
} from "../support/forgery.ts";
import { type Person, registerPerson, uuidOf } from "../support/people.ts";
import { expectNoErrors } from "../support/api.ts";

async function expectRefused(
  app: TestApp,
  token: string,
  what: string,
): Promise<void> {
  for (
    const [method, path] of [
      ["GET", "/v1/auth/profile"],
      ["POST", "/v1/auth/logout"],
    ] as const
  ) {
    const response = await app.send(method, path, { token });
    const challenge = response.headers.get("www-authenticate") ?? "";
    const { status } = response;
    assert.equal(status, 401, `${what}: ${await response.clone().text()}`);
    assert.match(challenge, /^Bearer\b.*error="invalid_token"/, what);
    await expectProblem(response, "error.auth.token_invalid");
  }
}

async function withAda(
  test: (app: TestApp, ada: Person) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await test(app, ada);
    // Nothing of it hurt the session.
    await expectJson(
      await app.send("GET", "/v1/auth/profile", { token: ada.token }),
      200,
    );
    expectNoErrors(app);
  });
}

Deno.test("a forged token that is right in everything is accepted", async () => {
  await withAda(async (app, ada) => {
    const [header, claims] = partsOf(ada.token);
    const token = await forge(app, header, { ...claims, jti: uuidOf("jti") });
    await expectJson(await app.send("GET", "/v1/auth/profile", { token }), 200);
  });
});

Deno.test("a token has one spelling", async () => {
  await withAda(async (app, ada) => {
    const [head = "", body = "", signature = ""] = ada.token.split(".");
    // The last of 86 digits carries four bits that belong to no byte.
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" +
      "0123456789-_";
    const last = digits.indexOf(signature.slice(-1));
    assert.equal(last & 0b1111, 0);
    for (const bits of [1, 7, 15]) {
      const other = signature.slice(0, -1) + digits[last + bits];
      await expectRefused(app, `${head}.${body}.${other}`, `bits ${bits}`);
    }
    for (const end of ["=", "=="]) {
      await expectRefused(app, ada.token + end, end);
    }
    const standard = signature.replaceAll("-", "+").replaceAll("_", "/");
    if (standard !== signature) {
      await expectRefused(app, `${head}.${body}.${standard}`, "standard");
    }
    // A session token is compared by its text.
    for (
      const session_token of [`${ada.sessionToken}==`, `${ada.sessionToken} `]
    ) {
      await expectProblem(
        await app.send("POST", "/v1/auth/refresh", { json: { session_token } }),
        "error.auth.session_token_invalid",
      );
    }
  });
});

Deno.test("a token whose header or signature was changed is refused", async () => {
  await withAda(async (app, ada) => {
    const [head, body] = ada.token.split(".");
    const tokens = {
      ...await tamperedTokens(app, ada.token),
      ...headlessTokens(ada.token),
    };
    for (const [name, token] of Object.entries(tokens)) {
      await expectRefused(app, token, name);
    }
    // No form of a bearer token at all: whether it counts as one is open.
    for (
      const text of [
        '{"payload":"e30"}',
        "",
        "a b",
        `${ada.token},x`,
        `${head}.${body}.***`,
      ]
    ) {
      const response = await app.send("GET", "/v1/auth/profile", {
        token: text,
      });
      await response.body?.cancel();
      assert.equal(response.status, 401, text);
    }
  });
});

Deno.test("a token of another type, issuer, audience or time is refused", async () => {
  await withAda(async (app, ada) => {
    const [header, claims] = partsOf(ada.token);
    const { sid: _sid, ...withoutSid } = claims;
    const { exp: _exp, ...withoutExp } = claims;
    const { sub: _sub, ...withoutSub } = claims;
    const { aud: _aud, ...withoutAud } = claims;
    const { iss: _iss, ...withoutIss } = claims;
    const now = app.clock.now / 1_000;
    const cases: [string, Json, Json][] = [
      ["another type", { ...header, typ: "service-capability+jwt" }, claims],
      ["a plain JWT", { ...header, typ: "JWT" }, claims],
      ["an unknown kid", { ...header, kid: "0".repeat(64) }, claims],
      ["an unknown crit", { ...header, crit: ["x"], x: 1 }, claims],
      ["another issuer", header, { ...claims, iss: "https://evil.example" }],
      ["another audience", header, { ...claims, aud: `${ORIGIN}/` }],
      ["expired", header, { ...claims, exp: now }],
      ["exp as text", header, { ...claims, exp: String(claims.exp) }],
      ["exp null", header, { ...claims, exp: null }],
      ["without exp", header, withoutExp],
      ["without sid", header, withoutSid],
      ["without sub", header, withoutSub],
      ["without aud", header, withoutAud],
      ["without iss", header, withoutIss],
      ["sid not an id", header, { ...claims, sid: "' or 1=1 --" }],
      ["sid not a text", header, { ...claims, sid: [claims.sid] }],
      ["sub not a text", header, { ...claims, sub: { id: claims.sub } }],
      ["not before tomorrow", header, { ...claims, nbf: now + 86_400 }],
    ];
    for (const [name, head, body] of cases) {
      await expectRefused(app, await forge(app, head, body), name);
    }
  });
});

Deno.test("a session that is unknown or another's does not carry a token", async () => {
  await withAda(async (app, ada) => {
    const eve = await registerPerson(app, "eve");
    const [header, claims] = partsOf(eve.token);
    for (const sid of [uuidOf("no session"), ada.sessionId]) {
      const token = await forge(app, header, { ...claims, sid });
      await expectProblem(
        await app.send("GET", "/v1/auth/profile", { token }),
        "error.auth.token_invalid",
      );
      // A session never opened is closed: signing out of it is done.
      await expectEmpty(
        await app.send("POST", "/v1/auth/logout", { token }),
        204,
      );
    }
  });
});

Deno.test("another server's token, a session token and a password are refused", async () => {
  await withAda(async (app, ada) => {
    await withTestApp(async (other) => {
      const twin = await registerPerson(other, "ada");
      await expectRefused(app, twin.token, "another server's");
      await expectRefused(other, ada.token, "another server's");
    });
    await expectRefused(app, ada.sessionToken, "the session token");
    await expectRefused(app, ada.sessionId, "the session id");
  });
});

Deno.test("a closed session's token is good for signing out alone", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const logout = () =>
      app.send("POST", "/v1/auth/logout", { token: ada.token });
    await expectEmpty(await logout(), 204);
    await expectEmpty(await logout(), 204);
    await expectProblem(
      await app.send("GET", "/v1/auth/profile", { token: ada.token }),
      "error.auth.token_invalid",
    );
  });
});
