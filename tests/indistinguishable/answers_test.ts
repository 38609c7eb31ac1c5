/**
 * Answers that must not tell apart what they refuse: equal in status, in every
 * header but Date, and in body, byte for byte.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type SendOptions, type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  PASSWORD,
  type Person,
  registerPerson,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import {
  expectSameAnswers,
  issueShare,
  opaqueId,
  refreshed,
  sendManifest,
  suspend,
} from "../support/api.ts";

const BYTES = ciphertext("indistinguishable", 100);
const HOUR = 3_600_000;

/** Sends one request to each of the paths and expects one answer. */
async function expectOneAnswer(
  app: TestApp,
  method: string,
  paths: Readonly<Record<string, string>>,
  sent: SendOptions,
): Promise<string> {
  const answers: Record<string, Response> = {};
  for (const [name, path] of Object.entries(paths)) {
    answers[`${method} of ${name}`] = await app.send(method, path, sent);
  }
  return await expectSameAnswers(answers);
}

function codeOf(body: string): string {
  return JSON.parse(body).code;
}

Deno.test("an unknown, foreign, expired or cancelled upload is one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const open = async (person: Person, name: string) =>
      (await createUpload(app, person, BYTES, { fileId: uuidOf(name) }))
        .upload_id;
    const expired = await open(ada, "expired");
    app.clock.advance(24 * HOUR);
    const now = await refreshed(app, ada);
    const cancelled = await open(now, "cancelled");
    await expectEmpty(
      await app.send("DELETE", `/v1/upload/${cancelled}`, { token: now.token }),
      204,
    );
    const late = await refreshed(app, bob);
    const finalized = await uploadBlob(app, late, BYTES, {
      fileId: uuidOf("finalized"),
    });
    const uploads = {
      unknown: uuidOf("no upload"),
      foreign: await open(late, "foreign"),
      "foreign finalized": finalized.upload_id,
      expired,
      cancelled,
    };
    const paths = (suffix = "") =>
      Object.fromEntries(
        Object.entries(uploads).map(([name, id]) => [
          name,
          `/v1/upload/${id}${suffix}`,
        ]),
      );
    const { token } = now;
    const octets = { "Content-Type": "application/octet-stream" };
    const tus = { "Content-Type": "application/offset+octet-stream" };
    const body = BYTES;
    for (
      const [method, suffix, sent] of [
        ["GET", "", {}],
        ["DELETE", "", {}],
        ["POST", "/finalize", {}],
        ["PUT", "", { headers: octets, body }],
        ["PATCH", "", { headers: { ...tus, "Upload-Offset": "0" }, body }],
        ["PATCH", "", { headers: { ...tus, "Upload-Offset": "50" }, body }],
        ["PUT", "", { headers: octets, body: ciphertext("too long", 101) }],
      ] as [string, string, SendOptions][]
    ) {
      const answer = await expectOneAnswer(app, method, paths(suffix), {
        ...sent,
        token,
      });
      assert.equal(codeOf(answer), "error.upload.not_found");
    }
    const nothing = await expectOneAnswer(app, "HEAD", paths(), { token });
    assert.equal(nothing, "");
  });
});

Deno.test("an unknown, foreign or pending asset is one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const foreign = await createAsset(app, bob, "bob's");
    const pending = uuidOf("pending");
    await uploadBlob(app, ada, foreign.original, { fileId: pending });
    await uploadBlob(app, bob, BYTES, { fileId: uuidOf("foreign pending") });
    const { token } = ada;
    const assets = {
      unknown: `/v1/assets/${uuidOf("no asset")}`,
      foreign: `/v1/assets/${foreign.assetId}`,
      pending: `/v1/assets/${pending}`,
      "foreign pending": `/v1/assets/${uuidOf("foreign pending")}`,
    };
    const hash = hashOf(foreign.original);
    const own = await createAsset(app, ada, "ada's");
    const blobs = {
      ...Object.fromEntries(
        Object.entries(assets).map(([name, path]) => [
          name,
          `${path}/blobs/${hash}`,
        ]),
      ),
      "an unknown blob of one's own": `/v1/assets/${own.assetId}/blobs/${
        hashOf("nothing")
      }`,
      "a foreign blob of one's own": `/v1/assets/${own.assetId}/blobs/${hash}`,
    };
    const requests: SendOptions[] = [
      { token },
      { token, headers: { Range: "bytes=0-1" } },
      { token, headers: { "If-None-Match": `"${hash}"` } },
      { token, headers: { "If-None-Match": "*" } },
    ];
    for (const sent of requests) {
      for (const paths of [assets, blobs]) {
        const answer = await expectOneAnswer(app, "GET", paths, sent);
        assert.equal(codeOf(answer), "error.asset.not_found");
        assert.equal(await expectOneAnswer(app, "HEAD", paths, sent), "");
      }
    }
  });
});

