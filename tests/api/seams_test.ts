/**
 * Where two parts of the specification meet: adoption and the trash, expiry
 * and the purge that has not run, a checksum and a later PUT.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  adopt,
  contribute,
  GUEST_BYTES,
  listContributions,
  withContribution,
} from "../support/guests.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  putBytes,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { expectNoErrors, readAsset, sendManifest } from "../support/api.ts";
import {
  collect,
  DAY,
  later,
  replaceOriginal,
  restore,
  trash,
} from "../support/trash.ts";

const FILE = uuidOf("a file");

Deno.test("a contribution is not adopted into an asset in the trash, and stays in the list", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    const { assetId } = await createAsset(app, ada, "deleted");
    await trash(app, ada, assetId);
    const refused = await expectProblem(
      await adopt(app, ada, GUEST_BYTES, id, { fileId: assetId }),
      "error.manifest.mismatch",
    );
    assert.deepEqual(refused.errors.map((one: Json) => one.path), [
      "/manifest_envelope/file_id",
    ]);
    assert.equal((await listContributions(app, ada, link)).length, 1);
  });
});

Deno.test("a contribution is adopted although a session of the same bytes is open", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    await createUpload(app, ada, GUEST_BYTES);
    const adopted = await expectJson(
      await adopt(app, ada, GUEST_BYTES, id),
      201,
    );
    assert.equal(adopted.state, "finalized");
    assert.deepEqual(await listContributions(app, ada, link), []);
    const counters = await app.app.db.selectFrom("usage")
      .select(["reserved_bytes", "open_uploads"])
      .where("user_id", "=", ada.userId as Json)
      .executeTakeFirstOrThrow();
    assert.deepEqual({ ...counters }, { reserved_bytes: 0, open_uploads: 0 });
  });
});

Deno.test("a contribution is adopted although its bytes were adopted and replaced before", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    await expectJson(await adopt(app, ada, GUEST_BYTES, id), 201);
    const original = GUEST_BYTES;
    const manifest = ciphertext("first manifest", 90);
    await expectJson(
      await sendManifest(app, ada, FILE, manifest, { original }),
      200,
    );
    await replaceOriginal(app, ada, FILE, ciphertext("newer", 70), "newer");
    const again = await contribute(app, link, GUEST_BYTES);
    await expectJson(await adopt(app, ada, GUEST_BYTES, again.upload_id), 201);
    const { chain_head: prior } = await readAsset(app, ada, FILE);
    const over = { action: "replace", original, prior } as const;
    await expectJson(
      await sendManifest(app, ada, FILE, ciphertext("third", 90), over),
      200,
    );
  });
});

Deno.test("an expired session does not count, however many wait for the purge", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("one of many", 10);
    // Whichever of them a purge of some would come to first or last.
    const files = [
      "00000000-0000-4000-8000-000000000000",
      ...Array.from({ length: 520 }, (_, n) => uuidOf(`one of many ${n}`)),
      "ffffffff-ffff-4fff-8fff-ffffffffffff",
    ];
    for (const fileId of files) {
      await createUpload(app, ada, bytes, { fileId });
      app.clock.advance(1);
    }
    const now = await later(app, ada, 2 * DAY);
    for (const fileId of [files.at(-1), files[0], files[260]]) {
      assert(fileId !== undefined);
      const { upload_id } = await createUpload(app, now, bytes, { fileId });
      await expectJson(await putBytes(app, now, upload_id, bytes), 200);
    }
    expectNoErrors(app);
  });
});

Deno.test("a PUT takes the whole blob over bytes whose checksum was never verified", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("unverified", 1_000);
    const { upload_id } = await createUpload(app, ada, bytes);
    // What a server that died over a checksummed PATCH leaves behind.
    await app.app.db.updateTable("upload").set({ unverified_from: 0 })
      .execute();
    await expectJson(await putBytes(app, ada, upload_id, bytes), 200);
  });
});

Deno.test("what has left the trash takes no room of the quota, collected or not", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "large", { length: 8_000 });
    await trash(app, ada, assetId);
    const bytes = ciphertext("after the trash", 5_000);
    const request = uploadRequest(ada, bytes, { fileId: uuidOf("after") });
    const { token } = ada;
    await expectProblem(
      await app.send("POST", "/v1/upload", { token, json: request }),
      "error.storage.quota_exceeded",
    );
    const now = await later(app, ada, 31 * DAY);
    const usage = async () =>
      await expectJson(
        await app.send("GET", "/v1/storage/usage", { token: now.token }),
        200,
      );
    assert.equal((await usage()).trash_bytes, 0);
    await createUpload(app, now, bytes, { fileId: uuidOf("after") });
    await collect(app);
    assert.equal((await usage()).trash_bytes, 0);
  }, { settings: { STRONGROOM_ACCOUNT_QUOTA_BYTES: "10000" } });
});

Deno.test("a derivative that was finalized while its asset lay in the trash is there when it is restored", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    await trash(app, ada, assetId);
    const derivative = ciphertext("thumbnail", 60);
    await uploadBlob(app, ada, derivative, {
      fileId: assetId,
      role: "derivative",
    });
    const now = await later(app, ada, 10 * DAY);
    await collect(app);
    await restore(app, now, assetId);
    const { blobs } = await readAsset(app, now, assetId);
    assert(blobs.some((one: Json) => one.hash === hashOf(derivative)));
  });
});
