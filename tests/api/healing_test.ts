/**
 * Giving back a blob that the server lost (protocol/uploads.md#heal).
 *
 * @module
 */
import assert from "node:assert/strict";
import { parseBlobHash } from "../../src/core/ids.ts";
import type { ProblemCode } from "../../src/core/problem.ts";
import { provisionAlbum, publishRoster, readFeed } from "../support/albums.ts";
import { type Sender, type TestApp, withTestApp } from "../support/app.ts";
import { check } from "../support/check.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import type { Json } from "../support/expect.ts";
import { failingFiles } from "../support/failing_files.ts";
import { restarting } from "../support/restarting.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type LiveAsset,
  patchBytes,
  type Person,
  putBytes,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import {
  blobFile,
  damageBlob,
  DAMAGES,
  hashesOf,
  SOUND,
  verifyOne,
  writeBlob,
} from "../support/storage.ts";
import {
  expectReadable,
  issueShare,
  readBlob,
  sendManifest,
} from "../support/api.ts";
import {
  collect,
  countersOf,
  later,
  sendPurge,
  trash,
} from "../support/trash.ts";
import { finalize } from "../support/uploads.ts";

type Over = NonNullable<Parameters<typeof uploadRequest>[2]>;

/** POSTs a create that gives back a blob of an asset. */
function heal(
  app: Sender,
  person: Person,
  bytes: Uint8Array,
  assetId: string,
  over: Over = {},
): Promise<Response> {
  const request = { ...over.request, heals: assetId };
  return app.send("POST", "/v1/upload", {
    token: person.token,
    json: uploadRequest(person, bytes, { fileId: assetId, ...over, request }),
  });
}

/** Gives a blob back, whole. */
async function give(
  app: Sender,
  person: Person,
  bytes: Uint8Array<ArrayBuffer>,
  assetId: string,
  over: Over = {},
): Promise<Json> {
  const opened = await heal(app, person, bytes, assetId, over);
  const { upload_id } = await expectJson(opened, 201);
  return await expectJson(await putBytes(app, person, upload_id, bytes), 200);
}

/** The roles of an asset's blobs. */
const rolesOf = ({ original, metadata, manifest }: LiveAsset) =>
  [[original, "original"], [metadata, "metadata"], [
    manifest,
    "provenance",
  ]] as const;

const kindsOf = async (app: TestApp, deep = false) =>
  (await check(app, { deep })).findings.map(({ kind }) => kind);

/** Entries of the feed that tell of lost blobs. */
async function damagesOf(app: TestApp, { token }: Person, query = "") {
  const { entries } = await readFeed(app, token, query);
  return entries.filter(({ action }: Json) => action === "damaged");
}

for (const name of Object.keys(DAMAGES) as (keyof typeof DAMAGES)[]) {
  Deno.test(`after ${name} the owner gives every blob back, and nothing is wrong any more`, async () => {
    await withTestApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      const asset = await createAsset(app, ada, "photo");
      const { assetId } = asset;
      const before = await countersOf(app, ada);
      const { chain_head } = await expectJson(
        await app.send("GET", `/v1/assets/${assetId}`, ada),
        200,
      );
      for (const [bytes, role] of rolesOf(asset)) {
        await damageBlob(app, hashOf(bytes), name);
        const given = await give(app, ada, bytes, assetId, { role });
        assert.equal(given.replayed, false);
        assert.equal(given.sync_seq, undefined);
        assert.equal(given.receipt.ciphertext_hash, hashOf(bytes));
        assert.equal(given.receipt.upload_id, given.upload_id);
      }
      const { original, metadata, manifest } = asset;
      await expectReadable(app, ada, assetId, original, metadata, manifest);
      const verdict = await verifyOne(app, ada, assetId, hashesOf(asset), {
        deep: true,
      });
      assert.equal(verdict.durable, true);
      for (const { stored, indexed, retrievable } of verdict.blobs) {
        assert.deepEqual({ stored, indexed, retrievable }, SOUND);
      }
      assert.deepEqual(await kindsOf(app, true), []);
      assert.deepEqual(await countersOf(app, ada), before);
      const now = await app.send("GET", `/v1/assets/${assetId}`, ada);
      assert.equal((await expectJson(now, 200)).chain_head, chain_head);
      const listed = await app.send(
        "GET",
        `/v1/assets/${assetId}/receipts`,
        ada,
      );
      assert.equal((await expectJson(listed, 200)).receipts.length, 6);
    });
  });
}

