/**
 * Bytes that several accounts hold are in one file. A session that brought them
 * and was not finalized does not affect the other accounts.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { TestApp } from "../support/app.ts";
import { expectJson } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type LiveAsset,
  patchBytes,
  type Person,
  putBytes,
  registerWriter,
} from "../support/people.ts";
import {
  broken,
  expectBytes,
  readBlob,
  withFaultlessApp,
} from "../support/api.ts";
import { finalize } from "../support/uploads.ts";

/**
 * Eve brings the bytes of Bob's original and finalizes them while the database
 * takes no receipt: they are placed, and her session stays open.
 */
async function withPlacedSession(
  test: (world: {
    readonly app: TestApp;
    readonly eve: Person;
    readonly uploadId: string;
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly expectIntact: () => Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  await withFaultlessApp(async (app) => {
    const bob = await registerWriter(app, "bob");
    const asset: LiveAsset = await createAsset(app, bob, "shared bytes");
    const bytes = asset.original;
    const eve = await registerWriter(app, "eve");
    const { upload_id } = await createUpload(app, eve, bytes);
    const sent = await patchBytes(app, eve, upload_id, 0, bytes);
    assert.equal(sent.status, 204);
    const { db } = app.app;
    await db.schema.alterTable("receipt").renameTo("hidden").execute();
    const failed = await finalize(app, eve, upload_id);
    assert.equal(failed.status, 500);
    await failed.body?.cancel();
    await db.schema.alterTable("hidden").renameTo("receipt").execute();
    // That error was made on purpose.
    app.logged.length = 0;
    await test({
      app,
      eve,
      uploadId: upload_id,
      bytes,
      expectIntact: async () => {
        const hash = hashOf(bytes);
        const answer = await readBlob(app, bob, asset.assetId, hash);
        assert.equal(answer.status, 200);
        expectBytes(await answer.arrayBuffer(), bytes);
      },
    });
  });
}

Deno.test("other bytes put into a session whose finalization failed reach no other's blob", async () => {
  await withPlacedSession(async ({ app, eve, uploadId, bytes, ...world }) => {
    const other = ciphertext("not those bytes", bytes.length);
    const refused = await putBytes(app, eve, uploadId, other);
    assert.equal(refused.status, 422);
    await refused.body?.cancel();
    await world.expectIntact();
  });
});

Deno.test("a repeated PUT that breaks off reaches no other's blob, and can be repeated", async () => {
  await withPlacedSession(async ({ app, eve, uploadId, bytes, ...world }) => {
    const torn = await app.send("PUT", `/v1/upload/${uploadId}`, {
      token: eve.token,
      headers: { "Content-Type": "application/octet-stream" },
      body: broken(bytes.slice(0, 1_000)),
    });
    await torn.body?.cancel();
    assert.equal(torn.status, 400);
    await world.expectIntact();
    await expectJson(await putBytes(app, eve, uploadId, bytes), 200);
    await world.expectIntact();
  });
});
