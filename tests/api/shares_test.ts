/**
 * Share links: issuing, revoking, expiring; what a link shows is in
 * `share_views_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { START_MS, withTestApp } from "../support/app.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import { hashOf, registerWriter } from "../support/people.ts";
import {
  expectNoErrors,
  issueShare,
  opaqueId,
  refreshed,
  shareRequest,
  viewShare,
} from "../support/api.ts";
import { issue, revoke, withAsset } from "../support/share_story.ts";

const HOUR = 3_600_000;
const HASH = hashOf("some blob");

Deno.test("issuing a link answers 201 and echoes its opaque_id", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const request = shareRequest("link", [HASH]);
    assert.deepEqual(await expectJson(await issue(app, ada, request), 201), {
      opaque_id: request.opaque_id,
    });
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
      ["/serves", { serves: [HASH, ...many(50_000)] }],
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
        shareRequest("shape", many(50_000), {
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
    await expectProblem(await viewShare(app, link), "error.share.not_found");
    await expectProblem(
      await issue(app, ada, shareRequest("link", serves)),
      "error.share.opaque_id_unavailable",
    );
    for (const path of [link, `${link}/blob/${serves[0]}`]) {
      await expectProblem(await viewShare(app, path), "error.share.not_found");
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
    await expectJson(await viewShare(app, link), 200);
    await expectEmpty(await revoke(app, ada, link), 204);
    await expectEmpty(await revoke(app, ada, link), 204);
    await expectProblem(await viewShare(app, link), "error.share.not_found");
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
      const response = await viewShare(app, path);
      await response.body?.cancel();
      assert.equal(response.status, 200, path);
    }
    app.clock.advance(1_000);
    for (const path of paths) {
      await expectProblem(await viewShare(app, path), "error.share.not_found");
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

Deno.test("links and revocations outlive a restart", async () => {
  await withAsset(async (app, ada, asset) => {
    const serves = [hashOf(asset.metadata)];
    const live = await issueShare(app, ada, "live", serves);
    const dead = await issueShare(app, ada, "dead", serves);
    await expectEmpty(await revoke(app, ada, dead), 204);
    const again = await app.reopen();
    await expectJson(await viewShare(again, live), 200);
    await expectProblem(await viewShare(again, dead), "error.share.not_found");
  });
});
