/**
 * A take-down withholds an asset from everybody, its owner too, until it is
 * reinstated (protocol/moderation.md#assets).
 *
 * @module
 */
import assert from "node:assert/strict";
import { attachDatabase } from "../../src/store/sqlite/database.ts";
import { mint, readFeed } from "../support/albums.ts";
import type { TestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  operate,
  statusOf,
  withOwnAsset,
  withSharedAlbum,
} from "../support/moderation.ts";
import {
  ciphertext,
  hashOf,
  registerWriter,
  uploadBlob,
} from "../support/people.ts";
import {
  expectBytes,
  issueShare,
  readAsset,
  readBlob,
  sendManifest,
  viewShare,
} from "../support/api.ts";

const NOT_FOUND = "error.asset.not_found";

/** The entries of a feed above a position: what, and about which asset. */
async function tellings(app: TestApp, token: string, query = "") {
  const { entries } = await readFeed(app, token, query);
  return entries.map(({ action, asset_id }: Json) => [action, asset_id]);
}

Deno.test("a take-down withholds the asset and its blobs from everybody, the owner too", async () => {
  await withSharedAlbum(async (app, { ada, bob, vic, albumId, asset }) => {
    const { token } = await expectJson(
      await mint(app, ada, albumId, {
        peer: "https://peer.example",
        member: vic.userId,
      }),
      201,
    );
    const path = `/v1/assets/${asset.assetId}`;
    const blobs = [asset.original, asset.metadata, asset.manifest].map(
      (bytes) => `${path}/blobs/${hashOf(bytes)}`,
    );
    const readers = [ada.token, bob.token, vic.token, token];
    const answers = async () => {
      const statuses = new Set<number>();
      for (const reader of readers) {
        for (const one of [path, ...blobs]) {
          for (const method of ["GET", "HEAD"]) {
            const response = await app.send(method, one, { token: reader });
            statuses.add(await statusOf(response));
          }
        }
      }
      return [...statuses];
    };
    assert.deepEqual(await answers(), [200]);
    await operate(app, "takeDown", asset.assetId);
    assert.deepEqual(await answers(), [404]);
    await operate(app, "reinstate", asset.assetId);
    assert.deepEqual(await answers(), [200]);
  });
});

Deno.test("a reinstated asset is what it was, at a newer position", async () => {
  await withOwnAsset(async (app, ada, asset) => {
    const before = await readAsset(app, ada, asset.assetId);
    await operate(app, "takeDown", asset.assetId);
    await operate(app, "reinstate", asset.assetId);
    const { sync_seq, ...after } = await readAsset(app, ada, asset.assetId);
    assert.deepEqual({ ...after, sync_seq: before.sync_seq }, before);
    const { next_after } = await readFeed(app, ada.token);
    assert.equal(sync_seq, next_after);
    const blob = await readBlob(
      app,
      ada,
      asset.assetId,
      hashOf(asset.original),
    );
    expectBytes(await blob.arrayBuffer(), asset.original);
  });
});

Deno.test("receipts stay readable to the owner alone", async () => {
  await withSharedAlbum(async (app, { ada, bob, asset }) => {
    const path = `/v1/assets/${asset.assetId}/receipts`;
    const receipts = async () =>
      await expectJson(await app.send("GET", path, { token: bob.token }), 200);
    const before = await receipts();
    assert.equal(before.receipts.length, 3);
    await operate(app, "takeDown", asset.assetId);
    assert.deepEqual(await receipts(), before);
    await expectProblem(
      await app.send("GET", path, { token: ada.token }),
      NOT_FOUND,
    );
  });
});

Deno.test("owner, album owner and members find withheld and reinstated in their feeds", async () => {
  await withSharedAlbum(async (app, { ada, bob, vic, albumId, asset }) => {
    const { next_after } = await readFeed(app, bob.token);
    await operate(app, "takeDown", asset.assetId);
    await operate(app, "reinstate", asset.assetId);
    const told = [
      ["withheld", asset.assetId],
      ["reinstated", asset.assetId],
    ];
    const after = `?after=${next_after}`;
    for (const { token } of [ada, bob, vic]) {
      assert.deepEqual(await tellings(app, token, after), told);
      assert.deepEqual(
        await tellings(app, token, `${after}&album_id=${albumId}`),
        told,
      );
    }
    const { entries } = await readFeed(app, vic.token, after);
    for (const entry of entries) {
      assert.equal(entry.album_id, albumId);
      assert.equal(entry.chain_head, hashOf(asset.manifest));
      assert.equal(Date.parse(entry.at), app.clock.now);
    }
  });
});

Deno.test("a feed that waits tells of a take-down by another process", async () => {
  await withOwnAsset(async (app, ada, asset) => {
    const { next_after } = await readFeed(app, ada.token);
    const waiting = readFeed(app, ada.token, `?after=${next_after}&wait=20`);
    const db = attachDatabase(`${app.dataDir}/db/strongroom.sqlite`);
    await operate(app, "takeDown", asset.assetId, undefined, db);
    await db.destroy();
    const { entries } = await waiting;
    assert.deepEqual(entries.map(({ action }: Json) => action), ["withheld"]);
  });
});

Deno.test("strangers to the asset are told nothing", async () => {
  await withSharedAlbum(async (app, { eve, asset }) => {
    await operate(app, "takeDown", asset.assetId);
    await operate(app, "reinstate", asset.assetId);
    assert.deepEqual(await tellings(app, eve.token), []);
  });
});