Deno.test("the receipts of an unknown and of a foreign asset are one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const foreign = await createAsset(app, bob, "bob's");
    await uploadBlob(app, bob, BYTES, { fileId: uuidOf("foreign pending") });
    const answer = await expectOneAnswer(app, "GET", {
      unknown: `/v1/assets/${uuidOf("no asset")}/receipts`,
      foreign: `/v1/assets/${foreign.assetId}/receipts`,
      "foreign pending": `/v1/assets/${uuidOf("foreign pending")}/receipts`,
    }, { token: ada.token });
    assert.equal(codeOf(answer), "error.asset.not_found");
  });
});

Deno.test("whatever is not live about a link, its answer is one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const eve = await registerWriter(app, "eve");
    const { assetId, original, metadata, manifest } = await createAsset(
      app,
      ada,
      "photo",
    );
    const replaced = hashOf(metadata);
    const hash = hashOf(original);
    const secret = { wrapped_secret: "AAAA" };
    const serves = [hash, replaced];
    const live = await issueShare(app, ada, "live", serves, secret);
    const open = await issueShare(app, ada, "open", serves);
    const expired = await issueShare(app, ada, "expired", serves, {
      ...secret,
      expires_at: new Date(app.clock.now + HOUR).toISOString(),
    });
    const revoked = await issueShare(app, ada, "revoked", serves, secret);
    await expectEmpty(
      await app.send("DELETE", `/v1/shares/${revoked}`, { token: ada.token }),
      204,
    );
    const suspended = await issueShare(app, eve, "suspended", serves, secret);
    await suspend(app, eve);
    // No metadata any more: that blob is no longer live.
    await expectJson(
      await sendManifest(app, ada, assetId, ciphertext("second", 40), {
        action: "replace",
        original,
        prior: hashOf(manifest),
      }),
      200,
    );
    app.clock.advance(HOUR);
    const dead = {
      unknown: opaqueId("never issued"),
      expired,
      revoked,
      "of a suspended issuer": suspended,
    };
    const under = (suffix: string) =>
      Object.fromEntries(
        Object.entries(dead).map(([name, id]) => [name, `/s/${id}${suffix}`]),
      );
    const groups = [
      under(""),
      {
        ...under("/wrapped-secret"),
        "without a passphrase": `/s/${open}/wrapped-secret`,
      },
      {
        ...under(`/blob/${hash}`),
        "of a hash not served": `/s/${live}/blob/${hashOf(manifest)}`,
        "of a hash that never was": `/s/${live}/blob/${hashOf("nothing")}`,
        "of a blob no longer live": `/s/${live}/blob/${replaced}`,
      },
    ];
    const bodies = new Set<string>();
    const headers: Record<string, string>[] = [
      {},
      { Range: "bytes=0-1" },
      { "If-None-Match": "*" },
      { Origin: "https://somewhere.example" },
    ];
    for (const paths of groups) {
      for (const one of headers) {
        const sent = { protocol: null, headers: one };
        bodies.add(await expectOneAnswer(app, "GET", paths, sent));
        assert.equal(await expectOneAnswer(app, "HEAD", paths, sent), "");
      }
      // All of them spend one budget of the client's: it ends for all at once.
      for (let spent = 0; spent < 10; spent++) {
        for (const path of Object.values(paths)) {
          await (await app.send("GET", path, { protocol: null })).body
            ?.cancel();
        }
      }
      const refused = await expectOneAnswer(app, "GET", paths, {
        protocol: null,
      });
      assert.equal(codeOf(refused), "error.share.rate_limited");
      app.clock.advance(60_000);
    }
    // One 404 for all three paths.
    const [body, ...others] = bodies;
    assert.deepEqual(others, []);
    assert.equal(codeOf(body ?? "{}"), "error.share.not_found");
    const alive = await app.send("GET", `/s/${live}/blob/${hash}`);
    assert.equal(alive.status, 200);
    await alive.body?.cancel();
  }, {
    settings: {
      STRONGROOM_LIMIT_SHARE_METADATA: "60",
      STRONGROOM_LIMIT_SHARE_BLOB: "60",
      STRONGROOM_LIMIT_SHARE_SECRET: "60",
    },
  });
});

