/**
 * Many assets at once (protocol/manifests.md#many-at-once).
 *
 * @module
 */
import assert from "node:assert/strict";
import { damageBlob } from "../support/storage.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { provisionAlbum, publishRoster } from "../support/albums.ts";
import type { TestApp } from "../support/app.ts";
import { withSharedAlbum } from "../support/capabilities.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { queryAssets, sendQuery } from "../support/many.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type Person,
  registerPerson,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { numbered, numberedUuid, writeRows } from "../support/rows.ts";
import {
  readAsset,
  sendManifest,
  suspend,
  withFaultlessApp,
} from "../support/api.ts";
import { DAY, later, mark, trash } from "../support/trash.ts";

const BOTH = { include: ["metadata", "provenance"] };

/** An asset whose metadata blob has so many bytes. */
async function assetWithMetadata(
  app: TestApp,
  person: Person,
  name: string,
  length: number,
) {
  const fileId = uuidOf(name);
  const original = ciphertext(`original ${name}`, 10);
  const metadata = ciphertext(`metadata ${name}`, length);
  await uploadBlob(app, person, original, { fileId });
  await uploadBlob(app, person, metadata, { fileId, role: "metadata" });
  const manifest = ciphertext(`manifest ${name}`, 40);
  const over = { original, metadata };
  const applied = await sendManifest(app, person, fileId, manifest, over);
  await expectJson(applied, 200);
  return { fileId, metadata, manifest };
}

Deno.test("a query answers each asset as GET does, in the order asked, a repeated one again", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const ids = [];
    for (const name of ["one", "two", "three"]) {
      ids.push((await createAsset(app, ada, name)).assetId);
    }
    const [one, two, three] = ids as [string, string, string];
    await trash(app, ada, two);
    const asked = [three, two, one, three];
    const single = [];
    for (const id of asked) single.push(await readAsset(app, ada, id));
    assert.deepEqual(await queryAssets(app, ada.token, asked), single);
  });
});

Deno.test("what the caller cannot read is left out", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const { assetId: mine } = await createAsset(app, ada, "mine");
    const { assetId: foreign } = await createAsset(app, bob, "foreign");
    const { assetId: withheld } = await createAsset(app, ada, "withheld");
    const { assetId: aged } = await createAsset(app, ada, "aged");
    await mark(app, withheld, { withheld_at: app.clock.now });
    await trash(app, ada, aged);
    ada = await later(app, ada, 30 * DAY);
    const pending = uuidOf("pending");
    await uploadBlob(app, ada, ciphertext("pending", 50), { fileId: pending });
    const asked = [foreign, withheld, aged, pending, mine, uuidOf("unknown")];
    const assets = await queryAssets(app, ada.token, asked, BOTH);
    assert.deepEqual(assets.map(({ asset_id }) => asset_id), [mine]);
    assert.deepEqual(await queryAssets(app, ada.token, [foreign]), []);
  });
});

Deno.test("metadata and the newest manifest come along where they are asked for", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    const { assetId, metadata, manifest, original } = asset;
    const [both] = await queryAssets(app, ada.token, [assetId], BOTH);
    assert.equal(both.metadata, toBase64(metadata));
    assert.equal(both.provenance, toBase64(manifest));
    for (const one of ["metadata", "provenance"]) {
      const [found] = await queryAssets(app, ada.token, [assetId], {
        include: [one],
      });
      const other = one === "metadata" ? "provenance" : "metadata";
      assert.equal(found[one], both[one]);
      assert.equal(other in found, false);
    }
    // A replace without metadata, whose manifest is the newest from then on.
    const next = ciphertext("next manifest", 30);
    const replaced = await sendManifest(app, ada, assetId, next, {
      action: "replace",
      original,
      prior: hashOf(manifest),
    });
    await expectJson(replaced, 200);
    const [now] = await queryAssets(app, ada.token, [assetId], BOTH);
    assert.equal(now.provenance, toBase64(next));
    assert.equal("metadata" in now, false);
    assert.equal(now.blobs.length, 3);
  });
});

Deno.test("a blob over 64 KiB is left out of its asset", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const most = await assetWithMetadata(app, ada, "most", 65_536);
    const over = await assetWithMetadata(app, ada, "over", 65_537);
    const asked = [most.fileId, over.fileId];
    const assets = await queryAssets(app, ada.token, asked, BOTH);
    assert.equal(assets[0].metadata, toBase64(most.metadata));
    assert.equal("metadata" in assets[1], false);
    assert.equal(assets[1].provenance, toBase64(over.manifest));
  });
});

Deno.test("one answer includes 16 MiB of blobs; the rest are left out of their assets", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { fileId } = await assetWithMetadata(app, ada, "large", 65_536);
    const small = await assetWithMetadata(app, ada, "small", 100);
    const include = { include: ["metadata"] };
    const ask = async (times: number) => {
      const asked = [...Array(times).fill(fileId), small.fileId];
      return await queryAssets(app, ada.token, asked, include);
    };
    const within = await ask(256);
    assert.equal(within.filter((one) => "metadata" in one).length, 256);
    const beyond = await ask(257);
    assert.equal(beyond.length, 258);
    assert.deepEqual(
      beyond.filter((one) => "metadata" in one).map((one) => one.asset_id),
      [small.fileId],
    );
  });
});

