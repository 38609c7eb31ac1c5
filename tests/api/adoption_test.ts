/**
 * Adopting a guest's contribution by an ordinary create, and the receipts of
 * both (protocol/uploads.md#adopt).
 *
 * @module
 */
import assert from "node:assert/strict";
import { fromBase64 } from "../../src/core/bytes.ts";
import {
  parsePublishedKeys,
  verifyReceiptChain,
} from "../../src/crypto/receipt_chain.ts";
import { provisionAlbum } from "../support/albums.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  adopt,
  contribute,
  createGuestUpload,
  GUEST_BYTES as BYTES,
  issueLink,
  listContributions,
  usageOf,
  viewLink,
  withContribution,
} from "../support/guests.ts";
import {
  ciphertext,
  createUpload,
  hashOf,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import {
  expectBytes,
  expectNoErrors,
  readAsset,
  readBlob,
  refreshed,
  sendManifest,
  suspend,
} from "../support/api.ts";
import { collect, DAY } from "../support/trash.ts";

Deno.test("adopting answers 201 with a finalized session and a receipt of its own", async () => {
  await withContribution(async ({ app, ada, link, id, receipt }) => {
    const before = await usageOf(app, ada);
    const response = await adopt(app, ada, BYTES, id);
    const location = response.headers.get("location");
    const upload = await expectJson(response, 201);
    assert.equal(location, `/v1/upload/${upload.upload_id}`);
    assert.notEqual(upload.upload_id, id);
    assert.equal(upload.state, "finalized");
    assert.equal(upload.asset_id, uuidOf("a file"));
    assert.equal(upload.offset, 1_000);
    assert.equal(upload.receipt.upload_id, upload.upload_id);
    assert(upload.receipt.receipt_seq > receipt.receipt_seq);
    // Gone from the list, and its bytes count once.
    assert.deepEqual(await listContributions(app, ada, link), []);
    assert.deepEqual(await usageOf(app, ada), before);
    // What was let in stays let in.
    assert.equal((await viewLink(app, link)).files_left, 99);
    const receipts = await app.send(
      "GET",
      `/v1/assets/${uuidOf("a file")}/receipts`,
      { token: ada.token },
    );
    const listed = (await expectJson(receipts, 200)).receipts;
    assert.deepEqual(listed, [upload.receipt]);
  });
});

Deno.test("repeating the same create gives the session that it has", async () => {
  await withContribution(async ({ app, ada, id }) => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => adopt(app, ada, BYTES, id)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [200, 200, 201],
    );
    const uploads = await Promise.all(answers.map((answer) => answer.json()));
    const again = await app.reopen();
    const repeated = await expectJson(await adopt(again, ada, BYTES, id), 200);
    for (const upload of uploads) assert.deepEqual(upload, repeated);
    const rows = await again.app.db.selectFrom("receipt").selectAll().execute();
    assert.equal(rows.length, 2);
    assert.equal((await usageOf(again, ada)).used_bytes, 1_000);
    // For another file it is gone.
    await expectProblem(
      await adopt(again, ada, BYTES, id, { fileId: uuidOf("other") }),
      "error.upload.not_found",
    );
  });
});

Deno.test("of two files that adopt it at once one does", async () => {
  await withContribution(async ({ app, ada, id }) => {
    const answers = await Promise.all(
      ["one", "two", "three"].map((name) =>
        adopt(app, ada, BYTES, id, { fileId: uuidOf(name) })
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [201, 404, 404]);
    for (const answer of answers) await answer.body?.cancel();
    assert.equal((await usageOf(app, ada)).used_bytes, 1_000);
  });
});

Deno.test("what is adopted becomes an asset like any other", async () => {
  await withContribution(async ({ app, ada, id }) => {
    const assetId = uuidOf("adopted");
    await expectJson(
      await adopt(app, ada, BYTES, id, { fileId: assetId }),
      201,
    );
    await expectJson(
      await sendManifest(app, ada, assetId, ciphertext("manifest", 90), {
        original: BYTES,
      }),
      200,
    );
    assert.equal((await readAsset(app, ada, assetId)).state, "live");
    const blob = await readBlob(app, ada, assetId, hashOf(BYTES));
    expectBytes(await blob.arrayBuffer(), BYTES);
  });
});

Deno.test("what is adopted waits for its manifest as long as it would have waited to be adopted", async () => {
  await withContribution(async ({ app, ada, id }) => {
    const assetId = uuidOf("adopted");
    const upload = await expectJson(
      await adopt(app, ada, BYTES, id, { fileId: assetId }),
      201,
    );
    app.clock.now += 29 * DAY;
    await collect(app);
    const later = await refreshed(app, ada);
    const repeated = await expectJson(
      await adopt(app, later, BYTES, id, { fileId: assetId }),
      200,
    );
    assert.deepEqual(repeated.receipt, upload.receipt);
    await expectJson(
      await sendManifest(app, later, assetId, ciphertext("manifest", 90), {
        original: BYTES,
      }),
      200,
    );
    const blob = await readBlob(app, later, assetId, hashOf(BYTES));
    expectBytes(await blob.arrayBuffer(), BYTES);
  });
});

Deno.test("what is adopted and named by no manifest within that time goes", async () => {
  await withContribution(async ({ app, ada, id }) => {
    await expectJson(await adopt(app, ada, BYTES, id), 201);
    app.clock.now += 31 * DAY;
    await collect(app);
    assert.equal((await usageOf(app, ada)).used_bytes, 0);
  });
});

Deno.test("another role, hash or size is 422, and leaves the contribution", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    const other = ciphertext("other", 1_000);
    const cases: [string, Promise<Response>][] = [
      ["/blob_role", adopt(app, ada, BYTES, id, { role: "derivative" })],
      ["/blob_role", adopt(app, ada, BYTES, id, { role: "metadata" })],
      ["/size", adopt(app, ada, BYTES, id, { request: { size: 999 } })],
      ["/manifest_envelope/ciphertext_hash", adopt(app, ada, other, id)],
    ];
    for (const [pointer, answer] of cases) {
      const refusal = await expectProblem(
        await answer,
        "error.manifest.mismatch",
      );
      const paths = refusal.errors.map(({ path }: Json) => path);
      assert.deepEqual(paths, [pointer]);
    }
    assert.equal((await listContributions(app, ada, link)).length, 1);
    for (const bad of [1, "", "x", {}, "\ud800", id.toUpperCase()]) {
      const refusal = await expectProblem(
        await adopt(app, ada, BYTES, bad),
        "error.request.invalid",
      );
      assert.equal(refusal.errors[0].path, "/adopts");
    }
    // An adopts of null is an ordinary create.
    const plain = await expectJson(await adopt(app, ada, BYTES, null), 201);
    assert.equal(plain.state, "open");
  });
});

