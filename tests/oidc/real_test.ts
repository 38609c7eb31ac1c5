/**
 * Signing in through a real identity provider: the protocol, end to end.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import {
  begin,
  callback,
  profileOf,
  signIn,
  through,
  walk,
} from "../support/ceremony.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  CLIENT_ID,
  REDIRECT_URL,
  walkThrough,
  withProvider,
} from "../support/provider.ts";

for (const algorithm of ["RS256", "ES256", "EdDSA"] as const) {
  Deno.test(`an ID token signed with ${algorithm} opens a session`, async () => {
    await withProvider(async (provider) => {
      await withTestApp(async (app) => {
        const tokens = await expectJson(await signIn(app, "ada"), 200);
        const profile = await profileOf(app, tokens);
        assert.equal(profile.user_id, tokens.user_id);
        assert.equal(tokens.token_type, "Bearer");
      }, through(provider));
    }, { algorithm });
  });
}

for (
  const clientAuthentication of [
    "none",
    "client_secret_basic",
    "client_secret_post",
  ] as const
) {
  Deno.test(`a provider that takes ${clientAuthentication} only is served so`, async () => {
    await withProvider(async (provider) => {
      await withTestApp(async (app) => {
        await expectJson(await signIn(app, "ada"), 200);
      }, through(provider));
    }, { clientAuthentication });
  });
}

Deno.test("the authorization URL asks for a code with PKCE and two scopes", async () => {
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      assert.deepEqual(provider.requested, [], "discovery is lazy");
      const begun = await begin(app);
      const url = new URL(begun.authorization_url);
      assert.equal(url.origin, provider.issuer);
      const { nonce, code_challenge, ...fixed } = Object.fromEntries(
        url.searchParams,
      );
      assert.deepEqual(fixed, {
        response_type: "code",
        client_id: CLIENT_ID,
        redirect_uri: REDIRECT_URL,
        scope: "openid email",
        state: begun.state,
        code_challenge_method: "S256",
      });
      assert.match(begun.state, /^[\w-]{43}$/);
      assert.match(nonce ?? "", /^[\w-]{43}$/);
      assert.match(code_challenge ?? "", /^[\w-]{43}$/);
      assert.equal(
        Date.parse(begun.expires_at),
        app.clock.now + 10 * 60_000,
      );
      const sent = await walkThrough(begun.authorization_url, "ada");
      assert.equal(sent.to, REDIRECT_URL);
      assert.equal(sent.state, begun.state);
    }, through(provider));
  });
});

Deno.test("a client on the person's own machine signs in on any loopback port", async () => {
  const redirectUri = "http://127.0.0.1/back";
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      const chosen = "http://127.0.0.1:49152/back";
      const sent = await walk(app, "ada", chosen);
      assert.equal(sent.to, chosen);
      await expectJson(await callback(app, sent), 200);
    }, through(provider, { OIDC_ALLOW_LOOPBACK_REDIRECT: "on" }));
  }, { redirectUri, clientAuthentication: "none" });
});

Deno.test("server-info publishes the two endpoints and nothing of the provider", async () => {
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      const info = await expectJson(
        await app.send("GET", "/.well-known/service/server-info"),
        200,
      );
      assert.deepEqual(info.auth.oidc, {
        authorize: "/v1/auth/oidc/authorize",
        callback: "/v1/auth/oidc/callback",
      });
      const text = JSON.stringify(info);
      assert(!text.includes(provider.issuer) && !text.includes(CLIENT_ID));
    }, through(provider));
  });
});

Deno.test("a provider that refuses the exchange is 401, and its words are logged", async () => {
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      const sent = await walk(app, "ada");
      await expectProblem(
        await callback(app, { ...sent, code: "not the code" }),
        "error.auth.oidc_exchange_failed",
      );
      // A code is good once.
      const spent = await walk(app, "ada");
      await expectJson(await callback(app, spent), 200);
      const { state } = await begin(app);
      await expectProblem(
        await callback(app, { state, code: spent.code }),
        "error.auth.oidc_exchange_failed",
      );
      const causes = JSON.stringify(app.logged);
      assert.match(causes, /invalid_grant/);
      assert(causes.includes(REDIRECT_URL));
    }, through(provider));
    await withTestApp(async (app) => {
      await expectProblem(
        await signIn(app, "ada"),
        "error.auth.oidc_exchange_failed",
      );
      assert.match(JSON.stringify(app.logged), /invalid_client/);
    }, through(provider, { OIDC_CLIENT_SECRET: "another" }));
  });
});

Deno.test("an issuer that is spelled otherwise is refused, and the log names both", async () => {
  await withProvider(async (provider) => {
    await withTestApp(async (app) => {
      await expectProblem(
        await app.send("POST", "/v1/auth/oidc/authorize", {
          json: { redirect_uri: REDIRECT_URL },
        }),
        "error.auth.oidc_unavailable",
      );
      assert(
        JSON.stringify(app.logged).includes(
          `expected ${provider.issuer}/, received ${provider.issuer}\\n`,
        ),
      );
    }, through(provider, { OIDC_ISSUER: `${provider.issuer}/` }));
  });
});
