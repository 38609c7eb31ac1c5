import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { fromBase64, fromBase64Url, utf8 } from "../../src/core/bytes.ts";
import { ORIGIN, START_MS, type TestApp, withTestApp } from "../support/app.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import { PASSWORD, type Person, registerPerson } from "../support/people.ts";
import { suspend } from "../support/api.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

function profile(app: TestApp, token: string): Promise<Response> {
  return app.send("GET", "/v1/auth/profile", { token });
}

function refresh(app: TestApp, sessionToken: string): Promise<Response> {
  return app.send("POST", "/v1/auth/refresh", {
    json: { session_token: sessionToken },
  });
}

async function refreshed(app: TestApp, sessionToken: string): Promise<string> {
  return (await expectJson(await refresh(app, sessionToken), 200)).access_token;
}

function logout(app: TestApp, token: string): Promise<Response> {
  return app.send("POST", "/v1/auth/logout", { token });
}

async function signIn(app: TestApp, person: Person): Promise<Json> {
  return await expectJson(
    await app.send("POST", "/v1/auth/login", {
      json: { address: person.address, password: PASSWORD },
    }),
    200,
  );
}

Deno.test("an access token is an EdDSA JWT under the published key", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const info = await expectJson(
      await app.send("GET", "/.well-known/service/server-info"),
      200,
    );
    const [head = "", body = "", signature = ""] = ada.token.split(".");
    const read = (part: string) =>
      JSON.parse(
        new TextDecoder().decode(fromBase64Url(part) ?? new Uint8Array()),
      );
    const { kid, ...header } = read(head);
    assert.deepEqual(header, { alg: "EdDSA", typ: "at+jwt" });
    assert.equal(typeof kid, "string");
    const { jti, ...claims } = read(body);
    assert.match(jti, /^[0-9a-f-]{36}$/);
    assert.deepEqual(claims, {
      iss: ORIGIN,
      aud: ORIGIN,
      sub: ada.userId,
      sid: ada.sessionId,
      iat: START_MS / SECOND,
      exp: START_MS / SECOND + 15 * 60,
    });
    const key = await crypto.subtle.importKey(
      "raw",
      fromBase64(info.signing_key) ?? new Uint8Array(),
      "Ed25519",
      false,
      ["verify"],
    );
    assert(
      await crypto.subtle.verify(
        "Ed25519",
        key,
        fromBase64Url(signature) ?? new Uint8Array(),
        utf8(`${head}.${body}`),
      ),
    );
  });
});

Deno.test("an access token lives fifteen minutes", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    app.clock.advance(15 * MINUTE - SECOND);
    await expectJson(await profile(app, ada.token), 200);
    app.clock.advance(SECOND);
    await expectProblem(
      await profile(app, ada.token),
      "error.auth.token_invalid",
    );
    await expectJson(
      await profile(app, await refreshed(app, ada.sessionToken)),
      200,
    );
  });
});

Deno.test("a refresh answers an access token; the session token does not rotate", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    app.clock.advance(MINUTE);
    const answer = await expectJson(await refresh(app, ada.sessionToken), 200);
    assert.deepEqual(Object.keys(answer).toSorted(), [
      "access_token",
      "access_token_expires_at",
      "token_type",
    ]);
    assert.equal(answer.token_type, "Bearer");
    assert.equal(
      Date.parse(answer.access_token_expires_at),
      START_MS + 16 * MINUTE,
    );
    await expectJson(await profile(app, answer.access_token), 200);
    await expectJson(await profile(app, ada.token), 200);
    await expectJson(await refresh(app, ada.sessionToken), 200);
  });
});

Deno.test("the session token alone is the credential of a refresh", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    for (const authorization of ["Bearer garbage", "Basic x", ada.token]) {
      await expectJson(
        await app.send("POST", "/v1/auth/refresh", {
          headers: { Authorization: authorization },
          json: { session_token: ada.sessionToken },
        }),
        200,
      );
    }
    for (
      const token of [
        "",
        "AAAAAAAAAAAAAAAAAAAAAA",
        ada.sessionToken.slice(1),
        `${ada.sessionToken}=`,
        `${ada.sessionToken} `,
        ada.sessionId,
        ada.token,
        "x".repeat(10_000),
      ]
    ) {
      const response = await app.send("POST", "/v1/auth/refresh", {
        token: ada.token,
        json: { session_token: token },
      });
      assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer\b/);
      await expectProblem(response, "error.auth.session_token_invalid");
    }
  });
});

Deno.test("signing out closes the session of the presented token, again and again", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const other = await signIn(app, ada);
    await expectEmpty(await logout(app, ada.token), 204);
    await expectProblem(
      await profile(app, ada.token),
      "error.auth.token_invalid",
    );
    await expectProblem(
      await refresh(app, ada.sessionToken),
      "error.auth.session_token_invalid",
    );
    await expectEmpty(await logout(app, ada.token), 204);
    await expectJson(await profile(app, other.access_token), 200);
    await expectJson(await refresh(app, other.session_token), 200);
    app.clock.advance(15 * MINUTE);
    await expectProblem(
      await logout(app, ada.token),
      "error.auth.token_invalid",
    );
  });
});

