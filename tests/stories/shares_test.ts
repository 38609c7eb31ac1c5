/**
 * Share links: issuing, revoking, and what a link shows and when.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { START_MS, type TestApp, withTestApp } from "../support/app.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import {
  expectBytes,
  expectNoErrors,
  issueShare,
  opaqueId,
  refreshed,
  sendManifest,
  shareRequest,
  suspend,
} from "../support/stories.ts";

const HOUR = 3_600_000;
const HASH = hashOf("some blob");

function issue(app: TestApp, person: Person, json: Json): Promise<Response> {
  return app.send("POST", "/v1/shares", { token: person.token, json });
}

function revoke(app: TestApp, person: Person, id: string): Promise<Response> {
  return app.send("DELETE", `/v1/shares/${id}`, { token: person.token });
}

function view(app: TestApp, path: string, from?: string): Promise<Response> {
  return app.send("GET", `/s/${path}`, {
    protocol: null,
    ...(from === undefined ? {} : { from }),
  });
}

async function withAsset(
  test: (app: TestApp, ada: Person, asset: LiveAsset) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await test(app, ada, await createAsset(app, ada, "photo"));
    expectNoErrors(app);
  });
}

Deno.test("issuing a link answers 201 and echoes its opaque_id", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const request = shareRequest("link", [HASH]);
    assert.deepEqual(await expectJson(await issue(app, ada, request), 201), {
      opaque_id: request.opaque_id,
    });
  });
});

Deno.test("a viewer without any credential reads what the link serves", async () => {
  await withAsset(async (app, ada, asset) => {
    const serves = [hashOf(asset.metadata), hashOf(asset.original)];
    const secret = ciphertext("wrapped", 77);
    const link = await issueShare(app, ada, "link", serves, {
      wrapped_secret: toBase64(secret),
    });
    assert.deepEqual(await expectJson(await view(app, link), 200), {
      metadata_hash: serves[0],
      passphrase_protected: true,
    });
    const metadata = await view(app, `${link}/blob/${serves[0]}`);
    expectBytes(await metadata.arrayBuffer(), asset.metadata);
    const original = await view(app, `${link}/blob/${serves[1]}`);
    expectBytes(await original.arrayBuffer(), asset.original);
    const wrapped = await view(app, `${link}/wrapped-secret`);
    assert.equal(wrapped.status, 200);
    assert.equal(
      wrapped.headers.get("content-type"),
      "application/octet-stream",
    );
    expectBytes(await wrapped.arrayBuffer(), secret);
  });
});

Deno.test("a link without a passphrase says so, and has no wrapped secret", async () => {
  await withAsset(async (app, ada, asset) => {
    const serves = [hashOf(asset.metadata)];
    for (const [word, over] of [["a", {}], ["b", { wrapped_secret: null }]]) {
      const link = await issueShare(app, ada, String(word), serves, over);
      const shown = await expectJson(await view(app, link), 200);
      assert.equal(shown.passphrase_protected, false);
      await expectProblem(
        await view(app, `${link}/wrapped-secret`),
        "error.share.not_found",
      );
    }
  });
});

Deno.test("the viewer paths take no handshake and look at no credential", async () => {
  await withAsset(async (app, ada, asset) => {
    const link = await issueShare(app, ada, "link", [hashOf(asset.metadata)]);
    for (
      const headers of [
        { "X-Service-Protocol": "never" },
        { "X-Service-Crypto-Suite": "99" },
        { Authorization: "Bearer garbage" },
      ]
    ) {
      const sent = { protocol: null, headers };
      await expectJson(await app.send("GET", `/s/${link}`, sent), 200);
    }
  });
});

Deno.test("the shape of an issue is checked", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => hashOf(`blob ${index}`));
    const id = opaqueId("shape");
    const refused: [string, Json][] = [
      ["/opaque_id", { opaque_id: id.slice(1) }],
      ["/opaque_id", { opaque_id: `${id}0` }],
      ["/opaque_id", { opaque_id: id.toUpperCase() }],
      ["/opaque_id", { opaque_id: `${id}\n` }],
      ["/opaque_id", { opaque_id: 1 }],
      ["/metadata_hash", { metadata_hash: hashOf("not served") }],
      ["/metadata_hash", { metadata_hash: "abc" }],
      ["/serves", { serves: [] }],
      ["/serves", { serves: [HASH, HASH] }],
      ["/serves", { serves: null }],
      ["/serves", { serves: HASH }],
      ["/serves/1", { serves: [HASH, "abc"] }],
      ["/serves/1", { serves: [HASH, null] }],
      ["/serves", { serves: [HASH, ...many(10_000)] }],
      ["/wrapped_secret", { wrapped_secret: "" }],
      ["/wrapped_secret", { wrapped_secret: toBase64(new Uint8Array(4_097)) }],
      ["/wrapped_secret", { wrapped_secret: "AAA" }],
      ["/wrapped_secret", { wrapped_secret: "_-__" }],
      ["/wrapped_secret", { wrapped_secret: 1 }],
      ["/expires_at", { expires_at: new Date(START_MS).toISOString() }],
      ["/expires_at", { expires_at: "2020-01-01T00:00:00Z" }],
      ["/expires_at", { expires_at: "tomorrow" }],
      ["/expires_at", { expires_at: "2027-02-29T00:00:00Z" }],
      ["/expires_at", { expires_at: START_MS + HOUR }],
    ];
    for (const [pointer, over] of refused) {
      const refusal = await expectProblem(
        await issue(app, ada, shareRequest("shape", [HASH], over)),
        "error.request.invalid",
      );
      const paths: string[] = refusal.errors.map((one: Json) => one.path);
      // Two equal hashes may be told at the array or at the second one.
      assert(
        paths.some((path) => path === pointer || path === `${pointer}/1`),
        `${pointer}: ${paths}`,
      );
    }
    // Nothing of these took the id.
    await expectJson(
      await issue(
        app,
        ada,
        shareRequest("shape", many(10_000), {
          wrapped_secret: toBase64(new Uint8Array(4_096)),
          expires_at: new Date(START_MS + 1_000).toISOString(),
        }),
      ),
      201,
    );
    expectNoErrors(app);
  });
});

Deno.test("the same caller repeating the same body gets 201 again", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const request = shareRequest("link", [HASH, hashOf("second")], {
      wrapped_secret: "AAAA",
      expires_at: "2027-01-01T00:00:00Z",
    });
    const first = await expectJson(await issue(app, ada, request), 201);
    app.clock.advance(60_000);
    const keysReversed = Object.fromEntries(
      Object.entries(request).toReversed(),
    );
    for (const again of [request, keysReversed]) {
      assert.deepEqual(
        await expectJson(await issue(app, ada, again), 201),
        first,
      );
    }
  });
});

Deno.test("any other use of a known opaque_id is 422", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const serves = [HASH, hashOf("second")];
    const request = shareRequest("link", serves, { wrapped_secret: "AAAA" });
    await expectJson(await issue(app, ada, request), 201);
    const others: Json[] = [
      { ...request, serves: [HASH] },
      { ...request, metadata_hash: serves[1] },
      { ...request, wrapped_secret: "AAAB" },
      { ...request, wrapped_secret: null },
      { ...request, expires_at: "2027-01-01T00:00:00Z" },
    ];
    for (const other of others) {
      await expectProblem(
        await issue(app, ada, other),
        "error.share.opaque_id_unavailable",
      );
    }
    await expectProblem(
      await issue(app, bob, request),
      "error.share.opaque_id_unavailable",
    );
  });
});

Deno.test("a revoked link is not live, and never revived", async () => {
  await withAsset(async (app, ada, asset) => {
    const serves = [hashOf(asset.metadata)];
    const link = await issueShare(app, ada, "link", serves);
    await expectEmpty(await revoke(app, ada, link), 204);
    await expectProblem(await view(app, link), "error.share.not_found");
    const again = await issue(app, ada, shareRequest("link", serves));
    await again.body?.cancel();
    assert([201, 422].includes(again.status), String(again.status));
    for (const path of [link, `${link}/blob/${serves[0]}`]) {
      await expectProblem(await view(app, path), "error.share.not_found");
    }
    const other = shareRequest("link", serves, { wrapped_secret: "AAAA" });
    await expectProblem(
      await issue(app, ada, other),
      "error.share.opaque_id_unavailable",
    );
  });
});

Deno.test("revoking answers 204 always, and revokes the caller's own alone", async () => {
  await withAsset(async (app, ada, asset) => {
    const bob = await registerWriter(app, "bob");
    const link = await issueShare(app, ada, "link", [hashOf(asset.metadata)]);
    await expectEmpty(await revoke(app, bob, link), 204);
    await expectEmpty(await revoke(app, ada, opaqueId("unknown")), 204);
    await expectJson(await view(app, link), 200);
    await expectEmpty(await revoke(app, ada, link), 204);
    await expectEmpty(await revoke(app, ada, link), 204);
    await expectProblem(await view(app, link), "error.share.not_found");
    await expectProblem(
      await revoke(app, ada, "not-an-id"),
      "error.request.malformed",
    );
    await expectProblem(
      await revoke(app, ada, link.toUpperCase()),
      "error.request.malformed",
    );
  });
});

Deno.test("a link is live until expires_at is reached", async () => {
  await withAsset(async (app, ada, asset) => {
    const hash = hashOf(asset.metadata);
    const link = await issueShare(app, ada, "link", [hash], {
      wrapped_secret: "AAAA",
      expires_at: new Date(START_MS + HOUR).toISOString(),
    });
    const paths = [link, `${link}/blob/${hash}`, `${link}/wrapped-secret`];
    app.clock.advance(HOUR - 1_000);
    for (const path of paths) {
      const response = await view(app, path);
      await response.body?.cancel();
      assert.equal(response.status, 200, path);
    }
    app.clock.advance(1_000);
    for (const path of paths) {
      await expectProblem(await view(app, path), "error.share.not_found");
    }
    await app.purge();
    const now = await refreshed(app, ada);
    // The id stays taken.
    await expectProblem(
      await issue(app, now, shareRequest("link", [hash])),
      "error.share.opaque_id_unavailable",
    );
  });
});

Deno.test("malformed ids and hashes are 400 on the viewer paths", async () => {
  await withTestApp(async (app) => {
    const id = opaqueId("some link");
    for (
      const path of [
        "short",
        id.toUpperCase(),
        `${id}0`,
        id.slice(1),
        "short/wrapped-secret",
        `short/blob/${HASH}`,
        `${id}/blob/short`,
        `${id}/blob/${HASH.toUpperCase()}`,
        `${id}/blob/${HASH}0`,
      ]
    ) {
      await expectProblem(await view(app, path), "error.request.malformed");
    }
  });
});

Deno.test("the link itself does not look at blobs; a blob has to be live", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const pending = ciphertext("pending", 50);
    const bobs = await createAsset(app, bob, "bob's");
    await uploadBlob(app, ada, pending);
    const serves = [
      hashOf("never uploaded"),
      hashOf(pending),
      hashOf(bobs.original),
    ];
    const link = await issueShare(app, ada, "link", serves);
    await expectJson(await view(app, link), 200);
    for (const hash of serves) {
      await expectProblem(
        await view(app, `${link}/blob/${hash}`),
        "error.share.not_found",
      );
    }
    // It is served as soon as it lives.
    const manifest = ciphertext("manifest", 60);
    await expectJson(
      await sendManifest(app, ada, uuidOf("a file"), manifest),
      200,
    );
    const blob = await view(app, `${link}/blob/${serves[1]}`);
    expectBytes(await blob.arrayBuffer(), pending);
  });
});

Deno.test("a link serves its own hashes and no other of the same asset", async () => {
  await withAsset(async (app, ada, asset) => {
    const link = await issueShare(app, ada, "link", [hashOf(asset.metadata)]);
    for (const bytes of [asset.original, asset.manifest]) {
      await expectProblem(
        await view(app, `${link}/blob/${hashOf(bytes)}`),
        "error.share.not_found",
      );
    }
  });
});

Deno.test("a replaced original is served no more", async () => {
  await withAsset(
    async (app, ada, { assetId, original, metadata, manifest }) => {
      const edited = ciphertext("edited", 500);
      const serves = [original, metadata, edited].map(hashOf);
      const link = await issueShare(app, ada, "link", serves);
      await uploadBlob(app, ada, edited, { fileId: assetId });
      const statuses = () =>
        Promise.all(serves.map(async (hash) => {
          const response = await view(app, `${link}/blob/${hash}`);
          await response.body?.cancel();
          return response.status;
        }));
      assert.deepEqual(await statuses(), [200, 200, 404]);
      await expectJson(
        await sendManifest(app, ada, assetId, ciphertext("second", 40), {
          action: "replace",
          original: edited,
          metadata,
          prior: hashOf(manifest),
        }),
        200,
      );
      assert.deepEqual(await statuses(), [404, 200, 200]);
    },
  );
});

Deno.test("the links of a suspended issuer answer 404 until reinstatement", async () => {
  await withAsset(async (app, ada, asset) => {
    const hash = hashOf(asset.metadata);
    const over = { wrapped_secret: "AAAA" };
    const link = await issueShare(app, ada, "link", [hash], over);
    await suspend(app, ada);
    const paths = [link, `${link}/blob/${hash}`, `${link}/wrapped-secret`];
    for (const path of paths) {
      await expectProblem(await view(app, path), "error.share.not_found");
    }
    await expectProblem(
      await issue(app, ada, shareRequest("another", [hash])),
      "error.account.suspended",
    );
    await app.app.db.updateTable("account")
      .set({ suspended_at: null })
      .where("user_id", "=", ada.userId as Json)
      .execute();
    for (const path of paths) {
      const response = await view(app, path);
      await response.body?.cancel();
      assert.equal(response.status, 200, path);
    }
    await suspend(app, ada);
    // A suspended account can still revoke.
    await expectEmpty(await revoke(app, ada, link), 204);
  });
});

Deno.test("links and revocations outlive a restart", async () => {
  await withAsset(async (app, ada, asset) => {
    const serves = [hashOf(asset.metadata)];
    const live = await issueShare(app, ada, "live", serves);
    const dead = await issueShare(app, ada, "dead", serves);
    await expectEmpty(await revoke(app, ada, dead), 204);
    const again = await app.reopen();
    await expectJson(await view(again, live), 200);
    await expectProblem(await view(again, dead), "error.share.not_found");
  });
});
