/**
 * Who signs in through the provider
 * (protocol/authentication.md#accounts-of-a-provider).
 *
 * @module
 */
import assert from "node:assert/strict";
import { suspendAccount } from "../../src/features/moderation/operator.ts";
import { confirmFactor, profileOf } from "../support/ceremony.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { withParty } from "../support/malicious_provider.ts";
import { PASSWORD } from "../support/people.ts";

Deno.test("a suspended account can sign in through the provider", async () => {
  await withParty(async ({ app, signIn }) => {
    const { user_id } = await expectJson(await signIn(), 200);
    await suspendAccount(app.app.db, user_id, { now: app.clock.now });
    const tokens = await expectJson(await signIn(), 200);
    assert.equal(tokens.user_id, user_id);
    await profileOf(app, tokens);
    await expectProblem(
      await app.send("PATCH", "/v1/auth/profile", {
        token: tokens.access_token,
        json: { display_name: "Ada" },
      }),
      "error.account.suspended",
    );
  });
});

Deno.test("signing in through the provider does not look at the password lockout", async () => {
  await withParty(async ({ app, signIn }) => {
    const ada = { email: "ada@example.org", email_verified: true };
    const first = await expectJson(await signIn(ada), 200);
    const login = () =>
      app.send("POST", "/v1/auth/login", {
        json: { address: ada.email, password: PASSWORD },
      });
    for (let n = 0; n < 3; n++) {
      await expectProblem(await login(), "error.auth.credentials_invalid");
    }
    await expectProblem(await login(), "error.auth.account_locked");
    const again = await expectJson(await signIn(ada), 200);
    assert.equal(again.user_id, first.user_id);
    await expectProblem(await login(), "error.auth.account_locked");
  }, { settings: { STRONGROOM_LIMIT_LOCKOUT: "3" } });
});

for (const registration of ["closed", "photos.example"]) {
  Deno.test(`everyone can sign in through the provider with registration ${registration}`, async () => {
    await withParty(async ({ signIn, app }) => {
      const claims = { email: "ada@example.org", email_verified: true };
      const tokens = await expectJson(await signIn(claims), 200);
      assert.equal((await profileOf(app, tokens)).address, claims.email);
    }, { settings: { STRONGROOM_REGISTRATION: registration } });
  });
}

Deno.test("a second-factor store that cannot answer fails the sign-in closed", async () => {
  await withParty(async ({ app, signIn }) => {
    const tokens = await expectJson(await signIn(), 200);
    await confirmFactor(app, tokens.access_token);
    await app.app.db.schema.alterTable("totp").renameTo("hidden")
      .execute();
    await expectProblem(await signIn(), "error.auth.unavailable");
    await app.app.db.schema.alterTable("hidden").renameTo("totp")
      .execute();
    await expectJson(await signIn(), 202);
  });
});

Deno.test("the first client of a new account finds it as the specification leaves it", async () => {
  await withParty(async ({ app, signIn }) => {
    const tokens = await expectJson(await signIn(), 200);
    assert.deepEqual(await profileOf(app, tokens), {
      user_id: tokens.user_id,
      address: null,
      display_name: null,
      created_at: new Date(app.clock.now).toISOString(),
      second_factor: "none",
      has_password: false,
      password_must_change: false,
      recent_until: new Date(app.clock.now + 5 * 60_000).toISOString(),
    });
  });
});
