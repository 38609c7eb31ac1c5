import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { PASSWORD, registerPerson } from "../support/people.ts";
import {
  challengeOf,
  confirm,
  enroll,
  enrollConfirmed,
  login,
  STEP_MS,
  verify,
  wrongCode,
} from "../support/second_factor.ts";

const MINUTE_MS = 60_000;

Deno.test("enrolling gates nothing until a code confirms it, and a new secret replaces the pending one", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const first = await enroll(app, ada);
    await expectJson(await login(app, ada), 200);
    const second = await enroll(app, ada);
    if (first.code() !== second.code()) {
      await expectProblem(
        await confirm(app, ada, first.code()),
        "error.auth.second_factor_code_refused",
      );
    }
    await expectEmpty(await confirm(app, ada, second.code()), 204);
    await challengeOf(app, ada);
    await expectProblem(
      await app.send("POST", "/v1/auth/totp/enroll", { token: ada.token }),
      "error.auth.second_factor_confirmed",
    );
  });
});

Deno.test("the enrollment is a base32 secret and an otpauth URI with the fixed parameters", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const { secret, otpauth_uri } = await expectJson(
      await app.send("POST", "/v1/auth/totp/enroll", { token: ada.token }),
      200,
    );
    assert.match(secret, /^[A-Z2-7]{32}$/);
    const uri = new URL(otpauth_uri);
    assert.equal(uri.protocol, "otpauth:");
    assert.equal(uri.searchParams.get("secret"), secret);
    assert.equal(uri.searchParams.get("algorithm"), "SHA1");
    assert.equal(uri.searchParams.get("digits"), "6");
    assert.equal(uri.searchParams.get("period"), "30");
  });
});

Deno.test("secrets are sealed at rest under a key outside the database", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enrollConfirmed(app, ada);
    const { sealed_secret } = await app.app.db.selectFrom("totp")
      .select("sealed_secret").executeTakeFirstOrThrow();
    // Nonce, twenty bytes of secret, tag.
    assert.equal(sealed_secret.length, 12 + 20 + 16);
    const after = await app.reopen();
    const { challenge_id } = await challengeOf(after, ada);
    await expectJson(
      await verify(after, challenge_id, authenticator.code()),
      200,
    );
    const bob = await registerPerson(after, "bob");
    await enrollConfirmed(after, bob);
    // A secret that is moved to another account opens nothing.
    await after.app.db.updateTable("totp").set({ sealed_secret })
      .where(
        "user_id",
        "=",
        after.app.db.selectFrom("account")
          .select("user_id").where("address", "=", bob.address),
      ).execute();
    const moved = await challengeOf(after, bob);
    const answer = await verify(
      after,
      moved.challenge_id,
      authenticator.code(),
    );
    assert.equal(answer.status, 500);
    await answer.body?.cancel();
  });
});

Deno.test("the code that confirms cannot also complete a sign-in", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enroll(app, ada);
    const code = authenticator.code();
    await expectEmpty(await confirm(app, ada, code), 204);
    const { challenge_id } = await challengeOf(app, ada);
    await expectProblem(
      await verify(app, challenge_id, code),
      "error.auth.second_factor_invalid",
    );
    app.clock.advance(STEP_MS);
    await expectJson(
      await verify(app, challenge_id, authenticator.code()),
      200,
    );
  });
});

Deno.test("a code lives one step to either side, and no further", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enrollConfirmed(app, ada);
    for (const [steps, accepted] of [[-2, false], [-1, true]] as const) {
      const { challenge_id } = await challengeOf(app, ada);
      const answer = await verify(app, challenge_id, authenticator.code(steps));
      assert.equal(answer.status === 200, accepted, `${steps} steps`);
      await answer.body?.cancel();
      app.clock.advance(4 * STEP_MS);
    }
    const { challenge_id } = await challengeOf(app, ada);
    const ahead = await verify(app, challenge_id, authenticator.code(1));
    await expectJson(ahead, 200);
    // The highest step was spent: the present one lies below it.
    const next = await challengeOf(app, ada);
    await expectProblem(
      await verify(app, next.challenge_id, authenticator.code()),
      "error.auth.second_factor_invalid",
    );
  });
});

Deno.test("a challenge takes five codes, then answers 429 with Retry-After, the right code included", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enrollConfirmed(app, ada);
    const { challenge_id } = await challengeOf(app, ada);
    for (let n = 0; n < 5; n++) {
      await expectProblem(
        await verify(app, challenge_id, wrongCode(authenticator)),
        "error.auth.second_factor_invalid",
      );
    }
    const sixth = await verify(app, challenge_id, authenticator.code());
    assert.ok(Number(sixth.headers.get("retry-after")) > 0);
    await expectProblem(sixth, "error.auth.second_factor_attempts_exhausted");
    // The budget belongs to the challenge, not to the account.
    const fresh = await challengeOf(app, ada);
    await expectJson(
      await verify(app, fresh.challenge_id, authenticator.code()),
      200,
    );
  });
});

