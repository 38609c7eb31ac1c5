/**
 * The rows of the ceremony's state table
 * (protocol/authentication.md#the-ceremony).
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import {
  authorize,
  begin,
  callback,
  confirmFactor,
} from "../support/ceremony.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { withParty } from "../support/malicious_provider.ts";
import { registerPerson } from "../support/people.ts";

const TEN_MINUTES_MS = 600_000;
const CALLBACK = "/v1/auth/oidc/callback";

/** Everything that a client can see of an answer. */
async function wire(response: Response): Promise<string> {
  return JSON.stringify([
    response.status,
    [...response.headers],
    await response.text(),
  ]);
}

Deno.test("unknown, spent, expired and malformed states are one answer, as is a server without a provider", async () => {
  const answers = new Set<string>();
  const refused = async (response: Response) => {
    answers.add(await wire(response.clone()));
    await expectProblem(response, "error.auth.oidc_state_invalid");
  };
  const malformed = ["", "x", "\u0000", "x".repeat(42), "x".repeat(44)];
  const unknown = ["x".repeat(43), "=".repeat(43), "é".repeat(43)];
  await withParty(async ({ app, sentBack }) => {
    for (const state of [...malformed, ...unknown, "x".repeat(100_000)]) {
      await refused(await callback(app, { state, code: "any" }));
    }
    const spent = await sentBack();
    for (const state of [` ${spent.state}`, `${spent.state}\n`]) {
      await refused(await callback(app, { ...spent, state }));
    }
    await expectJson(await callback(app, spent), 200);
    await refused(await callback(app, spent));
    const expired = await sentBack();
    app.clock.advance(TEN_MINUTES_MS);
    await refused(await callback(app, expired));
    // A sign-in that another server began, or this one before its restart.
    const before = await sentBack();
    await refused(await callback(await app.reopen(), before));
  });
  await withTestApp(async (app) => {
    for (const state of [...malformed, ...unknown]) {
      await refused(await callback(app, { state, code: "any" }));
    }
  });
  assert.equal(answers.size, 1, [...answers].join("\n"));
});

Deno.test("a ceremony lives for ten minutes to the millisecond", async () => {
  await withParty(async ({ app, provider }) => {
    const begun = await begin(app);
    assert.equal(
      Date.parse(begun.expires_at),
      app.clock.now + TEN_MINUTES_MS,
    );
    app.clock.advance(TEN_MINUTES_MS - 1);
    const sent = provider.approve(begun.authorization_url);
    await expectJson(await callback(app, sent), 200);
  });
});

Deno.test("a state is burned whatever comes of its callback", async (t) => {
  await withParty(async ({ app, provider, sentBack }) => {
    await registerPerson(app, "ada");
    const ada = { email: "ada@example.org", email_verified: true };
    const burned = async (
      what: string,
      answers: (response: Response) => Promise<unknown>,
      claims: Record<string, unknown> = {},
    ) => {
      await t.step(
        `a callback that answers ${what} burns the state`,
        async () => {
          const sent = await sentBack(claims);
          await answers(await callback(app, sent));
          provider.answers.clear();
          await expectProblem(
            await callback(app, sent),
            "error.auth.oidc_state_invalid",
          );
        },
      );
    };
    const problem = (code: Parameters<typeof expectProblem>[1]) =>
    (
      response: Response,
    ) => expectProblem(response, code);
    await burned("200", (response) => expectJson(response, 200));
    await burned(
      "oidc_token_invalid",
      problem("error.auth.oidc_token_invalid"),
      { nonce: "another" },
    );
    await burned(
      "oidc_address_taken",
      problem("error.auth.oidc_address_taken"),
      { sub: "1002", ...ada },
    );
    provider.answers.set("token", () => new Response("", { status: 400 }));
    await burned(
      "oidc_exchange_failed",
      problem("error.auth.oidc_exchange_failed"),
    );
    provider.answers.set("token", () => new Response("", { status: 500 }));
    await burned("oidc_unavailable", problem("error.auth.oidc_unavailable"));
    const tokens = await expectJson(await callback(app, await sentBack()), 200);
    await confirmFactor(app, tokens.access_token);
    await burned("202", (response) => expectJson(response, 202));
  });
});

Deno.test("a request that is refused for its form is no callback and burns nothing", async () => {
  await withParty(async ({ app, sentBack }) => {
    const sent = await sentBack();
    const json = { "Content-Type": "application/json" };
    const whole = JSON.stringify(sent);
    const refused = async (
      status: number,
      options: Parameters<typeof app.send>[2],
    ) => {
      const response = await app.send("POST", CALLBACK, options);
      assert.equal(response.status, status, await response.text());
    };
    await refused(400, { headers: json, body: whole.slice(0, -1) });
    await refused(400, { json: sent, protocol: null });
    await refused(400, { json: sent, protocol: "2026-02-30" });
    await refused(400, {
      json: sent,
      headers: { "X-Service-Crypto-Suite": "99" },
    });
    await refused(426, { json: sent, protocol: "2020-01-01" });
    await refused(415, {
      headers: { "Content-Type": "text/plain" },
      body: whole,
    });
    await refused(415, {
      body: new Uint8Array(new TextEncoder().encode(whole)),
    });
    await refused(413, {
      headers: { ...json, "Content-Length": "99999999" },
      body: whole,
    });
    for (
      const body of [
        { ...sent, more: 1 },
        { ...sent, iss: "https://idp.example" },
        { state: sent.state },
        { code: sent.code },
        { ...sent, code: 5 },
        { ...sent, code: null },
        { ...sent, state: [sent.state] },
        [sent],
        null,
      ]
    ) await refused(422, { json: body });
    await expectJson(await callback(app, sent), 200);
  });
});