for (const name of Object.keys(DAMAGES) as (keyof typeof DAMAGES)[]) {
  Deno.test(`after ${name} of a whole asset another original ends every finding, its old manifests' among them`, async () => {
    await withTestApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      const asset = await createAsset(app, ada, "photo");
      const { assetId } = asset;
      const second = ciphertext("second manifest", 400);
      await expectJson(
        await sendManifest(app, ada, assetId, second, {
          action: "replace",
          original: asset.original,
          metadata: asset.metadata,
          prior: hashOf(asset.manifest),
        }),
        200,
      );
      const before = await countersOf(app, ada);
      for (const [bytes] of [...rolesOf(asset), [second]] as const) {
        await damageBlob(app, hashOf(bytes), name);
        const hash = parseBlobHash(hashOf(bytes));
        assert.ok(hash !== undefined);
        await app.app.signals.lostBlobs.look(hash);
      }
      assert.equal((await kindsOf(app, true)).length, 4);
      const original = ciphertext("sealed anew", asset.original.length);
      const metadata = ciphertext("told anew", asset.metadata.length);
      await uploadBlob(app, ada, original, { fileId: assetId });
      await uploadBlob(app, ada, metadata, {
        fileId: assetId,
        role: "metadata",
      });
      const third = ciphertext("third manifest", 500);
      await expectJson(
        await sendManifest(app, ada, assetId, third, {
          action: "replace",
          original,
          metadata,
          prior: hashOf(second),
        }),
        200,
      );
      await later(app, ada, 2 * 24 * 3_600_000);
      await collect(app);
      assert.deepEqual(await kindsOf(app, true), []);
      const { used } = await countersOf(app, ada);
      const gone = second.length + asset.manifest.length;
      assert.equal(used, before.used - gone + third.length);
    });
  });
}

/** An asset with a second manifest over the same blobs. */
async function changedAsset(app: TestApp, ada: Person) {
  const asset = await createAsset(app, ada, "photo");
  const { assetId, original, metadata, manifest } = asset;
  const second = ciphertext("second manifest", 400);
  const prior = hashOf(manifest);
  const over = { action: "replace", original, metadata, prior } as const;
  await expectJson(await sendManifest(app, ada, assetId, second, over), 200);
  return { ...asset, second };
}

/** The server notices that a blob is lost. */
async function notice({ app }: TestApp, bytes: Uint8Array): Promise<void> {
  const hash = parseBlobHash(hashOf(bytes));
  assert.ok(hash !== undefined && await app.signals.lostBlobs.look(hash));
}

for (const name of Object.keys(DAMAGES) as (keyof typeof DAMAGES)[]) {
  Deno.test(`after ${name} of an earlier manifest alone it is told as lost history for a week, and no more after that`, async () => {
    await withTestApp(async (app) => {
      let ada = await registerWriter(app, "ada");
      const { assetId, manifest, second, original, metadata } =
        await changedAsset(app, ada);
      const before = await countersOf(app, ada);
      await damageBlob(app, hashOf(manifest), name);
      await notice(app, manifest);
      for (let day = 0; day < 7; day++) {
        const { findings } = await check(app, { deep: true });
        assert.deepEqual(findings.map(({ kind }) => kind), ["history_lost"]);
        assert.doesNotMatch(findings[0]?.mend ?? "", /upload the blob again/);
        await collect(app);
        ada = await later(app, ada, 24 * 3_600_000);
      }
      await collect(app);
      await collect(app);
      assert.deepEqual(await kindsOf(app, true), []);
      const { used } = await countersOf(app, ada);
      assert.equal(used, before.used - manifest.length);
      await expectReadable(app, ada, assetId, original, metadata, second);
      const gone = await readBlob(app, ada, assetId, hashOf(manifest));
      await expectProblem(gone, "error.asset.not_found");
    });
  });
}

