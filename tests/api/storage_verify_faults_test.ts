/**
 * Storage verification where a file or the disk is at fault, and what it leaves
 * as it was (protocol/receipts.md#structural-and-deep-verification).
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { type Json } from "../support/expect.ts";
import { failingFiles } from "../support/failing_files.ts";
import { createAsset, hashOf, registerWriter } from "../support/people.ts";
import {
  damageBlob,
  hashesOf,
  verifyOne,
  withAda,
} from "../support/storage.ts";
import { suspend } from "../support/api.ts";

const UNKNOWN = {
  role: "unknown",
  stored: false,
  indexed: false,
  retrievable: false,
};
Deno.test("a blob whose file is missing or of the wrong size is not stored, and the others are", async () => {
  for (const damage of ["a missing file", "a truncated file"] as const) {
    await withAda(async (app, ada) => {
      const asset = await createAsset(app, ada, "photo");
      const hash = hashOf(asset.metadata);
      await damageBlob(app, hash, damage);
      const verdict = await verifyOne(app, ada, asset.assetId, hashesOf(asset));
      assert.equal(verdict.durable, false, damage);
      assert.deepEqual(
        verdict.blobs.map(({ stored }: Json) => stored),
        [true, false, true],
        damage,
      );
      assert.equal(verdict.blobs[1].role, "metadata");
    });
  }
});

Deno.test("a database that cannot answer makes nothing durable and is no error", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    await app.app.db.schema.alterTable("holding").renameTo("lost").execute();
    for (const deep of [false, true]) {
      const verdict = await verifyOne(
        app,
        ada,
        asset.assetId,
        hashesOf(asset),
        { deep },
      );
      assert.equal(verdict.durable, false);
      assert.deepEqual(
        verdict.blobs,
        hashesOf(asset).map((hash) => ({ hash, ...UNKNOWN })),
      );
    }
  });
});

Deno.test("a disk that fails at any operation makes the asset not durable and is no error", async () => {
  const files = failingFiles();
  await withTestApp(
    async (app) => {
      const ada = await registerWriter(app, "ada");
      const asset = await createAsset(app, ada, "photo");
      for (const deep of [false, true]) {
        let faults = 0;
        for (let n = 1;; n++) {
          files.failAt(n);
          const verdict = await verifyOne(
            app,
            ada,
            asset.assetId,
            hashesOf(asset),
            { deep },
          );
          if (!files.failed()) {
            assert.equal(verdict.durable, true);
            break;
          }
          faults += 1;
          assert.equal(verdict.durable, false, files.seen().join(" "));
          assert.equal(verdict.blobs.length, 3);
        }
        // Looking at three files; opening each, its bytes and its end.
        assert.equal(faults, deep ? 12 : 3);
      }
    },
    { files },
  );
});

Deno.test("verify is a pure read: no row and no file changes", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    await damageBlob(app, hashOf(asset.original), "a flipped byte");
    const { db } = app.app;
    const world = async () => ({
      tables: await Promise.all(
        (["blob", "holding", "asset", "usage", "receipt", "feed"] as const)
          .map((table) => db.selectFrom(table).selectAll().execute()),
      ),
      files: await Array.fromAsync(app.app.blobs.list()),
    });
    const before = await world();
    await verifyOne(app, ada, asset.assetId, hashesOf(asset), { deep: true });
    assert.deepEqual(await world(), before);
  });
});

Deno.test("a suspended account may verify, for it is a read", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    await suspend(app, ada);
    const verdict = await verifyOne(app, ada, asset.assetId, hashesOf(asset), {
      deep: true,
    });
    assert.equal(verdict.durable, true);
  });
});
