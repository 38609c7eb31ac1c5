/**
 * A malicious provider: what its token endpoint and its keys may answer, and
 * what they are asked (protocol/authentication.md#identity-provider).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { JWK } from "jose";
import { UNUSABLE } from "../support/bad_answers.ts";
import { begin, callback } from "../support/ceremony.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  challengeOf,
  type SigningKey,
  withParty,
} from "../support/malicious_provider.ts";
import { CLIENT_ID, CLIENT_SECRET, REDIRECT_URL } from "../support/provider.ts";

/** An RSA key without a name, of any length: jose makes no short one. */
async function rsaKey(modulusLength: number): Promise<SigningKey> {
  const pair = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  );
  const { kty, n, e } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  return {
    header: { alg: "RS256" },
    privateKey: pair.privateKey,
    published: { kty, n, e } as JWK,
  };
}

const MIB = 1024 * 1024;

Deno.test("the token request is exactly the ceremony's, with form-encoded Basic", async () => {
  await withParty(async ({ app, provider }) => {
    const { authorization_url } = await begin(app);
    const asked = new URL(authorization_url).searchParams;
    const sent = provider.approve(authorization_url);
    await expectJson(await callback(app, sent), 200);
    const [request, ...more] = provider.seen.filter((one) =>
      one.path === "/token"
    );
    assert(request !== undefined && more.length === 0);
    assert.equal(request.method, "POST");
    assert.match(
      request.headers.get("content-type") ?? "",
      /^application\/x-www-form-urlencoded(;|$)/,
    );
    const { code_verifier, ...fixed } = Object.fromEntries(
      new URLSearchParams(request.body),
    );
    assert.deepEqual(fixed, {
      grant_type: "authorization_code",
      code: sent.code,
      redirect_uri: REDIRECT_URL,
    });
    assert.match(code_verifier ?? "", /^[\w-]{43}$/);
    assert.equal(challengeOf(code_verifier ?? ""), asked.get("code_challenge"));
    assert.equal(asked.get("code_challenge_method"), "S256");
    assert.equal(asked.get("scope"), "openid email");
    const [scheme, given] = (request.headers.get("authorization") ?? "")
      .split(" ");
    assert.equal(scheme, "Basic");
    const [id, secret, ...rest] = atob(given ?? "").split(":");
    assert.deepEqual(rest, [], "a colon in the secret is encoded");
    const decoded = new URLSearchParams(`id=${id}&secret=${secret}`);
    assert.equal(decoded.get("id"), CLIENT_ID);
    assert.equal(decoded.get("secret"), CLIENT_SECRET);
  });
});

Deno.test("a loopback redirect is replayed byte for byte, and a public client sends no secret", async () => {
  await withParty(async ({ app, provider }) => {
    const redirectUri = "http://127.0.0.1:5001/a%2fb/../c?d=%7E&e=+f%20g";
    const { authorization_url } = await begin(app, redirectUri);
    const asked = new URL(authorization_url).searchParams;
    assert.equal(asked.get("redirect_uri"), redirectUri);
    const sent = provider.approve(authorization_url);
    await expectJson(await callback(app, sent), 200);
    const request = provider.seen.at(-2);
    assert.equal(request?.path, "/token");
    const form = new URLSearchParams(request?.body);
    assert.equal(form.get("redirect_uri"), redirectUri);
    assert.equal(form.get("client_id"), CLIENT_ID);
    assert.equal(form.get("client_secret"), null);
    assert.equal(request?.headers.get("authorization"), null);
  }, {
    settings: { OIDC_CLIENT_SECRET: "", OIDC_ALLOW_LOOPBACK_REDIRECT: "on" },
  });
});

const METHODS: Record<string, [offered: unknown, used: "basic" | "post"]> = {
  "nothing": [undefined, "basic"],
  "both": [["client_secret_post", "client_secret_basic"], "basic"],
  "post alone": [["client_secret_post", "private_key_jwt"], "post"],
  "neither": [["private_key_jwt"], "basic"],
};

for (const [what, [offered, used]] of Object.entries(METHODS)) {
  Deno.test(`a provider whose metadata offers ${what} is sent the secret by ${used}`, async () => {
    await withParty(async ({ provider, signIn }) => {
      provider.metadata["token_endpoint_auth_methods_supported"] = offered;
      await expectJson(await signIn(), 200);
      const request = provider.seen.find((one) => one.path === "/token");
      const form = new URLSearchParams(request?.body);
      const posted = form.get("client_secret");
      assert.equal(posted, used === "post" ? CLIENT_SECRET : null);
      assert.equal(
        request?.headers.has("authorization"),
        used === "basic",
      );
    });
  });
}

/** Answers that refuse the exchange. */
const REFUSALS: Record<string, () => Response> = {
  "400": () => Response.json({ error: "invalid_grant" }, { status: 400 }),
  "400 that is not JSON": () => new Response("<p>no", { status: 400 }),
  "401": () =>
    Response.json({ error: "invalid_client" }, {
      status: 401,
      headers: { "www-authenticate": "Basic" },
    }),
  "403": () => Response.json({ error: "access_denied" }, { status: 403 }),
};