Deno.test("an unknown, a spent and an expired challenge are one answer", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enrollConfirmed(app, ada);
    const spent = await challengeOf(app, ada);
    await expectJson(
      await verify(app, spent.challenge_id, authenticator.code()),
      200,
    );
    const expired = await challengeOf(app, ada);
    app.clock.advance(5 * MINUTE_MS);
    const answers = await Promise.all(
      [
        spent.challenge_id,
        expired.challenge_id,
        "0192f0c1-0000-7000-8000-000000000000",
        "nonsense",
      ].map(async (id) => {
        const answer = await verify(app, id, authenticator.code());
        const headers = [...answer.headers];
        return { headers, body: await answer.text(), status: answer.status };
      }),
    );
    for (const answer of answers) {
      assert.equal(answer.status, 401);
      assert.match(answer.body, /error\.auth\.challenge_expired/);
      assert.deepEqual(answer, answers[0]);
    }
  });
});

Deno.test("until the code there is no session and no cohort; both come with it", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enrollConfirmed(app, ada);
    const { challenge_id, methods } = await challengeOf(app, ada);
    assert.deepEqual(methods, ["totp"]);
    const before = await expectJson(
      await app.send("GET", "/v1/auth/sessions", { token: ada.token }),
      200,
    );
    assert.equal(before.sessions.length, 1);
    assert.deepEqual(before.cohorts, []);
    const tokens = await expectJson(
      await verify(app, challenge_id, authenticator.code(), {
        cohort_hash: "ab".repeat(32),
        device_id: "not a uuid",
      }),
      200,
    );
    const after = await expectJson(
      await app.send("GET", "/v1/auth/sessions", {
        token: tokens.access_token,
      }),
      200,
    );
    assert.equal(after.sessions.length, 2);
    assert.equal(after.sessions[0].cohort_hash, "ab".repeat(32));
    assert.equal(after.sessions[0].device_id, undefined);
    assert.equal(after.cohorts.length, 1);
  });
});

Deno.test("disabling wants a live code, five wrong ones in 15 minutes at most", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    let token = ada.token;
    const disable = (code: string) =>
      app.send("POST", "/v1/auth/totp/disable", { token, json: { code } });
    await expectProblem(
      await disable("000000"),
      "error.auth.second_factor_not_confirmed",
    );
    await expectProblem(
      await confirm(app, ada, "000000"),
      "error.auth.second_factor_not_pending",
    );
    const authenticator = await enrollConfirmed(app, ada);
    for (let n = 0; n < 5; n++) {
      await expectProblem(
        await disable(wrongCode(authenticator)),
        "error.auth.second_factor_code_refused",
      );
    }
    const sixth = await disable(authenticator.code());
    assert.equal(sixth.headers.get("retry-after"), "900");
    await expectProblem(sixth, "error.auth.second_factor_attempts_exhausted");
    app.clock.advance(14 * MINUTE_MS);
    ({ access_token: token } = await expectJson(
      await app.send("POST", "/v1/auth/refresh", {
        json: { session_token: ada.sessionToken },
      }),
      200,
    ));
    await expectProblem(
      await disable(authenticator.code()),
      "error.auth.second_factor_attempts_exhausted",
    );
    app.clock.advance(MINUTE_MS);
    await expectEmpty(await disable(authenticator.code()), 204);
    await expectJson(await login(app, ada), 200);
  });
});

Deno.test("wrong codes at sign-in count like wrong passwords, and a right password that owes a code resets nothing", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enrollConfirmed(app, ada);
    for (let round = 0; round < 2; round++) {
      const { challenge_id } = await challengeOf(app, ada);
      for (let n = 0; n < 5; n++) {
        await expectProblem(
          await verify(app, challenge_id, wrongCode(authenticator)),
          "error.auth.second_factor_invalid",
        );
      }
    }
    const locked = await login(app, ada);
    assert.equal(locked.headers.get("retry-after"), "900");
    await expectProblem(locked, "error.auth.account_locked");
  });
});

Deno.test("one code presented twice at once opens one session", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enrollConfirmed(app, ada);
    const challenges = [
      await challengeOf(app, ada),
      await challengeOf(app, ada),
    ];
    const code = authenticator.code();
    const answers = await Promise.all(
      [...challenges, ...challenges].map((challenge) =>
        verify(app, challenge.challenge_id, code)
      ),
    );
    const opened = answers.filter(({ status }) => status === 200);
    assert.equal(opened.length, 1);
    for (const answer of answers) await answer.body?.cancel();
  });
});

Deno.test("twenty tries at once on one challenge are five", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enrollConfirmed(app, ada);
    const { challenge_id } = await challengeOf(app, ada);
    const code = wrongCode(authenticator);
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await verify(app, challenge_id, code);
        await answer.body?.cancel();
        return answer.status;
      }),
    );
    assert.equal(statuses.filter((status) => status === 401).length, 5);
    assert.equal(statuses.filter((status) => status === 429).length, 15);
  });
});

Deno.test("a factor store that cannot answer fails the sign-in closed", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await enrollConfirmed(app, ada);
    await app.app.db.schema.dropTable("totp").execute();
    await expectProblem(await login(app, ada), "error.auth.unavailable");
    await expectProblem(
      await login(app, ada, `${PASSWORD}!`),
      "error.auth.credentials_invalid",
    );
  });
});

Deno.test("sealing keys that open no second factor are refused at the start", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await enrollConfirmed(app, ada);
    const again = await app.reopen();
    assert.equal((await login(again, ada)).status, 202);
    const path = `${app.dataDir}/keys/sealing.json`;
    const ring = JSON.parse(await Deno.readTextFile(path));
    ring.keys[0].seed = btoa("another server's 32 byte secret!");
    await Deno.writeTextFile(path, JSON.stringify(ring));
    await assert.rejects(again.reopen(), /sealing\.json does not open/);
  });
});
