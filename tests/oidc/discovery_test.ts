/**
 * A malicious provider: discovery, and what is cached of it and of the keys
 * (protocol/authentication.md#the-providers-answers).
 *
 * @module
 */
import assert from "node:assert/strict";
import { UNUSABLE } from "../support/bad_answers.ts";
import { authorize, begin, callback } from "../support/ceremony.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { makeKey, signed, withParty } from "../support/malicious_provider.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Discovery documents that are refused, as changes of a sound one. */
const REFUSED: Record<string, Record<string, unknown>> = {
  "another issuer": { issuer: "https://other.example" },
  "an issuer in a list": { issuer: ["https://other.example"] },
  "no issuer": { issuer: undefined },
  "no authorization endpoint": { authorization_endpoint: undefined },
  "no token endpoint": { token_endpoint: undefined },
  "no keys": { jwks_uri: undefined },
  "an endpoint of null": { token_endpoint: null },
  "a number for an endpoint": { jwks_uri: 5 },
  "an endpoint in a list": { token_endpoint: ["https://idp.example/token"] },
  "a relative endpoint": { token_endpoint: "/token" },
  "plain http elsewhere to authorize": {
    authorization_endpoint: "http://idp.example/authorize",
  },
  "plain http elsewhere for tokens": {
    token_endpoint: "http://idp.example/token",
  },
  "plain http elsewhere for keys": { jwks_uri: "http://192.0.2.1/keys" },
  "plain http elsewhere for what is not used": {
    userinfo_endpoint: "http://idp.example/userinfo",
  },
  "localhost for tokens": { token_endpoint: "http://localhost:1/token" },
  "localhost for keys": { jwks_uri: "http://localhost/keys" },
  "a short loopback": { jwks_uri: "http://127.1/keys" },
  "a loopback in hex": { jwks_uri: "http://0x7f.0.0.1/keys" },
  "a loopback with user information": { jwks_uri: "http://a@127.0.0.1/keys" },
  "user information that looks like loopback": {
    token_endpoint: "http://127.0.0.1:80@idp.example/token",
  },
  "another scheme": { authorization_endpoint: "ftp://127.0.0.1/authorize" },
  "a script to authorize": { authorization_endpoint: "javascript:alert(1)" },
  "data for keys": { jwks_uri: 'data:application/json,{"keys":[]}' },
  "a file for keys": { jwks_uri: "file:///etc/passwd" },
  "a number for the ways of client authentication": {
    token_endpoint_auth_methods_supported: 5,
  },
  "a text for the ways of client authentication": {
    token_endpoint_auth_methods_supported: "client_secret_post",
  },
};

Deno.test("a discovery document that is refused makes authorize answer 500, and the next try works", async (t) => {
  await withParty(async ({ app, provider, signIn }) => {
    const sound = provider.metadata;
    const answers = new Set<string>();
    const unavailable = async (what: string) => {
      await t.step(`${what} is refused`, async () => {
        const response = await authorize(app);
        answers.add(await response.clone().text());
        await expectProblem(response, "error.auth.oidc_unavailable");
        provider.answers.clear();
        provider.metadata = sound;
        await expectJson(await signIn(), 200);
        app.clock.advance(DAY_MS);
      });
    };
    const slash = { issuer: `${provider.issuer}/` };
    const capitals = { issuer: provider.issuer.toUpperCase() };
    for (
      const [what, change] of Object.entries({
        ...REFUSED,
        "an issuer with a slash more": slash,
        "an issuer in capitals": capitals,
      })
    ) {
      provider.metadata = { ...sound, ...change };
      await unavailable(what);
    }
    const notFound = () => Response.json(sound, { status: 404 });
    for (
      const [what, answer] of Object.entries({ ...UNUSABLE, "404": notFound })
    ) {
      provider.answers.set("discovery", answer);
      await unavailable(what);
    }
    assert.equal(answers.size, 1);
    assert(provider.seen.every((one) => one.path !== "/elsewhere"));
  });
});

/** Oddities in a discovery document that do no harm. */
const SOUND: Record<string, Record<string, unknown>> = {
  "https elsewhere": { authorization_endpoint: "https://idp.example/go?a=b" },
  "optional endpoints that are null, empty, relative or a number": {
    registration_endpoint: null,
    end_session_endpoint: "",
    userinfo_endpoint: "/userinfo",
    introspection_endpoint: 5,
  },
  "an IPv6 loopback that is not used": {
    userinfo_endpoint: "http://[::1]:9/userinfo",
  },
  "claims and methods that are null": {
    claims_supported: null,
    token_endpoint_auth_methods_supported: null,
  },
};

Deno.test("a discovery document that is odd, but admitted, is used", async (t) => {
  await withParty(async ({ app, provider, signIn }) => {
    const sound = provider.metadata;
    for (const [what, change] of Object.entries(SOUND)) {
      await t.step(`${what} is admitted`, async () => {
        provider.metadata = { ...sound, ...change };
        await expectJson(await signIn(), 200);
        app.clock.advance(DAY_MS);
      });
    }
    const ignored = app.logged.filter((line) =>
      line.message === "a field of the provider's discovery is ignored"
    );
    assert.deepEqual(ignored.map((line) => line.properties["field"]), [
      "registration_endpoint",
      "end_session_endpoint",
      "userinfo_endpoint",
      "introspection_endpoint",
    ]);
    provider.metadata = { ...sound, ...SOUND["https elsewhere"] };
    const { authorization_url } = await begin(app);
    const url = new URL(authorization_url);
    assert.equal(url.origin, "https://idp.example");
    assert.equal(url.searchParams.get("a"), "b");
  });
});