Deno.test("an unknown address and a wrong password are one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const login = (address: string, password: string) =>
      app.send("POST", "/v1/auth/login", { json: { address, password } });
    const body = await expectSameAnswers({
      "a wrong password": await login(ada.address, "not the password"),
      "a short password": await login(ada.address, "short"),
      "an unknown address": await login("eve@example.org", PASSWORD),
      "both": await login("eve@example.org", "short"),
    });
    assert.equal(codeOf(body), "error.auth.credentials_invalid");
  });
});

Deno.test("unknown, expired and revoked session tokens are one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    app.clock.advance(180 * 24 * HOUR);
    const bob = await registerPerson(app, "bob");
    await expectEmpty(
      await app.send("POST", "/v1/auth/logout", { token: bob.token }),
      204,
    );
    const refresh = (session_token: string) =>
      app.send("POST", "/v1/auth/refresh", { json: { session_token } });
    const body = await expectSameAnswers({
      unknown: await refresh("AAAAAAAAAAAAAAAAAAAAAA"),
      "not a token": await refresh("x"),
      expired: await refresh(ada.sessionToken),
      revoked: await refresh(bob.sessionToken),
    });
    assert.equal(codeOf(body), "error.auth.session_token_invalid");
  });
});

Deno.test("revoking one's own, a foreign, an unknown and a revoked link is one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const own = await issueShare(app, ada, "own", [hashOf("blob")]);
    const foreign = await issueShare(app, bob, "foreign", [hashOf("blob")]);
    const revoke = (id: string) =>
      app.send("DELETE", `/v1/shares/${id}`, { token: ada.token });
    const body = await expectSameAnswers({
      own: await revoke(own),
      "already revoked": await revoke(own),
      foreign: await revoke(foreign),
      unknown: await revoke(opaqueId("unknown")),
    });
    assert.equal(body, "");
  });
});

Deno.test("signing out of an open and of a closed session is one and the same", async () => {
  await withTestApp(async (app) => {
    const { token } = await registerPerson(app, "ada");
    await expectSameAnswers({
      open: await app.send("POST", "/v1/auth/logout", { token }),
      closed: await app.send("POST", "/v1/auth/logout", { token }),
    });
  });
});

Deno.test("no directory and no account are one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const body = await expectOneAnswer(app, "GET", {
      "no directory": `/v1/users/${ada.userId}/directory`,
      "no account": `/v1/users/${uuidOf("nobody")}/directory`,
    }, { token: ada.token });
    assert.equal(codeOf(body), "error.directory.not_found");
  });
});

Deno.test("an upload into an unknown and into a foreign album is one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const foreign = uuidOf("bob's album");
    await expectJson(
      await app.send("POST", "/v1/albums", {
        token: bob.token,
        json: { album_id: foreign },
      }),
      201,
    );
    const create = (albumId: string) =>
      app.send("POST", "/v1/upload", {
        token: ada.token,
        json: uploadRequest(ada, BYTES, { albumId }) as Json,
      });
    const body = await expectSameAnswers({
      unknown: await create(uuidOf("no album")),
      foreign: await create(foreign),
    });
    assert.equal(codeOf(body), "error.album.not_found");
  });
});
