/**
 * What a share link shows to a viewer, and when (protocol/links.md#viewing).
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { withTestApp } from "../support/app.ts";
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
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import {
  expectBytes,
  issueShare,
  opaqueId,
  sendManifest,
  shareRequest,
  suspend,
  viewShare,
} from "../support/api.ts";
import { issue, revoke, withAsset } from "../support/share_story.ts";

const HASH = hashOf("some blob");

Deno.test("a viewer without any credential reads what the link serves", async () => {
  await withAsset(async (app, ada, asset) => {
    const serves = [hashOf(asset.metadata), hashOf(asset.original)];
    const secret = ciphertext("wrapped", 77);
    const link = await issueShare(app, ada, "link", serves, {
      wrapped_secret: toBase64(secret),
    });
    assert.deepEqual(await expectJson(await viewShare(app, link), 200), {
      metadata_hash: serves[0],
      passphrase_protected: true,
    });
    const metadata = await viewShare(app, `${link}/blob/${serves[0]}`);
    expectBytes(await metadata.arrayBuffer(), asset.metadata);
    const original = await viewShare(app, `${link}/blob/${serves[1]}`);
    expectBytes(await original.arrayBuffer(), asset.original);
    const wrapped = await viewShare(app, `${link}/wrapped-secret`);
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
      const shown = await expectJson(await viewShare(app, link), 200);
      assert.equal(shown.passphrase_protected, false);
      await expectProblem(
        await viewShare(app, `${link}/wrapped-secret`),
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
      await expectProblem(
        await viewShare(app, path),
        "error.request.malformed",
      );
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
    await expectJson(await viewShare(app, link), 200);
    for (const hash of serves) {
      await expectProblem(
        await viewShare(app, `${link}/blob/${hash}`),
        "error.share.not_found",
      );
    }
    // It is served as soon as it lives.
    const manifest = ciphertext("manifest", 60);
    await expectJson(
      await sendManifest(app, ada, uuidOf("a file"), manifest),
      200,
    );
    const blob = await viewShare(app, `${link}/blob/${serves[1]}`);
    expectBytes(await blob.arrayBuffer(), pending);
  });
});

Deno.test("a link serves its own hashes and no other of the same asset", async () => {
  await withAsset(async (app, ada, asset) => {
    const link = await issueShare(app, ada, "link", [hashOf(asset.metadata)]);
    for (const bytes of [asset.original, asset.manifest]) {
      await expectProblem(
        await viewShare(app, `${link}/blob/${hashOf(bytes)}`),
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
          const response = await viewShare(app, `${link}/blob/${hash}`);
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
      await expectProblem(await viewShare(app, path), "error.share.not_found");
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
      const response = await viewShare(app, path);
      await response.body?.cancel();
      assert.equal(response.status, 200, path);
    }
    await suspend(app, ada);
    // A suspended account can still revoke.
    await expectEmpty(await revoke(app, ada, link), 204);
  });
});