Deno.test("an earlier manifest is not let go of where more of its photo is lost, and is kept where its file comes back", async () => {
  await withTestApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const { assetId, manifest, original } = await changedAsset(app, ada);
    for (const bytes of [manifest, original]) {
      await damageBlob(app, hashOf(bytes), "a missing file");
      await notice(app, bytes);
    }
    ada = await later(app, ada, 40 * 24 * 3_600_000);
    await collect(app);
    const found = await kindsOf(app);
    assert.ok(found.includes("history_lost") && found.includes("blob_missing"));
    for (const bytes of [manifest, original]) {
      await writeBlob(app, hashOf(bytes), bytes);
    }
    await collect(app);
    assert.deepEqual(await kindsOf(app, true), []);
    await expectReadable(app, ada, assetId, manifest, original);
  });
});

Deno.test("unread earlier manifests go with another original if they are lost, and stay if they are there", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    const { assetId, metadata } = asset;
    const next = async (
      name: string,
      prior: Uint8Array,
      original: Uint8Array<ArrayBuffer>,
    ) => {
      const manifest = ciphertext(name, 400);
      await expectJson(
        await sendManifest(app, ada, assetId, manifest, {
          action: "replace",
          original,
          metadata,
          prior: hashOf(prior),
        }),
        200,
      );
      return manifest;
    };
    const second = await next("second", asset.manifest, asset.original);
    await damageBlob(app, hashOf(asset.manifest), "a missing file");
    // The photo's metadata changes; the loss was not answered.
    const third = await next("third", second, asset.original);
    assert.deepEqual(await kindsOf(app), ["history_lost"]);
    const original = ciphertext("sealed anew", 300);
    await uploadBlob(app, ada, original, { fileId: assetId });
    await next("fourth", third, original);
    assert.deepEqual(await kindsOf(app, true), []);
    await expectReadable(app, ada, assetId, second, third);
    const gone = await readBlob(app, ada, assetId, hashOf(asset.manifest));
    await expectProblem(gone, "error.asset.not_found");
  });
});

Deno.test("what one gives back everybody has who references it", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const { assetId, original } = await createAsset(app, ada, "photo", {
      albumId,
    });
    const link = await issueShare(app, ada, "link", [hashOf(original)]);
    const viewed = () =>
      app.send("GET", `/s/${link}/blob/${hashOf(original)}`, {
        protocol: null,
      });
    const copied = await app.send("POST", "/v1/upload", {
      token: bob.token,
      json: uploadRequest(bob, original, { request: { copies: assetId } }),
    });
    await expectJson(copied, 201);
    await damageBlob(app, hashOf(original), "a missing file");
    await expectProblem(await viewed(), "error.share.not_found");
    await give(app, ada, original, assetId);
    await expectReadable(app, bob, assetId, original);
    assert.equal(hashOf(await (await viewed()).bytes()), hashOf(original));
    assert.deepEqual(await kindsOf(app, true), []);
  });
});

Deno.test("blobs that are not lost are not asked for, and no other account's asset is found", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "shared");
    const roster = [{ member: bob.userId, role: "contributor" }];
    await publishRoster(app, ada, albumId, 1, roster);
    const { assetId, original, metadata } = await createAsset(
      app,
      ada,
      "photo",
      { albumId },
    );
    const refused = async (answer: Promise<Response>, code: ProblemCode) => {
      await expectProblem(await answer, code);
    };
    await refused(heal(app, ada, original, assetId), "error.upload.not_needed");
    await damageBlob(app, hashOf(original), "a missing file");
    for (
      const over of [
        { role: "derivative" },
        { request: { size: original.length + 1 } },
      ]
    ) {
      const answer = heal(app, ada, original, assetId, over);
      await refused(answer, "error.upload.not_needed");
    }
    const other = ciphertext("another", 80);
    await refused(heal(app, ada, other, assetId), "error.upload.not_needed");
    await refused(
      heal(app, ada, metadata, assetId, { role: "metadata" }),
      "error.upload.not_needed",
    );
    // Who reads an asset does not own it; for both there is one answer.
    const unknown = uuidOf("nobody's");
    for (const [person, id] of [[bob, assetId], [ada, unknown]] as const) {
      await refused(heal(app, person, original, id), "error.asset.not_found");
    }
    const mixed = { request: { copies: assetId } };
    await refused(
      heal(app, ada, original, assetId, mixed),
      "error.request.invalid",
    );
    const elsewhere = heal(app, ada, original, assetId, { fileId: unknown });
    await refused(elsewhere, "error.manifest.mismatch");
  });
});