for (const path of ["/realms/photos", "/application/o/strongroom/"]) {
  Deno.test(`an issuer with the path ${path} is discovered below it`, async () => {
    await withParty(async ({ provider, signIn }) => {
      await expectJson(await signIn(), 200);
      assert.equal(
        provider.seen[0]?.path,
        `${path.replace(/\/$/, "")}/.well-known/openid-configuration`,
      );
      assert.equal(provider.seen[0]?.method, "GET");
    }, { path });
  });
}

Deno.test("discovery is lazy, and metadata are cached for a day", async () => {
  await withParty(async ({ app, provider, signIn }) => {
    assert.deepEqual(provider.seen, []);
    // Several at once share the one request.
    await Promise.all(Array.from({ length: 8 }, () => begin(app)));
    assert.equal(provider.count("discovery"), 1);
    app.clock.advance(DAY_MS - 1);
    await expectJson(await signIn(), 200);
    assert.equal(provider.count("discovery"), 1);
    app.clock.advance(1);
    await expectJson(await signIn(), 200);
    assert.equal(provider.count("discovery"), 2);
  });
});

Deno.test("a clock that is set back keeps nothing longer than its length", async () => {
  await withParty(async ({ app, provider, signIn }) => {
    await expectJson(await signIn(), 200);
    app.clock.advance(-365 * DAY_MS);
    await expectJson(await signIn(), 200);
    assert.equal(provider.count("discovery"), 2);
    assert.equal(provider.count("keys"), 2);
  });
});

Deno.test("metadata that lapse between authorize and callback are asked for again", async () => {
  await withParty(async ({ app, provider, signIn, sentBack }) => {
    await expectJson(await signIn(), 200);
    app.clock.advance(DAY_MS - MINUTE_MS);
    const [first, second] = [await sentBack(), await sentBack()];
    app.clock.advance(MINUTE_MS);
    provider.answers.set("discovery", () => new Response("", { status: 500 }));
    await expectProblem(
      await callback(app, first),
      "error.auth.oidc_unavailable",
    );
    provider.answers.clear();
    await expectJson(await callback(app, second), 200);
  });
});

Deno.test("keys are read again after an hour regardless, so that a withdrawn one lapses", async () => {
  await withParty(async ({ app, provider, signIn }) => {
    await expectJson(await signIn(), 200);
    const withdrawn = provider.signer;
    provider.keys = [await makeKey("the next key")];
    app.clock.advance(HOUR_MS - 1);
    await expectJson(await signIn(), 200);
    assert.equal(provider.count("keys"), 1);
    app.clock.advance(1);
    assert.equal(provider.signer, withdrawn);
    await expectProblem(await signIn(), "error.auth.oidc_token_invalid");
    assert(provider.count("keys") >= 2);
  });
});

Deno.test("keys that rotate in mid-flight are fetched at once, and the sign-in succeeds", async () => {
  await withParty(async ({ app, provider, signIn, sentBack }) => {
    await expectJson(await signIn(), 200);
    const sent = await sentBack();
    provider.signer = await makeKey("the next key", "EdDSA");
    provider.keys = [provider.signer];
    await expectJson(await callback(app, sent), 200);
    assert.equal(provider.count("keys"), 2);
  });
});

Deno.test("several sign-ins at once survive a rotation of the keys", async () => {
  await withParty(async ({ app, provider, signIn, sentBack }) => {
    await expectJson(await signIn(), 200);
    const sent = await Promise.all(
      Array.from({ length: 6 }, (_, n) => sentBack({ sub: `${n}` })),
    );
    provider.signer = await makeKey("the next key");
    provider.keys = [provider.signer];
    const statuses = await Promise.all(sent.map(async (one) => {
      const response = await callback(app, one);
      await response.body?.cancel();
      return response.status;
    }));
    assert.deepEqual(statuses, sent.map(() => 200));
    assert.equal(provider.count("keys"), 2, "they share the one request");
  });
});

Deno.test("an unknown kid has the keys fetched again at most once a minute", async () => {
  await withParty(async ({ app, provider, signIn }) => {
    const honest = provider.signer;
    const stranger = await makeKey("nobody knows it");
    const forged = async () => {
      provider.idToken = (claims) => signed(stranger, claims);
      await expectProblem(await signIn(), "error.auth.oidc_token_invalid");
      return provider.count("keys");
    };
    assert.equal(await forged(), 2, "the first fetch starts no clock");
    for (let n = 0; n < 3; n++) assert.equal(await forged(), 2);
    app.clock.advance(MINUTE_MS - 1);
    assert.equal(await forged(), 2);
    app.clock.advance(1);
    assert.equal(await forged(), 3);
    assert.equal(await forged(), 3);
    // Who signs honestly meanwhile is not in the way.
    provider.idToken = (claims) => signed(honest, claims);
    await expectJson(await signIn(), 200);
    assert.equal(provider.count("keys"), 3);
  });
});

Deno.test("a known kid under a wrong signature fetches nothing", async () => {
  await withParty(async ({ provider, signIn }) => {
    await expectJson(await signIn(), 200);
    const stranger = await makeKey("nobody knows it");
    provider.idToken = (claims) =>
      signed(stranger, claims, provider.signer.header);
    await expectProblem(await signIn(), "error.auth.oidc_token_invalid");
    assert.equal(provider.count("keys"), 1);
  });
});