Deno.test("assets that hold more blobs than one answer lists are refused, and asked for by fewer", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    writeRows(
      app,
      `${numbered(1_000)} insert into blob (hash, size, stored_at)
        select printf('%064x', n), 1, 1 from numbers`,
      `${numbered(1_000)} insert into holding
        (owner_id, asset_id, role, hash, size, upload_id, finalized_at,
          receipt_seq, applied)
        select '${ada.userId}', '${assetId}', 'derivative',
          printf('%064x', n), 1, ${numberedUuid("0b0b0b0b")}, 1, 10 + n, 1
        from numbers`,
    );
    const [one] = await queryAssets(app, ada.token, [assetId]);
    assert.equal(one.blobs.length, 1_003);
    assert.deepEqual(one, await readAsset(app, ada, assetId));
    const refused = await expectProblem(
      await sendQuery(app, ada.token, Array(100).fill(assetId)),
      "error.request.invalid",
    );
    assert.deepEqual(
      refused.errors.map(({ path }: Json) => path),
      ["/asset_ids"],
    );
    const fewer = await queryAssets(app, ada.token, Array(99).fill(assetId));
    assert.equal(fewer.length, 99);
  });
});

Deno.test("members of an album read its assets, and their blobs until these are in the trash", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const eve = await registerPerson(app, "eve");
    const albumId = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, albumId, 1, [
      { member: bob.userId, role: "contributor" },
    ]);
    const { assetId, metadata } = await createAsset(app, bob, "it", {
      albumId,
    });
    for (const person of [ada, bob]) {
      const [found] = await queryAssets(app, person.token, [assetId], BOTH);
      assert.equal(found.metadata, toBase64(metadata));
      assert.equal(found.owner, bob.userId);
    }
    assert.deepEqual(await queryAssets(app, eve.token, [assetId], BOTH), []);
    await trash(app, bob, assetId);
    const [read] = await queryAssets(app, ada.token, [assetId], BOTH);
    assert.equal(read.state, "deleted");
    assert.equal("metadata" in read || "provenance" in read, false);
    const [own] = await queryAssets(app, bob.token, [assetId], BOTH);
    assert.equal(own.metadata, toBase64(metadata));
    await publishRoster(app, ada, albumId, 2, []);
    // Out of the album its owner still has it.
    assert.equal((await queryAssets(app, bob.token, [assetId])).length, 1);
  });
});

Deno.test("a capability queries within its album and its scope", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, albumId } = shared;
    const ada = await shared.owner();
    const { assetId, metadata } = await createAsset(app, ada, "photo", {
      albumId,
    });
    const { assetId: outside } = await createAsset(app, ada, "outside");
    for (
      const [scope, roles] of [
        ["read", ["original", "metadata", "provenance"]],
        ["read-derivative-only", ["metadata", "provenance"]],
      ] as const
    ) {
      const { token } = await shared.minted({ scope });
      const assets = await queryAssets(app, token, [outside, assetId], BOTH);
      assert.deepEqual(assets.map(({ asset_id }) => asset_id), [assetId]);
      assert.deepEqual(assets[0].blobs.map(({ role }: Json) => role), roles);
      assert.equal(assets[0].metadata, toBase64(metadata));
    }
  });
});

Deno.test("a suspended account queries: it is a read", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    await suspend(app, ada);
    assert.equal((await queryAssets(app, ada.token, [assetId])).length, 1);
  });
});

Deno.test("1 to 500 ids, and nothing to include but what is named", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    const many = (count: number) => Array(count).fill(assetId);
    assert.equal((await queryAssets(app, ada.token, many(500))).length, 500);
    for (
      const [ids, over] of [
        [[], {}],
        [many(501), {}],
        [["photo"], {}],
        [[assetId], { include: ["original"] }],
        [[assetId], { include: "metadata" }],
        [[assetId], { exclude: [] }],
      ] as const
    ) {
      const response = await sendQuery(app, ada.token, ids, over);
      await expectProblem(response, "error.request.invalid");
    }
  });
});

Deno.test("a blob whose file is lost is left out, and the asset is told all the same", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, metadata, manifest } = await createAsset(app, ada, "it");
    await damageBlob(app, hashOf(metadata), "a missing file");
    const [found] = await queryAssets(app, ada.token, [assetId], BOTH);
    assert.equal("metadata" in found, false);
    assert.equal(found.provenance, toBase64(manifest));
    assert.equal(found.blobs.length, 3);
    const errors = app.logged.filter(({ level }) => level === "error");
    assert.match(errors.map(({ message }) => message).join(), /is lost/);
    app.logged.length = 0;
  });
});

Deno.test("an account queries 120 times a minute", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerPerson(app, "bob");
    const nothing = [uuidOf("nothing")];
    for (let times = 0; times < 120; times++) {
      assert.deepEqual(await queryAssets(app, ada.token, nothing), []);
    }
    const refused = await sendQuery(app, ada.token, nothing);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    await expectProblem(refused, "error.account.rate_limited");
    assert.deepEqual(await queryAssets(app, bob.token, nothing), []);
    app.clock.advance(60_000);
    assert.deepEqual(await queryAssets(app, ada.token, nothing), []);
  });
});
