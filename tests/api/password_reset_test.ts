/**
 * A new password for who forgot theirs
 * (protocol/authentication.md#password-reset).
 *
 * @module
 */
import assert from "node:assert/strict";
import { purgeExpired } from "../../src/features/purge.ts";
import { offerReset } from "../../src/features/accounts/reset.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { PASSWORD, type Person, registerPerson } from "../support/people.ts";
import { enrollConfirmed } from "../support/second_factor.ts";
import { expectSameAnswers } from "../support/api.ts";

const NEW = "a wholly new sentence";
const DAY = 86_400_000;
const HOME = "192.0.2.1";
const THREE = { settings: { STRONGROOM_LIMIT_LOCKOUT: "3" } };

async function codeFor(app: TestApp, name: string): Promise<string> {
  return (await offerReset(app.app, `${name}@example.org`)).code;
}

function reset(
  app: TestApp,
  code: string,
  password = NEW,
  from = HOME,
): Promise<Response> {
  return app.send("POST", "/v1/auth/password/reset", {
    json: { code, new_password: password },
    from,
  });
}

function login(app: TestApp, password: string, from = HOME) {
  return app.send("POST", "/v1/auth/login", {
    json: { address: "ada@example.org", password },
    from,
  });
}

function profile(app: TestApp, { token }: Pick<Person, "token">) {
  return app.send("GET", "/v1/auth/profile", { token });
}

Deno.test("a link sets a new password once, every session ends, and the next one is told", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const before = await expectJson(await profile(app, ada), 200);
    assert.equal(before.password_reset_at, undefined);
    const code = await codeFor(app, "ada");
    assert.match(code, /^[A-Za-z0-9_-]{22}$/);
    await expectEmpty(await reset(app, code), 204);
    await expectProblem(await profile(app, ada), "error.auth.token_invalid");
    await expectProblem(
      await login(app, PASSWORD),
      "error.auth.credentials_invalid",
    );
    await expectProblem(await reset(app, code), "error.auth.reset_refused");
    const signedIn = await expectJson(await login(app, NEW), 200);
    const told = { token: signedIn.access_token };
    const { password_reset_at } = await expectJson(
      await profile(app, told),
      200,
    );
    assert.equal(Date.parse(password_reset_at), app.clock.now);
    await expectJson(await profile(app, bob), 200);
    app.clock.advance(91 * DAY);
    const later = await expectJson(await login(app, NEW), 200);
    const after = await profile(app, { token: later.access_token });
    assert.equal((await expectJson(after, 200)).password_reset_at, undefined);
  });
});

Deno.test("a password that the rules refuse uses no link up", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    const code = await codeFor(app, "ada");
    for (const password of ["too short", "passwordpassword"]) {
      const refused = await reset(app, code, password);
      const { errors } = await expectProblem(refused, "error.request.invalid");
      assert.equal(errors[0].path, "/new_password");
    }
    await expectEmpty(await reset(app, code), 204);
  });
});

Deno.test("unknown, used, replaced, expired and purged links, and those of accounts that go, are one and the same", async () => {
  await withTestApp(async (app) => {
    for (const name of ["ada", "bob", "cai", "dan"]) {
      await registerPerson(app, name);
    }
    const expired = await codeFor(app, "bob");
    const purged = await codeFor(app, "cai");
    app.clock.advance(DAY);
    await purgeExpired({ ...app.app }, app.clock.now);
    const lapsed = await codeFor(app, "cai");
    app.clock.advance(DAY);
    const replaced = await codeFor(app, "ada");
    const used = await codeFor(app, "ada");
    await expectEmpty(await reset(app, used), 204);
    const gone = await codeFor(app, "dan");
    await app.app.db.updateTable("account").set({ deleting_at: 1 })
      .where("address", "=", "dan@example.org").execute();
    const codes = {
      "an unknown one": "A".repeat(22),
      "no code": "nothing of the kind",
      "an empty one": "",
      expired,
      purged,
      lapsed,
      replaced,
      used,
      "an account that goes": gone,
    };
    const answers: Record<string, Response> = {};
    for (const [name, code] of Object.entries(codes)) {
      answers[name] = await reset(app, code);
    }
    const body = JSON.parse(await expectSameAnswers(answers));
    assert.equal(body.code, "error.auth.reset_refused");
  });
});

Deno.test("the last hour of a link counts, and a changed password makes it void", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    const code = await codeFor(app, "ada");
    app.clock.advance(DAY - 1);
    await expectEmpty(await reset(app, code), 204);
    const other = await codeFor(app, "ada");
    const { access_token: token } = await expectJson(
      await login(app, NEW),
      200,
    );
    const changed = await app.send("POST", "/v1/auth/password", {
      token,
      json: { current_password: NEW, new_password: PASSWORD },
    });
    await expectJson(changed, 200);
    await expectProblem(await reset(app, other), "error.auth.reset_refused");
  });
});

Deno.test("guesses lock the client address that makes them, and nobody else", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    const code = await codeFor(app, "ada");
    for (let n = 0; n < 3; n++) {
      const wrong = "B".repeat(21) + String(n);
      await expectProblem(await reset(app, wrong), "error.auth.reset_refused");
    }
    const locked = await reset(app, code);
    assert.equal(locked.headers.get("retry-after"), "900");
    await expectProblem(locked, "error.auth.account_locked");
    await expectJson(await login(app, PASSWORD), 200);
    await expectEmpty(await reset(app, code, NEW, "192.0.2.2"), 204);
  }, THREE);
});

Deno.test("guesses at the old password lock nobody out of the new one, and the second factor stays", async () => {
  await withTestApp(async (app) => {
    await enrollConfirmed(app, await registerPerson(app, "ada"));
    const code = await codeFor(app, "ada");
    for (let n = 0; n < 3; n++) {
      await (await login(app, "a wrong password")).body?.cancel();
    }
    await expectProblem(
      await login(app, PASSWORD),
      "error.auth.account_locked",
    );
    await expectEmpty(await reset(app, code), 204);
    const challenge = await expectJson(await login(app, NEW), 202);
    assert.deepEqual(challenge.methods, ["totp"]);
  }, THREE);
});

Deno.test("of two uses at once one sets the password", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    const code = await codeFor(app, "ada");
    const answers = await Promise.all(
      [NEW, `${NEW} too`].map((password) => reset(app, code, password)),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [204, 401]);
    for (const { body } of answers) await body?.cancel();
  });
});

Deno.test("the database has no code, only its hash", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    const code = await codeFor(app, "ada");
    const rows = await app.app.db.selectFrom("password_reset").selectAll()
      .execute();
    assert.equal(rows.length, 1);
    assert(!JSON.stringify(rows).includes(code));
  });
});