Deno.test("shares serve nothing of a withheld asset, and all of a reinstated one", async () => {
  await withSharedAlbum(async (app, { ada, bob, asset }) => {
    const hashes = [asset.metadata, asset.original].map(hashOf);
    const secret = { wrapped_secret: "AAAA" };
    const links = [
      await issueShare(app, ada, "of the album's owner", hashes, secret),
      await issueShare(app, bob, "of the asset's owner", hashes, secret),
    ];
    const served = async () => {
      const statuses = [];
      for (const link of links) {
        for (const hash of hashes) {
          const path = `${link}/blob/${hash}`;
          statuses.push(await statusOf(await viewShare(app, path)));
        }
        // The link itself does not look at blobs.
        await expectJson(await viewShare(app, link), 200);
        const secret = await viewShare(app, `${link}/wrapped-secret`);
        assert.equal(await statusOf(secret), 200);
      }
      return statuses;
    };
    assert.deepEqual(await served(), [200, 200, 200, 200]);
    await operate(app, "takeDown", asset.assetId);
    assert.deepEqual(await served(), [404, 404, 404, 404]);
    await operate(app, "reinstate", asset.assetId);
    assert.deepEqual(await served(), [200, 200, 200, 200]);
  });
});

Deno.test("a blob that another live asset of the issuer references is still served", async () => {
  await withOwnAsset(async (app, ada, asset) => {
    const twin = "00000000-0000-4000-8000-000000000002";
    await uploadBlob(app, ada, asset.original, { fileId: twin });
    await expectJson(
      await sendManifest(app, ada, twin, ciphertext("twin", 90), {
        original: asset.original,
      }),
      200,
    );
    const [shared, alone] = [asset.original, asset.metadata].map(hashOf);
    const link = await issueShare(app, ada, "link", [
      String(shared),
      String(alone),
    ]);
    const view = async (hash: string | undefined) =>
      await statusOf(await viewShare(app, `${link}/blob/${hash}`));
    await operate(app, "takeDown", asset.assetId);
    assert.equal(await view(shared), 200);
    assert.equal(await view(alone), 404);
    const own = await readBlob(app, ada, twin, String(shared));
    assert.equal(await statusOf(own), 200);
    await operate(app, "takeDown", twin);
    assert.equal(await view(shared), 404);
    await operate(app, "reinstate", twin);
    assert.equal(await view(shared), 200);
  });
});

Deno.test("another account's asset with the same bytes is not withheld", async () => {
  await withOwnAsset(async (app, ada, asset) => {
    const bob = await registerWriter(app, "bob");
    const copy = "00000000-0000-4000-8000-000000000003";
    await uploadBlob(app, bob, asset.original, { fileId: copy });
    await expectJson(
      await sendManifest(app, bob, copy, ciphertext("copy", 90), {
        original: asset.original,
      }),
      200,
    );
    await operate(app, "takeDown", asset.assetId);
    const hash = hashOf(asset.original);
    assert.equal(await statusOf(await readBlob(app, bob, copy, hash)), 200);
    const link = await issueShare(app, bob, "bob's", [hash]);
    const shared = await viewShare(app, `${link}/blob/${hash}`);
    assert.equal(await statusOf(shared), 200);
    const other = await issueShare(app, ada, "ada's", [hash]);
    await expectProblem(
      await viewShare(app, `${other}/blob/${hash}`),
      "error.share.not_found",
    );
  });
});

Deno.test("a take-down and its end at the same time agree with record and feed", async () => {
  await withOwnAsset(async (app, ada, asset) => {
    const commands = ["takeDown", "reinstate"] as const;
    await Promise.all(
      Array.from(
        { length: 12 },
        (_, n) =>
          operate(app, commands[n % 3 === 0 ? 1 : 0], asset.assetId)
            .catch(() => undefined),
      ),
    );
    const told = (await tellings(app, ada.token))
      .map(([action]: string[]) => action)
      .filter((action: string) => action !== "create");
    for (const [n, action] of told.entries()) {
      assert.equal(action, n % 2 === 0 ? "withheld" : "reinstated");
    }
    const { events } = await expectJson(
      await app.send("GET", "/v1/moderation/record", { token: ada.token }),
      200,
    );
    assert.deepEqual(
      events.map((one: Json) => one.action),
      told.map((one: string) => one === "withheld" ? "taken_down" : one),
    );
    const shown = await app.send("GET", `/v1/assets/${asset.assetId}`, {
      token: ada.token,
    });
    assert.equal(
      await statusOf(shown),
      told.at(-1) === "withheld" ? 404 : 200,
    );
  });
});

Deno.test("a hold and a take-down do not touch each other", async () => {
  await withOwnAsset(async (app, ada, asset) => {
    await operate(app, "hold", asset.assetId);
    await operate(app, "takeDown", asset.assetId);
    await operate(app, "release", asset.assetId);
    await expectProblem(
      await app.send("GET", `/v1/assets/${asset.assetId}`, {
        token: ada.token,
      }),
      NOT_FOUND,
    );
    await operate(app, "hold", asset.assetId);
    await operate(app, "reinstate", asset.assetId);
    await readAsset(app, ada, asset.assetId);
    await operate(app, "release", asset.assetId);
  });
});
