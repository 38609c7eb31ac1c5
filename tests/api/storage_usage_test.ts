/**
 * Storage usage (protocol/uploads.md#room).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { TestApp } from "../support/app.ts";
import { withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type Person,
  registerPerson,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { COUNT_LIBRARIES } from "../support/counting.ts";
import { numbered, numberedUuid, writeRows } from "../support/rows.ts";
import { check, expectCounted } from "../support/check.ts";
import { collect, DAY, sendDelete, sendPurge } from "../support/trash.ts";
import { workOf } from "../support/work.ts";
import { setAsset } from "../support/storage.ts";
import { sendManifest, suspend } from "../support/api.ts";

async function usage(app: TestApp, person: Person): Promise<Json> {
  return await expectJson(
    await app.send("GET", "/v1/storage/usage", { token: person.token }),
    200,
  );
}

const NOTHING = {
  used_bytes: 0,
  reserved_bytes: 0,
  trash_bytes: 0,
  assets: 0,
  blobs: 0,
};

Deno.test("a new account uses nothing and has no quota where none is set", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    assert.deepEqual(await usage(app, ada), NOTHING);
  });
});

Deno.test("counts that are wrong keep nothing from being deleted, and are found", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    await uploadBlob(app, ada, ciphertext("waiting", 60), {
      fileId: uuidOf("waiting"),
    });
    const { db } = app.app;
    await db.updateTable("usage")
      .set({ live_assets: 0, held_blobs: 0, pending_blobs: 0 }).execute();
    await db.updateTable("blob_month").set({ count: 0, bytes: 0 }).execute();
    assert.equal((await check(app, { steps: ["usage"] })).findings.length, 4);
    await expectJson(await sendDelete(app, ada, assetId), 200);
    await expectEmpty(await sendPurge(app, ada, assetId), 204);
    app.clock.advance(2 * DAY);
    const { unapplied, blobs, failed } = await collect(app);
    assert.deepEqual([unapplied.count, blobs.count, failed], [1, 4, 0]);
    await expectCounted(app);
  });
});

Deno.test("a blob that is brought again once its session is gone takes no more room", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const fileId = uuidOf("again");
    const bring = () =>
      uploadBlob(app, ada, ciphertext("again", 60), { fileId });
    await bring();
    const once = await usage(app, ada);
    assert.equal(once["used_bytes"], 60);
    // What the purge does of a session that was finalized long ago.
    writeRows(app, "delete from upload");
    await bring();
    assert.deepEqual(await usage(app, ada), once);
  });
});

Deno.test("an open session is reserved, a finalized blob is used, applied or not", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { upload_id } = await createUpload(app, ada, ciphertext("a", 700));
    assert.deepEqual(await usage(app, ada), {
      ...NOTHING,
      reserved_bytes: 700,
    });
    await uploadBlob(app, ada, ciphertext("b", 60), { fileId: uuidOf("b") });
    assert.deepEqual(await usage(app, ada), {
      ...NOTHING,
      used_bytes: 60,
      reserved_bytes: 700,
      blobs: 1,
    });
    await expectEmpty(
      await app.send("DELETE", `/v1/upload/${upload_id}`, { token: ada.token }),
      204,
    );
    await createAsset(app, ada, "photo", { length: 1_000 });
    assert.deepEqual(await usage(app, ada), {
      ...NOTHING,
      used_bytes: 60 + 1_000 + 300 + 900,
      assets: 1,
      blobs: 4,
    });
  });
});

Deno.test("what a manifest replaces is used no longer", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo", { length: 1_000 });
    const edited = ciphertext("edited", 40);
    await uploadBlob(app, ada, edited, { fileId: asset.assetId });
    await expectJson(
      await sendManifest(app, ada, asset.assetId, ciphertext("second", 50), {
        action: "replace",
        original: edited,
        prior: hashOf(asset.manifest),
      }),
      200,
    );
    assert.deepEqual(await usage(app, ada), {
      ...NOTHING,
      used_bytes: 40 + 50 + 900,
      assets: 1,
      blobs: 3,
    });
  });
});

Deno.test("an asset in the trash is no live one; its bytes are told apart", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    await createAsset(app, ada, "other");
    const at = app.clock.now;
    await setAsset(app, asset.assetId, { state: "deleted", deleted_at: at });
    await app.app.db.updateTable("usage").set({ trash_bytes: 123 })
      .where("user_id", "=", ada.userId as Json).execute();
    const { assets, trash_bytes } = await usage(app, ada);
    assert.deepEqual({ assets, trash_bytes }, { assets: 1, trash_bytes: 123 });
  });
});

Deno.test("the quota is the configured one, or the account's own", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    assert.equal((await usage(app, ada)).quota_bytes, 5_000);
    await app.app.db.updateTable("usage").set({ quota_bytes: 77 })
      .where("user_id", "=", ada.userId as Json).execute();
    assert.equal((await usage(app, ada)).quota_bytes, 77);
  }, { settings: { STRONGROOM_ACCOUNT_QUOTA_BYTES: "5000" } });
});

Deno.test("usage is the caller's own, and a suspended account reads it", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    await createAsset(app, ada, "photo");
    await suspend(app, bob);
    assert.deepEqual(await usage(app, bob), NOTHING);
  });
});

Deno.test("usage costs the same for any library, and says what is in it", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    await createAsset(app, bob, "one");
    const { userId } = ada;
    const hash = hashOf("x");
    writeRows(
      app,
      `insert into blob (hash, size, stored_at) values ('${hash}', 1, 0)`,
      `${numbered(20_000)} insert into holding (owner_id, asset_id, role, hash,
        size, upload_id, finalized_at, receipt_seq, applied)
        select '${userId}', ${numberedUuid("0a0a0a0a")}, 'original', '${hash}',
          1, '', 0, 0, 1 from numbers`,
      `${numbered(20_000)} insert into asset (asset_id, owner_id, state,
        chain_head, sync_seq, created_at, updated_at)
        select ${numberedUuid("0a0a0a0a")}, '${userId}', 'live', '${hash}', n,
          0, 0 from numbers`,
      COUNT_LIBRARIES,
    );
    const workFor = async (person: Person) => {
      await usage(app, person);
      return await workOf(async () => void await usage(app, person));
    };
    assert.deepEqual(await workFor(ada), await workFor(bob));
    const { assets, blobs } = await usage(app, ada);
    // All of them hold the one blob.
    assert.deepEqual({ assets, blobs }, { assets: 20_000, blobs: 1 });
  });
});