Deno.test("neither the quota nor the album stops who gives back, and the trash counts too", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "shared");
    const roster = [{ member: bob.userId, role: "contributor" }];
    await publishRoster(app, ada, albumId, 1, roster);
    const { assetId, original } = await createAsset(app, bob, "photo", {
      albumId,
    });
    await publishRoster(app, ada, albumId, 2, []);
    await app.app.db.updateTable("usage").set({ quota_bytes: 1 }).execute();
    await damageBlob(app, hashOf(original), "a missing file");
    await give(app, bob, original, assetId, {
      albumId,
      envelope: { protocol_version: "2020-01-01" },
    });
    await trash(app, bob, assetId);
    await damageBlob(app, hashOf(original), "a missing file");
    await give(app, bob, original, assetId);
    await expectReadable(app, bob, assetId, original);
    assert.deepEqual(await kindsOf(app, true), []);
  });
});

Deno.test("a session that gives back goes on, is cancelled, and ends with its asset", async () => {
  await withTestApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const { assetId, original } = await createAsset(app, ada, "photo");
    const before = await countersOf(app, ada);
    await damageBlob(app, hashOf(original), "a missing file");
    const first = await expectJson(
      await heal(app, ada, original, assetId),
      201,
    );
    const half = original.slice(0, 20);
    await expectEmpty(
      await patchBytes(app, ada, first.upload_id, 0, half),
      204,
    );
    assert.deepEqual(await countersOf(app, ada), before);
    assert.deepEqual(await kindsOf(app), ["blob_missing"]);
    const again = await expectJson(
      await heal(app, ada, original, assetId),
      200,
    );
    assert.equal(again.upload_id, first.upload_id);
    assert.equal(again.offset, 20);
    const cancelled = await app.send(
      "DELETE",
      `/v1/upload/${first.upload_id}`,
      ada,
    );
    await expectEmpty(cancelled, 204);
    assert.deepEqual(await countersOf(app, ada), before);

    const third = await expectJson(
      await heal(app, ada, original, assetId),
      201,
    );
    const wrong = ciphertext("wrong", original.length);
    const put = await putBytes(app, ada, third.upload_id, wrong);
    await expectProblem(put, "error.upload.hash_mismatch");
    await trash(app, ada, assetId);
    await expectEmpty(await sendPurge(app, ada, assetId), 204);
    const late = await putBytes(app, ada, third.upload_id, original);
    await expectProblem(late, "error.upload.not_found");
    await expectProblem(
      await heal(app, ada, original, assetId),
      "error.asset.not_found",
    );
    ada = await later(app, ada, 2 * 24 * 3_600_000);
    await collect(app);
    assert.deepEqual(await kindsOf(app, true), []);
    assert.equal((await countersOf(app, ada)).reserved, 0);
  });
});

Deno.test("an ordinary session and one that gives back take each other's place", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original } = await createAsset(app, ada, "photo");
    await damageBlob(app, hashOf(original), "a missing file");
    const giving = await expectJson(
      await heal(app, ada, original, assetId),
      201,
    );
    const ordinary = await uploadBlob(app, ada, original, { fileId: assetId });
    assert.notEqual(ordinary.upload_id, giving.upload_id);
    assert.deepEqual(await kindsOf(app, true), []);
    await damageBlob(app, hashOf(original), "a missing file");
    const given = await give(app, ada, original, assetId);
    assert.notEqual(given.upload_id, ordinary.upload_id);
    const replayed = await finalize(app, ada, given.upload_id);
    assert.equal((await expectJson(replayed, 200)).replayed, true);
    assert.deepEqual(await kindsOf(app, true), []);
  });
});

