/**
 * Accounts that sign in through a real identity provider.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  callback,
  confirmFactor,
  profileOf,
  signIn,
  through,
  walk,
} from "../support/ceremony.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { PASSWORD, registerPerson } from "../support/people.ts";
import { withProvider } from "../support/provider.ts";

const ADA = { email: "Ada@Example.org", email_verified: true };

Deno.test("one subject is one account, whatever its address becomes", async () => {
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      provider.people.set("1001", ADA);
      const first = await expectJson(await signIn(app, "1001"), 200);
      provider.people.set("1001", { ...ADA, email: "ada@elsewhere.example" });
      const second = await expectJson(await signIn(app, "1001"), 200);
      assert.equal(second.user_id, first.user_id);
      assert.notEqual(second.session_id, first.session_id);
      assert.equal((await profileOf(app, second)).address, "ada@example.org");
      const other = await expectJson(await signIn(app, "1002"), 200);
      assert.notEqual(other.user_id, first.user_id);
    }, through(provider));
  });
});

Deno.test("an address is shown at first sight where the provider has verified it", async () => {
  await withProvider(async (provider) => {
    const told = {
      verified: [ADA, "ada@example.org"],
      unverified: [{ email: "bob@example.org", email_verified: false }, null],
      unsaid: [{ email: "cy@example.org" }, null],
      quoted: [{ email: "dee@example.org", email_verified: "true" }, null],
      none: [{ email_verified: true }, null],
      odd: [{ email: "not an address", email_verified: true }, null],
    } as const;
    await withTestApp(async (app) => {
      for (const [login, [asserted, address]] of Object.entries(told)) {
        provider.people.set(login, asserted);
        const tokens = await expectJson(await signIn(app, login), 200);
        assert.equal((await profileOf(app, tokens)).address, address, login);
      }
    }, through(provider));
  });
});

Deno.test("a verified address of another account is taken, an unverified one collides with nothing", async () => {
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      const ada = await registerPerson(app, "ada");
      provider.people.set("1001", ADA);
      const sent = await walk(app, "1001");
      await expectProblem(
        await callback(app, sent),
        "error.auth.oidc_address_taken",
      );
      await expectProblem(
        await callback(app, sent),
        "error.auth.oidc_state_invalid",
      );
      provider.people.set("1001", { ...ADA, email_verified: false });
      const tokens = await expectJson(await signIn(app, "1001"), 200);
      assert.notEqual(tokens.user_id, ada.userId);
      assert.equal((await profileOf(app, tokens)).address, null);
      // The other way round: an address seen unverified is free to register.
      provider.people.set("1002", { email: "eve@example.org" });
      await expectJson(await signIn(app, "1002"), 200);
      await registerPerson(app, "eve");
    }, through(provider));
  });
});

Deno.test("an address first seen at the provider is taken for registration and for another subject", async () => {
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      provider.people.set("1001", ADA).set("1002", ADA);
      await expectJson(await signIn(app, "1001"), 200);
      await expectProblem(
        await signIn(app, "1002"),
        "error.auth.oidc_address_taken",
      );
      await expectProblem(
        await app.send("POST", "/v1/auth/register", {
          json: { address: "ada@example.org", password: PASSWORD },
        }),
        "error.auth.user_already_exists",
      );
    }, through(provider));
  });
});

Deno.test("a confirmed second factor makes the callback answer 202, and its code opens the session", async () => {
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      const first = await expectJson(await signIn(app, "ada"), 200);
      const code = await confirmFactor(app, first.access_token);
      const advisory = {
        cohort_hash: "ab".repeat(32),
        device_id: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
      };
      const challenge = await expectJson(
        await signIn(app, "ada", advisory),
        202,
      );
      assert.deepEqual(challenge.methods, ["totp"]);
      const { sessions: before, cohorts } = await expectJson(
        await app.send("GET", "/v1/auth/sessions", {
          token: first.access_token,
        }),
        200,
      );
      assert.equal(before.length, 1, "no session exists yet");
      assert.deepEqual(cohorts, [], "no cohort exists yet");
      const tokens = await expectJson(
        await app.send("POST", "/v1/auth/login/verify-totp", {
          json: { challenge_id: challenge.challenge_id, code: code() },
        }),
        200,
      );
      assert.equal(tokens.user_id, first.user_id);
      await profileOf(app, tokens);
    }, through(provider));
  });
});

Deno.test("a lock of the password neither ends a challenge of the provider's door nor refuses its right code", async () => {
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      provider.people.set("ada", ADA);
      const first = await expectJson(await signIn(app, "ada"), 200);
      const code = await confirmFactor(app, first.access_token);
      const before = await expectJson(await signIn(app, "ada"), 202);
      // From the same address as the ceremonies, and from enough others.
      for (const from of ["192.0.2.1", "192.0.2.1", ...others(20)]) {
        const guess = await app.send("POST", "/v1/auth/login", {
          json: { address: "ada@example.org", password: "a wrong password" },
          from,
        });
        await guess.body?.cancel();
      }
      await expectProblem(
        await app.send("POST", "/v1/auth/login", {
          json: { address: "ada@example.org", password: "a wrong password" },
        }),
        "error.auth.account_locked",
      );
      await expectJson(await verify(app, before, code()), 200);
      app.clock.advance(30_000);
      const after = await expectJson(await signIn(app, "ada"), 202);
      await expectJson(await verify(app, after, code()), 200);
      // The lock is the password's, and stays with it.
      const locks = await app.app.db.selectFrom("password_lock")
        .select("client").execute();
      assert(locks.some(({ client }) => client === ""));
    }, through(provider, { STRONGROOM_LIMIT_LOCKOUT: "2" }));
  });
});

Deno.test("wrong codes at a challenge of the provider's door count for that challenge alone", async () => {
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      const first = await expectJson(await signIn(app, "ada"), 200);
      const code = await confirmFactor(app, first.access_token);
      const challenge = await expectJson(await signIn(app, "ada"), 202);
      for (let n = 0; n < 5; n++) {
        await expectProblem(
          await verify(app, challenge, "not-it"),
          "error.auth.second_factor_invalid",
        );
      }
      await expectProblem(
        await verify(app, challenge, code()),
        "error.auth.second_factor_attempts_exhausted",
      );
      const counted = await app.app.db.selectFrom("password_failure")
        .selectAll().execute();
      assert.deepEqual(counted, []);
      const next = await expectJson(await signIn(app, "ada"), 202);
      await expectJson(await verify(app, next, code()), 200);
    }, through(provider, { STRONGROOM_LIMIT_LOCKOUT: "2" }));
  });
});

function verify(
  app: TestApp,
  { challenge_id }: Json,
  code: string,
): Promise<Response> {
  return app.send("POST", "/v1/auth/login/verify-totp", {
    json: { challenge_id, code },
  });
}

function others(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `198.51.100.${n}`);
}

Deno.test("the advisory keys of a callback are kept, and dropped where unusable", async () => {
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      const usable = {
        cohort_hash: "ab".repeat(32),
        device_id: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
      };
      await expectJson(await signIn(app, "ada", usable), 200);
      app.clock.advance(1_000);
      const tokens = await expectJson(
        await signIn(app, "ada", { cohort_hash: ["x"], device_id: 5 }),
        200,
      );
      const { sessions, cohorts } = await expectJson(
        await app.send("GET", "/v1/auth/sessions", {
          token: tokens.access_token,
        }),
        200,
      );
      const [newest, oldest] = sessions;
      assert.equal(newest.cohort_hash ?? null, null);
      assert.equal(newest.device_id ?? null, null);
      assert.equal(oldest.cohort_hash, usable.cohort_hash);
      assert.equal(oldest.device_id, usable.device_id);
      assert.deepEqual(
        cohorts.map((one: { cohort_hash: string }) => one.cohort_hash),
        [usable.cohort_hash],
      );
    }, through(provider));
  });
});

Deno.test("an account of a provider has no password that could be right", async () => {
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      provider.people.set("1001", ADA);
      const tokens = await expectJson(await signIn(app, "1001"), 200);
      for (const password of [PASSWORD, "", "null"]) {
        await expectProblem(
          await app.send("POST", "/v1/auth/login", {
            json: { address: "ada@example.org", password },
          }),
          "error.auth.credentials_invalid",
        );
      }
      const token = tokens.access_token;
      await expectProblem(
        await app.send("POST", "/v1/auth/reauthenticate", {
          token,
          json: { password: PASSWORD },
        }),
        "error.auth.password_incorrect",
      );
      await expectProblem(
        await app.send("POST", "/v1/auth/password", {
          token,
          json: { current_password: "", new_password: PASSWORD },
        }),
        "error.auth.password_incorrect",
      );
      await profileOf(app, tokens);
    }, through(provider));
  });
});
