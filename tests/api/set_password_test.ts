/**
 * A password that the operator sets for a person who forgot theirs
 * (protocol/authentication.md#a-password-of-the-operators).
 *
 * @module
 */
import assert from "node:assert/strict";
import { setPassword } from "../../src/features/accounts/set_password.ts";
import { ROUTES } from "../../src/routes.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { PASSWORD, type Person, registerPerson } from "../support/people.ts";
import { enrollConfirmed } from "../support/second_factor.ts";
import { expectSameAnswers } from "../support/api.ts";
import { fillPath, UNKNOWN } from "../support/spec_requests.ts";

const GIVEN = "what the operator typed";
const NEW = "a wholly new sentence";
/** What reads, and says in a body what. */
const READS = ["verifyStorage"];
const DAY = 86_400_000;
const HOME = "192.0.2.1";
const THREE = { settings: { STRONGROOM_LIMIT_LOCKOUT: "3" } };

function set(app: TestApp, password = GIVEN) {
  const { passwords } = app.app.secrets;
  return setPassword(app.app, passwords, "ada@example.org", password);
}

function login(app: TestApp, password: string, from = HOME) {
  return app.send("POST", "/v1/auth/login", {
    json: { address: "ada@example.org", password },
    from,
  });
}

async function signedIn(app: TestApp, password: string) {
  const { access_token: token } = await expectJson(
    await login(app, password),
    200,
  );
  return { token };
}

function profile(app: TestApp, { token }: Pick<Person, "token">) {
  return app.send("GET", "/v1/auth/profile", { token });
}

function change(
  app: TestApp,
  { token }: Pick<Person, "token">,
  current: string,
  next: string,
) {
  return app.send("POST", "/v1/auth/password", {
    token,
    json: { current_password: current, new_password: next },
  });
}

Deno.test("a password of the operator's ends every session, signs in once, and is an ordinary one after it was changed", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const before = await expectJson(await profile(app, ada), 200);
    assert.equal(before.password_must_change, false);
    const { sessions, until } = await set(app);
    assert.equal(sessions, 1);
    assert.equal(until, app.clock.now + DAY);
    await expectProblem(await profile(app, ada), "error.auth.token_invalid");
    await expectProblem(
      await login(app, PASSWORD),
      "error.auth.credentials_invalid",
    );
    const first = await signedIn(app, GIVEN);
    const told = await expectJson(await profile(app, first), 200);
    assert.equal(told.password_must_change, true);
    await expectProblem(
      await login(app, GIVEN),
      "error.auth.credentials_invalid",
    );
    const { access_token: token } = await expectJson(
      await change(app, first, GIVEN, NEW),
      200,
    );
    const after = await expectJson(await profile(app, { token }), 200);
    assert.equal(after.password_must_change, false);
    await expectJson(
      await app.send("PATCH", "/v1/auth/profile", {
        token,
        json: { display_name: "Ada" },
      }),
      200,
    );
    await signedIn(app, NEW);
    await signedIn(app, NEW);
    await expectJson(await profile(app, bob), 200);
  });
});

Deno.test("until it is changed every write of the account is refused, and every read goes on", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    await set(app);
    const ada = await signedIn(app, GIVEN);
    let refused = 0;
    for (const { spec } of ROUTES) {
      if (spec.credential !== "session" || spec.forOperators) continue;
      if (spec.operation === "changePassword") continue;
      const path = fillPath(spec.path, UNKNOWN);
      if (spec.method === "GET" || READS.includes(spec.operation)) {
        const answer = await app.send(spec.method, path, ada);
        const text = await answer.text();
        assert.doesNotMatch(text, /reauthentication/, spec.operation);
        continue;
      }
      refused++;
      await expectProblem(
        await app.send(spec.method, path, ada),
        "error.auth.reauthentication_required",
      );
    }
    assert(refused > 30, `${refused}`);
    await expectJson(await change(app, ada, GIVEN, NEW), 200);
  });
});

Deno.test("a session that it opened can be ended", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    await set(app);
    const ada = await signedIn(app, GIVEN);
    await expectEmpty(await app.send("POST", "/v1/auth/logout", ada), 204);
    await expectProblem(
      await login(app, GIVEN),
      "error.auth.credentials_invalid",
    );
  });
});

Deno.test("it is not changed to itself, nor to a password that the rules refuse", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    await set(app);
    const ada = await signedIn(app, GIVEN);
    for (const next of [GIVEN, "too short", "passwordpassword"]) {
      const { errors } = await expectProblem(
        await change(app, ada, GIVEN, next),
        "error.request.invalid",
      );
      assert.equal(errors[0].path, "/new_password");
    }
    await expectProblem(
      await change(app, ada, "not what was typed", NEW),
      "error.auth.password_incorrect",
    );
    await expectJson(await change(app, ada, GIVEN, NEW), 200);
  });
});

Deno.test("used, late and wrong ones are one and the same", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    await set(app);
    app.clock.advance(DAY);
    const late = await login(app, GIVEN);
    await set(app);
    app.clock.advance(DAY - 1);
    await signedIn(app, GIVEN);
    await expectSameAnswers({
      late,
      used: await login(app, GIVEN),
      wrong: await login(app, "a wrong password"),
    });
  });
});

Deno.test("of several sign-ins at once one is let in", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    await set(app);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => login(app, GIVEN)),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, 401, 401, 401]);
    for (const { body } of answers) await body?.cancel();
  });
});

Deno.test("the second factor stays, and of several challenges one code lets in", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enrollConfirmed(app, ada);
    const old = await expectJson(await login(app, PASSWORD), 202);
    await set(app);
    const verify = (challenge_id: string, code: string) =>
      app.send("POST", "/v1/auth/login/verify-totp", {
        json: { challenge_id, code },
      });
    await expectProblem(
      await verify(old.challenge_id, authenticator.code()),
      "error.auth.challenge_expired",
    );
    const one = await expectJson(await login(app, GIVEN), 202);
    const two = await expectJson(await login(app, GIVEN), 202);
    const { access_token: token } = await expectJson(
      await verify(one.challenge_id, authenticator.code()),
      200,
    );
    const told = await expectJson(await profile(app, { token }), 200);
    assert.equal(told.password_must_change, true);
    assert.equal(told.second_factor, "confirmed");
    app.clock.advance(30_000);
    await expectProblem(
      await verify(two.challenge_id, authenticator.code()),
      "error.auth.challenge_expired",
    );
    await expectProblem(
      await login(app, GIVEN),
      "error.auth.credentials_invalid",
    );
  });
});

Deno.test("guesses at the old password do not lock out the one that the operator set", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    for (let n = 0; n < 3; n++) {
      await (await login(app, "a wrong password")).body?.cancel();
    }
    await expectProblem(
      await login(app, PASSWORD),
      "error.auth.account_locked",
    );
    await set(app);
    await signedIn(app, GIVEN);
  }, THREE);
});

Deno.test("the operator may set another one, which alone is good", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    await set(app);
    const first = await signedIn(app, GIVEN);
    await set(app, "and then another one");
    await expectProblem(await profile(app, first), "error.auth.token_invalid");
    await expectProblem(
      await login(app, GIVEN),
      "error.auth.credentials_invalid",
    );
    await signedIn(app, "and then another one");
  });
});