Deno.test("what is not the caller's to adopt is 404", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    const bob = await registerWriter(app, "bob");
    await expectProblem(
      await adopt(app, bob, BYTES, id),
      "error.upload.not_found",
    );
    const open = await createGuestUpload(app, link, BYTES);
    const own = await createUpload(app, ada, ciphertext("own", 10), {
      fileId: uuidOf("own"),
    });
    for (const none of [open.upload_id, own.upload_id, uuidOf("none")]) {
      await expectProblem(
        await adopt(app, ada, BYTES, none),
        "error.upload.not_found",
      );
    }
    await suspend(app, ada);
    await expectProblem(
      await adopt(app, ada, BYTES, id),
      "error.account.suspended",
    );
  });
});

Deno.test("the checks of an ordinary create hold for an adoption", async () => {
  await withContribution(async ({ app, ada, id }) => {
    const wrong = { envelope: { created_by_user: uuidOf("somebody") } };
    await expectProblem(
      await adopt(app, ada, BYTES, id, wrong),
      "error.manifest.mismatch",
    );
    await expectProblem(
      await adopt(app, ada, BYTES, id, { albumId: uuidOf("no album") }),
      "error.album.not_found",
    );
    const albumId = await provisionAlbum(app, ada, "album");
    const upload = await expectJson(
      await adopt(app, ada, BYTES, id, { albumId }),
      201,
    );
    assert.equal(upload.album_id, albumId);
  });
});

Deno.test("a full quota does not stand in the way of adopting", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    const { upload_id } = await contribute(app, link, BYTES);
    await expectJson(await adopt(app, ada, BYTES, upload_id), 201);
    assert.equal((await usageOf(app, ada)).used_bytes, 1_000);
    expectNoErrors(app);
  }, { settings: { STRONGROOM_ACCOUNT_QUOTA_BYTES: "1000" } });
});

async function publishedKeys(app: TestApp) {
  const record = await app.send(
    "GET",
    "/.well-known/service/attestation-keys",
    { protocol: null },
  );
  return parsePublishedKeys(await expectJson(record, 200));
}

Deno.test("the receipts of guests and adoptions are links of the one chain", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    const adopted = uuidOf("adopted");
    await expectJson(
      await adopt(app, ada, BYTES, id, { fileId: adopted }),
      201,
    );
    await Promise.all(
      [1, 2, 3].map((n) => contribute(app, link, ciphertext(`${n}`, 10))),
    );
    const rows = await app.app.db.selectFrom("receipt")
      .select(["body", "owner_id", "asset_id"])
      .orderBy("receipt_seq")
      .execute();
    const verdict = await verifyReceiptChain(
      rows.map(({ body }) => body),
      await publishedKeys(app),
    );
    assert.equal(verdict.ok && verdict.count, 5);
    assert(rows.every(({ owner_id }) => owner_id as string === ada.userId));
    assert.deepEqual(
      rows.map(({ asset_id }) => asset_id as string | null),
      [null, adopted, null, null, null],
    );
  });
});

Deno.test("the receipt that a guest was given verifies offline", async () => {
  await withContribution(async ({ app, receipt }) => {
    const bytes = fromBase64(receipt.receipt_cbor);
    assert(bytes !== undefined);
    const keys = await publishedKeys(app);
    assert((await verifyReceiptChain([bytes], keys)).ok);
  });
});
