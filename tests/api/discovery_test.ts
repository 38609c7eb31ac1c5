import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { fromBase64 } from "../../src/core/bytes.ts";
import { ORIGIN, START_MS, type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, type Json } from "../support/expect.ts";
import { hashOf, registerPerson } from "../support/people.ts";

const RECORDS = [
  "server-info",
  "deprecation",
  "revoked-jti",
  "attestation-keys",
];

async function record(app: TestApp, name: string): Promise<Json> {
  const response = await app.send("GET", `/.well-known/service/${name}`, {
    protocol: null,
  });
  return await expectJson(response, 200);
}

function bytesOf(base64: string): Uint8Array {
  return fromBase64(base64) ?? new Uint8Array();
}

Deno.test("server-info is exactly what the table says", async () => {
  await withTestApp(async (app) => {
    const { signing_key, ...info } = await record(app, "server-info");
    assert.deepEqual(info, {
      server_id: ORIGIN,
      api_base_url: info.api_base_url,
      auth: {
        login: "/v1/auth/login",
        refresh: "/v1/auth/refresh",
        logout: "/v1/auth/logout",
        oidc: null,
      },
      protocol_version: { min: "2026-06-01", max: "2026-11-01" },
      signing_algorithm: "EdDSA",
      deprecations: [],
    });
    // Absolute paths, resolved against it.
    assert.equal(
      new URL(info.auth.login, info.api_base_url).href,
      `${ORIGIN}/v1/auth/login`,
    );
    assert.equal(bytesOf(signing_key).length, 32);
  });
});

Deno.test("the canonical origin is a setting", async () => {
  const origin = "https://photos.example.org";
  await withTestApp(async (app) => {
    const info = await record(app, "server-info");
    assert.equal(info.server_id, origin);
    assert.equal(new URL(info.auth.login, info.api_base_url).origin, origin);
    assert.equal((await record(app, "attestation-keys")).server_id, origin);
  }, { settings: { STRONGROOM_BASE_URL: origin } });
});

Deno.test("the deprecation record has the same announcements: none", async () => {
  await withTestApp(async (app) => {
    assert.deepEqual(await record(app, "deprecation"), { announcements: [] });
  });
});

Deno.test("the revocation record says when it was made and how stale it may be", async () => {
  await withTestApp(async (app) => {
    app.clock.advance(90_000);
    const response = await app.send(
      "GET",
      "/.well-known/service/revoked-jti",
      { protocol: null },
    );
    assert.match(
      response.headers.get("cache-control") ?? "",
      /\bmax-age=300\b/,
    );
    const { generated_at, ...rest } = await expectJson(response, 200);
    assert.equal(Date.parse(generated_at), START_MS + 90_000);
    assert.match(generated_at, /Z$/);
    assert.deepEqual(rest, { max_staleness_seconds: 300, revoked: [] });
  });
});

Deno.test("the attestation keys are published with their fingerprints, active last", async () => {
  await withTestApp(async (app) => {
    const response = await app.send(
      "GET",
      "/.well-known/service/attestation-keys",
      { protocol: null },
    );
    assert.match(response.headers.get("cache-control") ?? "", /max-age=\d+/);
    const { keys, log_keys, ...rest } = await expectJson(response, 200);
    assert.equal(log_keys.length, 1);
    assert.equal(log_keys[0].algorithm, "Ed25519");
    assert.equal(log_keys[0].key_id, hashOf(bytesOf(log_keys[0].public)));
    assert.deepEqual(rest, {
      server_id: ORIGIN,
      server_ids: [{
        server_id: ORIGIN,
        from: new Date(START_MS).toISOString(),
      }],
    });
    assert.equal(keys.length, 1);
    const [{ public: publicKey, active_from, active_to, ...key }] = keys;
    assert.equal(bytesOf(publicKey).length, 1_984);
    assert.deepEqual(key, {
      key_id: hashOf(bytesOf(publicKey)),
      algorithm: "Ed25519+ML-DSA-65",
    });
    assert.equal(Date.parse(active_from), START_MS);
    assert.match(active_from, /Z$/);
    assert.equal(active_to ?? null, null);
  });
});

Deno.test("the version is the package's name and version, and nothing else", async () => {
  await withTestApp(async (app) => {
    const manifest = JSON.parse(
      await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
    );
    const response = await app.send("GET", "/v1/version", { protocol: null });
    assert.deepEqual(await expectJson(response, 200), {
      name: "strongroom",
      version: manifest.version,
    });
  });
});

Deno.test("discovery looks at no handshake and no credential", async () => {
  await withTestApp(async (app) => {
    const paths = [
      ...RECORDS.map((name) => `/.well-known/service/${name}`),
      "/v1/version",
      "/openapi.json",
      "/app/config.json",
      "/healthz",
    ];
    for (const path of paths) {
      for (
        const headers of [
          { "X-Service-Protocol": "never" },
          { "X-Service-Protocol": "1999-12-31" },
          { "X-Service-Crypto-Suite": "77", "X-Service-Sidecar-Schema": "x" },
          { Authorization: "Bearer garbage" },
        ]
      ) {
        const response = await app.send("GET", path, {
          protocol: null,
          headers,
        });
        await response.body?.cancel();
        assert.equal(
          response.status,
          200,
          `${path} ${JSON.stringify(headers)}`,
        );
      }
      const head = await app.send("HEAD", path, { protocol: null });
      await expectEmpty(head, 200);
    }
  });
});

Deno.test("discovery holds nothing of any account, and outlives a restart", async () => {
  await withTestApp(async (app) => {
    const all = async (one: TestApp) =>
      JSON.stringify(
        await Promise.all(RECORDS.map((name) => record(one, name))),
      );
    const before = await all(app);
    const ada = await registerPerson(app, "ada");
    assert.equal(await all(app), before);
    assert(!before.includes(ada.userId));
    assert.equal(await all(await app.reopen()), before);
  });
});

/** Settings, and what a page is told of them. */
const PAGE_CONFIGS: readonly [Record<string, string>, Json][] = [
  [{}, {}],
  [{ STRONGROOM_REGISTRATION: "closed" }, { registration: "invited" }],
  [
    { STRONGROOM_REGISTRATION: "example.org,example.net" },
    { registration: "domains" },
  ],
  [
    {
      STRONGROOM_BASE_URL: "https://photos.example.org",
      STRONGROOM_MAX_BLOB_BYTES: "5MiB",
      STRONGROOM_TRASH_DAYS: "7",
      OIDC_ISSUER: "https://id.example.org",
      OIDC_CLIENT_ID: "client",
      OIDC_REDIRECT_URL: "https://photos.example.org/callback",
    },
    { tls: true, max_blob_bytes: 5 * 1024 ** 2, trash_days: 7, oidc: true },
  ],
];

for (const [settings, told] of PAGE_CONFIGS) {
  Deno.test(`a page learns who may register, and what else it has to know: ${JSON.stringify(told)}`, async () => {
    await withTestApp(async (app) => {
      const response = await app.send("GET", "/app/config.json", {
        protocol: null,
      });
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.deepEqual(await expectJson(response, 200), {
        registration: "open",
        oidc: false,
        max_blob_bytes: 16 * 1024 ** 3,
        trash_days: 30,
        version: manifest.version,
        tls: false,
        ...told,
      });
    }, { settings });
  });
}
