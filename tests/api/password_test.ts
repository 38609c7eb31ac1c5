import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { PASSWORD, type Person, registerPerson } from "../support/people.ts";
import {
  challengeOf,
  enrollConfirmed,
  login,
  verify,
} from "../support/second_factor.ts";

const NEW_PASSWORD = "an entirely different phrase";

function change(
  app: TestApp,
  token: string,
  current = PASSWORD,
  next = NEW_PASSWORD,
) {
  return app.send("POST", "/v1/auth/password", {
    token,
    json: { current_password: current, new_password: next },
  });
}

function refresh(app: TestApp, sessionToken: string) {
  return app.send("POST", "/v1/auth/refresh", {
    json: { session_token: sessionToken },
  });
}

function profile(app: TestApp, token: string) {
  return app.send("GET", "/v1/auth/profile", { token });
}

async function secondSession(app: TestApp, person: Person) {
  return await expectJson(await login(app, person), 200);
}

Deno.test("a password change closes every session and opens the caller's own again under its own id", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const other = await secondSession(app, ada);
    const changed = await expectJson(await change(app, ada.token), 200);
    assert.equal(changed.session_id, ada.sessionId);
    assert.notEqual(changed.session_token, ada.sessionToken);
    for (const token of [ada.token, other.access_token]) {
      await expectProblem(
        await profile(app, token),
        "error.auth.token_invalid",
      );
    }
    for (const token of [ada.sessionToken, other.session_token]) {
      await expectProblem(
        await refresh(app, token),
        "error.auth.session_token_invalid",
      );
    }
    await expectJson(await profile(app, changed.access_token), 200);
    const minted = await expectJson(
      await refresh(app, changed.session_token),
      200,
    );
    await expectJson(await profile(app, minted.access_token), 200);
    await expectProblem(
      await login(app, ada),
      "error.auth.credentials_invalid",
    );
    await expectJson(await login(app, ada, NEW_PASSWORD), 200);
  });
});

Deno.test("the hard expiry of a session outlives a password change unchanged", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const first = await expectJson(
      await app.send("GET", "/v1/auth/sessions", { token: ada.token }),
      200,
    );
    app.clock.advance(60_000);
    const changed = await expectJson(await change(app, ada.token), 200);
    assert.equal(changed.session_expires_at, first.sessions[0].expires_at);
  });
});

Deno.test("a wrong current password is 403, never 401, and locks like a sign-in", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    for (let n = 0; n < 10; n++) {
      await expectProblem(
        await change(app, ada.token, "not the password at all"),
        "error.auth.password_incorrect",
      );
    }
    await expectProblem(
      await change(app, ada.token),
      "error.auth.account_locked",
    );
    await expectProblem(await login(app, ada), "error.auth.account_locked");
    await expectProblem(
      await app.send("POST", "/v1/auth/reauthenticate", {
        token: ada.token,
        json: { password: PASSWORD },
      }),
      "error.auth.account_locked",
    );
  });
});

Deno.test("a new password has at least twelve characters, counted as code points", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    for (const next of ["elevenchars", "𝒳".repeat(11), "x".repeat(1_025)]) {
      const { errors } = await expectProblem(
        await change(app, ada.token, PASSWORD, next),
        "error.request.invalid",
      );
      assert.equal(errors[0].path, "/new_password");
    }
    await expectJson(
      await change(app, ada.token, PASSWORD, "𝒳".repeat(12)),
      200,
    );
  });
});

Deno.test("reauthenticating takes a password alone and is recent for five minutes", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const send = (json: unknown) =>
      app.send("POST", "/v1/auth/reauthenticate", { token: ada.token, json });
    const answer = await expectJson(await send({ password: PASSWORD }), 200);
    assert.equal(
      Date.parse(answer.valid_until) - Date.parse(answer.reauthenticated_at),
      300_000,
    );
    await expectProblem(
      await send({ password: "wrong" }),
      "error.auth.password_incorrect",
    );
    await expectProblem(
      await send({ password: PASSWORD, code: "123456" }),
      "error.request.invalid",
    );
  });
});

Deno.test("a challenge of the old password leads nowhere after the change", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enrollConfirmed(app, ada);
    const { challenge_id } = await challengeOf(app, ada);
    await expectJson(await change(app, ada.token), 200);
    await expectProblem(
      await verify(app, challenge_id, authenticator.code()),
      "error.auth.challenge_expired",
    );
  });
});

Deno.test("of two password changes at once one succeeds", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    // A token that is known already: both are let in before either changes.
    await expectJson(
      await app.send("GET", "/v1/auth/profile", { token: ada.token }),
      200,
    );
    const answers = await Promise.all([
      change(app, ada.token, PASSWORD, "the first new password"),
      change(app, ada.token, PASSWORD, "the second new password"),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, 403]);
    for (const answer of answers) await answer.body?.cancel();
  });
});

Deno.test("a token that a refresh mints during a password change is refused or belongs to the time before", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const [changed, ...refreshed] = await Promise.all([
      change(app, ada.token),
      ...Array.from({ length: 20 }, () => refresh(app, ada.sessionToken)),
    ]);
    const tokens = await expectJson(changed, 200);
    for (const answer of refreshed) {
      const body = await answer.json();
      if (answer.status !== 200) continue;
      await expectProblem(
        await profile(app, body.access_token),
        "error.auth.token_invalid",
      );
    }
    await expectJson(await profile(app, tokens.access_token), 200);
  });
});

Deno.test("a sign-in with the old password during a change leaves no session behind", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const [changed, ...logins] = await Promise.all([
      change(app, ada.token),
      ...Array.from({ length: 4 }, () => login(app, ada)),
    ]);
    const tokens = await expectJson(changed, 200);
    for (const answer of logins) await answer.body?.cancel();
    const { sessions } = await expectJson(
      await app.send("GET", "/v1/auth/sessions", {
        token: tokens.access_token,
      }),
      200,
    );
    assert.deepEqual(
      sessions.map((one: { session_id: string }) => one.session_id),
      [ada.sessionId],
    );
  });
});

Deno.test("a suspended account changes its password and reauthenticates", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await app.app.db.updateTable("account").set({ suspended_at: 1 }).execute();
    const changed = await expectJson(await change(app, ada.token), 200);
    await expectProblem(
      await app.send("PATCH", "/v1/auth/profile", {
        token: changed.access_token,
        json: { display_name: "Ada" },
      }),
      "error.account.suspended",
    );
    await expectEmpty(
      await app.send("POST", "/v1/auth/logout", {
        token: changed.access_token,
      }),
      204,
    );
  });
});
