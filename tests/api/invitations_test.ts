/**
 * Invitations (protocol/authentication.md#registration): one makes one account,
 * however registration is set.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  invite,
  listInvitations,
  uninvite,
} from "../../src/features/accounts/invitations.ts";
import { START_MS, type TestApp } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { hashOf, PASSWORD } from "../support/people.ts";
import { withFaultlessApp } from "../support/api.ts";

const DAY = 86_400_000;
const CLOSED = { settings: { STRONGROOM_REGISTRATION: "closed" } };

function invited(
  app: TestApp,
  given: { readonly livesMs?: number; readonly quotaBytes?: number } = {},
) {
  return invite(app.app.db, app.app.platform, {
    livesMs: given.livesMs ?? DAY,
    quotaBytes: given.quotaBytes ?? null,
  });
}

function register(
  app: TestApp,
  name: string,
  code: string | undefined,
  password: string = PASSWORD,
): Promise<Response> {
  const newcomer = { address: `${name}@example.org`, password };
  return code === undefined
    ? app.send("POST", "/v1/auth/register", { json: newcomer })
    : app.send("POST", "/v1/invitations/redeem", {
      json: { code, ...newcomer },
    });
}

async function left(app: TestApp): Promise<number> {
  return (await listInvitations(app.app.db, app.clock.now)).length;
}

Deno.test("an invitation registers one person where registration is closed, and no second one", async () => {
  await withFaultlessApp(async (app) => {
    const { code } = await invited(app);
    assert.match(code, /^[A-Za-z0-9_-]{22}$/);
    await expectProblem(
      await register(app, "eve", undefined),
      "error.auth.registration_closed",
    );
    const tokens = await expectJson(await register(app, "ada", code), 200);
    await expectJson(
      await app.send("GET", "/v1/auth/profile", {
        token: tokens.access_token,
      }),
      200,
    );
    await expectProblem(
      await register(app, "eve", code),
      "error.invitation.not_found",
    );
    assert.equal(await left(app), 0);
  }, CLOSED);
});

Deno.test("an unknown, used or expired code is one and the same 404, wherever registration is open too", async () => {
  for (const settings of [CLOSED, {}]) {
    await withFaultlessApp(async (app) => {
      const expired = await invited(app, { livesMs: 1_000 });
      const taken = await invited(app);
      await uninvite(app.app.db, taken.id, app.clock.now);
      const live = await invited(app);
      app.clock.advance(1_000);
      const answers = new Set<string>();
      for (
        const code of [
          expired.code,
          taken.code,
          live.id,
          hashOf(live.code),
          `${live.code}=`,
          ` ${live.code}`,
          "",
          "a".repeat(8_000),
          "A".repeat(22),
        ]
      ) {
        const answer = await register(app, "eve", code);
        answers.add(await answer.clone().text());
        await expectProblem(answer, "error.invitation.not_found");
      }
      assert.equal(answers.size, 1);
      await expectJson(await register(app, "ada", live.code), 200);
    }, settings);
  }
});

Deno.test("registration takes an address and a password, and no invitation", async () => {
  await withFaultlessApp(async (app) => {
    const { code } = await invited(app);
    const newcomer = { address: "eve@example.org", password: PASSWORD };
    // An unknown query key is ignored.
    await expectProblem(
      await app.send("POST", `/v1/auth/register?invite=${code}`, {
        json: newcomer,
      }),
      "error.auth.registration_closed",
    );
    for (const key of ["code", "invite", "username", "display_name"]) {
      const answer = await app.send("POST", "/v1/auth/register", {
        json: { ...newcomer, [key]: code },
      });
      const { errors } = await expectProblem(answer, "error.request.invalid");
      assert.equal(errors[0].path, `/${key}`);
    }
    assert.equal(await left(app), 1);
  }, CLOSED);
});

Deno.test("a client address tries ten codes a minute, and texts of another form cost none", async () => {
  await withFaultlessApp(async (app) => {
    const { code } = await invited(app);
    for (let n = 0; n < 20; n++) {
      await expectProblem(
        await register(app, "eve", "no code"),
        "error.invitation.not_found",
      );
    }
    for (let n = 0; n < 10; n++) {
      await expectProblem(
        await register(app, "eve", "A".repeat(22)),
        "error.invitation.not_found",
      );
    }
    const refused = await register(app, "ada", code);
    assert.equal(refused.headers.get("retry-after"), "60");
    await expectProblem(refused, "error.account.rate_limited");
    app.clock.advance(60_000);
    await expectJson(await register(app, "ada", code), 200);
  }, CLOSED);
});

Deno.test("a 409 or a 422 does not use an invitation up", async () => {
  await withFaultlessApp(async (app) => {
    const first = await invited(app);
    await expectJson(await register(app, "ada", first.code), 200);
    const { code } = await invited(app);
    await expectProblem(
      await register(app, "ada", code),
      "error.auth.user_already_exists",
    );
    await expectProblem(
      await register(app, "bob", code, "too short"),
      "error.request.invalid",
    );
    await expectProblem(
      await register(app, "not an address", code),
      "error.request.invalid",
    );
    assert.equal(await left(app), 1);
    await expectJson(await register(app, "bob", code), 200);
  }, CLOSED);
});

Deno.test("of registrations that race with one invitation exactly one succeeds", async () => {
  await withFaultlessApp(async (app) => {
    const { code } = await invited(app);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => register(app, `racer${n}`, code)),
    );
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    for (const answer of answers) {
      if (answer.status === 200) await answer.body?.cancel();
      else await expectProblem(answer, "error.invitation.not_found");
    }
    const accounts = await app.app.db.selectFrom("account")
      .select("user_id").execute();
    assert.equal(accounts.length, 1);
  }, CLOSED);
});

Deno.test("an invitation's quota is the account's, and only its hash is kept", async () => {
  await withFaultlessApp(async (app) => {
    const { code } = await invited(app, { quotaBytes: 5_000 });
    const { code_hash } = await app.app.db.selectFrom("invitation")
      .select("code_hash").executeTakeFirstOrThrow();
    assert.equal(code_hash, hashOf(code));
    const tokens = await expectJson(await register(app, "ada", code), 200);
    const usage = await expectJson(
      await app.send("GET", "/v1/storage/usage", {
        token: tokens.access_token,
      }),
      200,
    );
    assert.equal(usage.quota_bytes, 5_000);
  }, CLOSED);
});

Deno.test("invitations that have expired are not listed, and purged", async () => {
  await withFaultlessApp(async (app) => {
    const late = await invited(app, { livesMs: 2 * DAY });
    const soon = await invited(app, { livesMs: DAY });
    const listed = await listInvitations(app.app.db, app.clock.now);
    assert.deepEqual(listed.map(({ id }) => id), [soon.id, late.id]);
    assert.deepEqual(
      listed.map(({ expiresAt }) => expiresAt - START_MS),
      [DAY, 2 * DAY],
    );
    app.clock.advance(DAY);
    assert.equal(await left(app), 1);
    await assert.rejects(
      uninvite(app.app.db, soon.id, app.clock.now),
      /there is no invitation/,
    );
    await app.purge();
    const rows = await app.app.db.selectFrom("invitation")
      .select("invitation_id").execute();
    assert.deepEqual(rows.map(({ invitation_id }) => invitation_id), [late.id]);
  }, CLOSED);
});