Deno.test("what the server finds lost it says in verification and in the feed, until it is given back", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const { assetId, original } = await createAsset(app, ada, "photo", {
      albumId,
    });
    const hash = hashOf(original);
    const verdict = async () => {
      const { durable, blobs } = await verifyOne(app, ada, assetId, [hash]);
      return [durable, blobs[0].stored, blobs[0].retrievable];
    };
    const newest = async () =>
      (await readFeed(app, ada.token, "?latest=true")).entries
        .filter(({ asset_id }: Json) => asset_id === assetId)
        .map(({ action }: Json) => action);
    assert.deepEqual(await verdict(), [true, true, true]);
    await damageBlob(app, hash, "a missing file");
    assert.deepEqual(await verdict(), [false, false, false]);
    assert.deepEqual(await damagesOf(app, ada), [], "verifying writes nothing");

    for (let n = 0; n < 2; n++) {
      const lost = await readBlob(app, bob, assetId, hash);
      await expectProblem(lost, "error.asset.not_found");
    }
    const [told, ...more] = await damagesOf(app, ada);
    assert.equal(told.asset_id, assetId);
    assert.deepEqual(more, []);
    assert.deepEqual(await damagesOf(app, bob), [], "the owner alone");
    assert.deepEqual(await damagesOf(app, bob, `?album_id=${albumId}`), []);
    assert.deepEqual(await newest(), ["create", "damaged"]);

    await give(app, ada, original, assetId);
    assert.deepEqual(await verdict(), [true, true, true]);

    // Lost once more, and with other bytes of the same length.
    await damageBlob(app, hash, "a flipped byte");
    assert.deepEqual(await verdict(), [true, true, true], "no one looked yet");
    await expectJson(await heal(app, ada, original, assetId), 201);
    assert.deepEqual(await verdict(), [false, true, false]);
    assert.equal((await damagesOf(app, ada)).length, 2);
    assert.deepEqual(
      await kindsOf(app),
      ["blob_corrupt"],
      "not deep, and known",
    );
    const copied = await app.send("POST", "/v1/upload", {
      token: bob.token,
      json: uploadRequest(bob, original, { request: { copies: assetId } }),
    });
    await expectProblem(copied, "error.asset.not_found");

    // The operator puts the file back: the next look sees it.
    await writeBlob(app, hash, original);
    await collect(app);
    assert.deepEqual(await verdict(), [true, true, true]);
    assert.deepEqual(await kindsOf(app, true), []);
  }, { blobs: "directory" });
});

Deno.test("to learn whether a blob is damaged its bytes are read, and paid for", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const photos = [];
    for (const name of ["one", "two"]) {
      photos.push(await createAsset(app, ada, name, { length: 700 }));
    }
    const codes = [];
    for (const { assetId, original } of photos) {
      const answer = await heal(app, ada, original, assetId);
      codes.push((await answer.json()).code);
    }
    assert.deepEqual(codes, [
      "error.upload.not_needed",
      "error.account.rate_limited",
    ]);
    // What is missing has no bytes to read.
    const [, second] = photos;
    assert(second);
    await damageBlob(app, hashOf(second.original), "a missing file");
    await give(app, ada, second.original, second.assetId);
  }, { settings: { STRONGROOM_LIMIT_DEEP_VERIFY_BYTES: "1000" } });
});

Deno.test("whatever operation of the disk fails, the same session gives the blob back", async () => {
  const files = failingFiles();
  await withTestApp(async (first) => {
    const app = restarting(first);
    const ada = await registerWriter(app, "ada");
    const { assetId, original } = await createAsset(app, ada, "photo");
    const path = blobFile(first, hashOf(original));
    const giveBackDespite = async (n: number) => {
      await Deno.remove(path);
      const opened = await heal(app, ada, original, assetId);
      const { upload_id } = await expectJson(opened, 201);
      files.failAt(n);
      const put = await putBytes(app, ada, upload_id, original);
      const fault = files.fault();
      files.failAt(Infinity);
      if (put.status !== 200) await expectProblem(put, "error.internal");
      if (fault === "syncDirectory") await app.restart();
      const again = await putBytes(app, ada, upload_id, original);
      assert.equal((await expectJson(again, 200)).replayed, put.ok);
      assert.deepEqual(await kindsOf(app.current(), true), []);
      return fault;
    };
    let faults = 0;
    while (await giveBackDespite(faults + 1) !== undefined) faults += 1;
    assert(faults >= 5, `${faults} operations failed`);
  }, { files });
});