for (const endpoint of ["token", "keys"] as const) {
  Deno.test(`a ${endpoint} endpoint that cannot be used makes the provider unavailable, and the next try works`, async (t) => {
    await withParty(async ({ app, provider, signIn, sentBack }) => {
      await expectJson(await signIn(), 200);
      for (const [what, answer] of Object.entries(UNUSABLE)) {
        await t.step(`${what} is 500 oidc_unavailable`, async () => {
          // The keys are fetched again after an hour.
          app.clock.advance(3_600_000);
          const sent = await sentBack();
          provider.answers.set(endpoint, answer);
          await expectProblem(
            await callback(app, sent),
            "error.auth.oidc_unavailable",
          );
          provider.answers.clear();
          await expectProblem(
            await callback(app, sent),
            "error.auth.oidc_state_invalid",
          );
          await expectJson(await signIn(), 200);
        });
      }
      assert(
        provider.seen.every((one) => one.path !== "/elsewhere"),
        "redirects are never followed",
      );
    });
  });
}

Deno.test("a token endpoint that refuses is 401 oidc_exchange_failed, one and the same", async (t) => {
  await withParty(async ({ provider, signIn }) => {
    const answers = new Set<string>();
    for (const [what, answer] of Object.entries(REFUSALS)) {
      await t.step(`${what} refuses the exchange`, async () => {
        provider.answers.set("token", answer);
        const response = await signIn();
        answers.add(await response.clone().text());
        await expectProblem(response, "error.auth.oidc_exchange_failed");
      });
    }
    assert.equal(answers.size, 1);
    provider.answers.clear();
    await expectJson(await signIn(), 200);
  });
});

Deno.test("an answer of just 1 MiB is taken, and of any media type", async () => {
  await withParty(async ({ provider, sentBack, app }) => {
    const sent = await sentBack();
    const keys = JSON.stringify({ keys: [provider.signer.published] });
    provider.answers.set("keys", () => new Response(keys.padEnd(MIB)));
    await expectJson(await callback(app, sent), 200);
  });
});

Deno.test("keys that are missing or withheld refuse accordingly", async () => {
  await withParty(async ({ app, provider, signIn }) => {
    for (const answer of [{}, { keys: {} }, { keys: [1] }]) {
      provider.answers.set("keys", () => Response.json(answer));
      await expectProblem(await signIn(), "error.auth.oidc_unavailable");
    }
    provider.answers.set("keys", () => new Response("", { status: 404 }));
    await expectProblem(await signIn(), "error.auth.oidc_unavailable");
    provider.answers.set("keys", () => Response.json({ keys: [] }));
    await expectProblem(await signIn(), "error.auth.oidc_token_invalid");
    provider.answers.clear();
    app.clock.advance(60_000);
    await expectJson(await signIn(), 200);
  });
});

Deno.test("keys that are null or lack a kty are ignored, and the log names them (RFC 7517 5)", async () => {
  await withParty(async ({ app, provider, signIn }) => {
    provider.answers.set("keys", () =>
      Response.json({
        keys: [
          null,
          { kid: "without", use: "sig" },
          7,
          { kty: 5 },
          provider.signer.published,
        ],
      }));
    await expectJson(await signIn(), 200);
    const ignored = app.logged.filter((line) =>
      line.message === "a key of the provider's set is ignored"
    ).map(({ properties: { place, kid } }) => [place, kid]);
    assert.deepEqual(ignored, [
      [0, undefined],
      [1, "without"],
      [2, undefined],
      [3, undefined],
    ]);
  });
});

Deno.test("a token without a kid is verified by the next key, whatever is wrong with the one before", async (t) => {
  const short = await rsaKey(1024);
  const { n: _, ...half } = (await rsaKey(2048)).published;
  const before: Record<string, JWK[]> = {
    "another key": [(await rsaKey(2048)).published],
    "a key of 1,024 bits": [short.published],
    "a key that is no RSA key": [{ kty: "RSA", n: "AQAB", e: "AQAB" }],
    "half a key": [half],
    "all of them": [
      (await rsaKey(2048)).published,
      short.published,
      { kty: "RSA", n: "AQAB", e: "AQAB" },
      half,
    ],
  };
  for (const [what, keys] of Object.entries(before)) {
    await t.step(what, async () => {
      await withParty(async ({ app, provider, signIn }) => {
        provider.signer = await rsaKey(2048);
        provider.answers.set(
          "keys",
          () => Response.json({ keys: [...keys, provider.signer.published] }),
        );
        await expectJson(await signIn(), 200);
        const late = { exp: Math.floor(app.clock.now / 1_000) - 61 };
        await expectProblem(
          await signIn(late),
          "error.auth.oidc_token_invalid",
        );
        assert.match(
          String(app.logged.at(-1)?.properties["cause"]),
          /"exp" claim timestamp/,
        );
      });
    });
  }
});