Deno.test("a session ends after 180 days without an access token", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    app.clock.advance(180 * DAY - SECOND);
    // Counted from the last issuance: this one begins a new wait.
    const token = await refreshed(app, ada.sessionToken);
    app.clock.advance(10 * MINUTE);
    await expectJson(await profile(app, token), 200);
    // The use of the access token began none.
    app.clock.advance(180 * DAY - 10 * MINUTE);
    await expectProblem(
      await refresh(app, ada.sessionToken),
      "error.auth.session_token_invalid",
    );
  });
});

Deno.test("a session ends 365 days after it was opened, used or not", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    for (let day = 0; day < 300; day += 100) {
      app.clock.advance(100 * DAY);
      await refreshed(app, ada.sessionToken);
    }
    app.clock.advance(65 * DAY - SECOND);
    await refreshed(app, ada.sessionToken);
    app.clock.advance(SECOND);
    await expectProblem(
      await refresh(app, ada.sessionToken),
      "error.auth.session_token_invalid",
    );
  });
});

Deno.test("both session limits are settings", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const sleeper = await registerPerson(app, "bob");
    for (const _ of [1, 2]) {
      app.clock.advance(2 * DAY - SECOND);
      await refreshed(app, ada.sessionToken);
    }
    await expectProblem(
      await refresh(app, sleeper.sessionToken),
      "error.auth.session_token_invalid",
    );
    app.clock.advance(DAY + 2 * SECOND);
    await expectProblem(
      await refresh(app, ada.sessionToken),
      "error.auth.session_token_invalid",
    );
  }, {
    settings: {
      STRONGROOM_SESSION_INACTIVITY_DAYS: "2",
      STRONGROOM_SESSION_LIFETIME_DAYS: "5",
    },
  });
});

Deno.test("no answer depends on the purge having run", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const live = await refreshed(app, ada.sessionToken);
    await app.purge();
    await expectJson(await profile(app, live), 200);
    app.clock.advance(180 * DAY);
    const before = await refresh(app, ada.sessionToken);
    await app.purge();
    const after = await refresh(app, ada.sessionToken);
    assert.equal(before.status, after.status);
    assert.equal(await before.text(), await after.text());
  });
});

Deno.test("the last-used time is written at most once a minute", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const lastUsed = async () => {
      await expectJson(await profile(app, ada.token), 200);
      const row = await app.app.db.selectFrom("session")
        .select("last_used_at")
        .where("user_id", "=", ada.userId as Json)
        .executeTakeFirstOrThrow();
      return row.last_used_at - START_MS;
    };
    assert.equal(await lastUsed(), 0);
    app.clock.advance(MINUTE - SECOND);
    assert.equal(await lastUsed(), 0);
    app.clock.advance(2 * SECOND);
    assert.equal(await lastUsed(), MINUTE + SECOND);
    app.clock.advance(30 * SECOND);
    assert.equal(await lastUsed(), MINUTE + SECOND);
    // Neither by an access token that is issued meanwhile.
    await expectJson(await refresh(app, ada.sessionToken), 200);
    assert.equal(await lastUsed(), MINUTE + SECOND);
    app.clock.advance(31 * SECOND);
    await expectJson(await refresh(app, ada.sessionToken), 200);
    assert.equal(await lastUsed(), 2 * MINUTE + 2 * SECOND);
  });
});

Deno.test("sessions outlive a restart", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const closed = await signIn(app, ada);
    await expectEmpty(await logout(app, closed.access_token), 204);
    const again = await app.reopen();
    await expectJson(await profile(again, ada.token), 200);
    await expectJson(await refresh(again, ada.sessionToken), 200);
    await expectProblem(
      await profile(again, closed.access_token),
      "error.auth.token_invalid",
    );
  });
});

Deno.test("a suspended account signs in, refreshes, reads and signs out", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await suspend(app, ada);
    const tokens = await signIn(app, ada);
    await expectJson(await profile(app, tokens.access_token), 200);
    await expectJson(await refresh(app, ada.sessionToken), 200);
    await expectEmpty(await logout(app, ada.token), 204);
  });
});

Deno.test("an unreadable session ledger refuses: 401, and a refresh 500", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const sqlite = new DatabaseSync(`${app.dataDir}/db/strongroom.sqlite`);
    sqlite.exec("alter table session rename to hidden_session");
    await expectProblem(
      await profile(app, ada.token),
      "error.auth.token_invalid",
    );
    await expectProblem(
      await refresh(app, ada.sessionToken),
      "error.auth.unavailable",
    );
    sqlite.exec("alter table hidden_session rename to session");
    sqlite.close();
    await expectJson(await profile(app, ada.token), 200);
    await expectJson(await refresh(app, ada.sessionToken), 200);
  });
});