Deno.test("of several callbacks at once with one state exactly one succeeds", async () => {
  await withParty(async ({ app, provider, sentBack }) => {
    const sent = await sentBack();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => callback(app, sent)),
    );
    const won = responses.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    for (const response of responses) {
      if (response.status === 200) continue;
      await expectProblem(response, "error.auth.oidc_state_invalid");
    }
    assert.equal(provider.count("token"), 1);
    const [one] = won;
    assert(one !== undefined);
    const { access_token } = await expectJson(one, 200);
    const { sessions } = await expectJson(
      await app.send("GET", "/v1/auth/sessions", { token: access_token }),
      200,
    );
    assert.equal(sessions.length, 1);
  });
});

Deno.test("one subject's first sights at once make one account", async () => {
  await withParty(async ({ app, sentBack }) => {
    const claims = { sub: "1001", email: "ada@b.c", email_verified: true };
    const sent = await Promise.all(
      Array.from({ length: 6 }, () => sentBack(claims)),
    );
    const answers = await Promise.all(
      sent.map(async (one) => await expectJson(await callback(app, one), 200)),
    );
    assert.equal(new Set(answers.map((one) => one.user_id)).size, 1);
  });
});

Deno.test("of two subjects with one verified address at once one has it", async () => {
  await withParty(async ({ app, sentBack }) => {
    const claims = { email: "ada@b.c", email_verified: true };
    const sent = await Promise.all(
      ["1001", "1002", "1003"].map((sub) => sentBack({ sub, ...claims })),
    );
    const responses = await Promise.all(sent.map((one) => callback(app, one)));
    assert.deepEqual(
      responses.map(({ status }) => status).sort(),
      [200, 409, 409],
    );
    for (const response of responses) await response.body?.cancel();
  });
});

Deno.test("pending ceremonies have a capacity, which callbacks and expiry free", async () => {
  await withParty(async ({ app, provider, sentBack }) => {
    const first = await sentBack();
    app.clock.advance(60_000);
    await sentBack();
    const third = await sentBack();
    for (let n = 0; n < 2; n++) {
      await expectProblem(
        await authorize(app),
        "error.auth.oidc_at_capacity",
      );
    }
    // A refusal costs no ceremony: the third is still there.
    await expectJson(await callback(app, third), 200);
    await begin(app);
    await expectProblem(await authorize(app), "error.auth.oidc_at_capacity");
    app.clock.advance(TEN_MINUTES_MS - 60_001);
    await expectProblem(await authorize(app), "error.auth.oidc_at_capacity");
    app.clock.advance(1);
    await begin(app);
    await expectProblem(await authorize(app), "error.auth.oidc_at_capacity");
    await expectProblem(
      await callback(app, first),
      "error.auth.oidc_state_invalid",
    );
    app.clock.advance(TEN_MINUTES_MS);
    const again = await Promise.all(
      Array.from({ length: 3 }, () => begin(app)),
    );
    const sent = again.map((one) => provider.approve(one.authorization_url));
    for (const one of sent) await expectJson(await callback(app, one), 200);
  }, { settings: { STRONGROOM_LIMIT_OIDC_PENDING: "3" } });
});

Deno.test("parallel authorizations do not overrun the capacity", async () => {
  await withParty(async ({ app }) => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => authorize(app)),
    );
    const statuses = responses.map(({ status }) => status);
    for (const response of responses) await response.body?.cancel();
    assert.equal(statuses.filter((status) => status === 200).length, 5);
    assert.equal(statuses.filter((status) => status === 503).length, 7);
  }, { settings: { STRONGROOM_LIMIT_OIDC_PENDING: "5" } });
});

Deno.test("a refused authorization makes no ceremony", async () => {
  await withParty(async ({ app, provider }) => {
    provider.answers.set("discovery", () => new Response("", { status: 500 }));
    for (let n = 0; n < 3; n++) {
      await expectProblem(await authorize(app), "error.auth.oidc_unavailable");
      await expectProblem(
        await authorize(app, "https://other.example/"),
        "error.auth.oidc_redirect_invalid",
      );
    }
    provider.answers.clear();
    await begin(app);
    await expectProblem(await authorize(app), "error.auth.oidc_at_capacity");
  }, { settings: { STRONGROOM_LIMIT_OIDC_PENDING: "1" } });
});
