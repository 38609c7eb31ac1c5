/**
 * Finalizing, PUT, replays and cancelling (protocol/uploads.md#finalize).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import {
  ciphertext,
  createUpload,
  hashOf,
  patchBytes,
  type Person,
  putBytes,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { broken, expectNoErrors, pieces } from "../support/api.ts";
import { BYTES, finalize, offsetOf, withUpload } from "../support/uploads.ts";

function cancel(app: TestApp, who: Person, id: string): Promise<Response> {
  return app.send("DELETE", `/v1/upload/${id}`, { token: who.token });
}

Deno.test("finalize answers 200 with the receipt", async () => {
  await withUpload(async (app, ada, id) => {
    await expectEmpty(await patchBytes(app, ada, id, 0, BYTES), 204);
    const { receipt, sync_seq, ...answer } = await expectJson(
      await finalize(app, ada, id),
      200,
    );
    assert.deepEqual(answer, {
      upload_id: id,
      asset_id: uuidOf("a file"),
      blob_role: "original",
      ciphertext_hash: hashOf(BYTES),
      size: 1_000,
      replayed: false,
    });
    // No manifest was applied: the asset is pending.
    assert.equal(sync_seq ?? null, null);
    assert.equal(receipt.upload_id, id);
    assert.equal(receipt.ciphertext_hash, hashOf(BYTES));
    const upload = await expectJson(
      await app.send("GET", `/v1/upload/${id}`, { token: ada.token }),
      200,
    );
    assert.equal(upload.state, "finalized");
    assert.equal(upload.offset, 1_000);
    assert.deepEqual(upload.receipt, receipt);
  });
});

Deno.test("an incomplete upload is not finalized", async () => {
  await withUpload(async (app, ada, id) => {
    await expectProblem(
      await finalize(app, ada, id),
      "error.upload.incomplete",
    );
    await expectEmpty(
      await patchBytes(app, ada, id, 0, BYTES.slice(0, 999)),
      204,
    );
    await expectProblem(
      await finalize(app, ada, id),
      "error.upload.incomplete",
    );
    // What was held is still held.
    await expectEmpty(
      await patchBytes(app, ada, id, 999, BYTES.slice(999)),
      204,
    );
    await expectJson(await finalize(app, ada, id), 200);
  });
});

Deno.test("bytes of another hash are 422 and dropped", async () => {
  await withUpload(async (app, ada, id) => {
    const wrong = BYTES.toReversed();
    await expectEmpty(await patchBytes(app, ada, id, 0, wrong), 204);
    await expectProblem(
      await finalize(app, ada, id),
      "error.upload.hash_mismatch",
    );
    assert.equal(await offsetOf(app, ada, id), 0);
    await expectProblem(
      await putBytes(app, ada, id, wrong),
      "error.upload.hash_mismatch",
    );
    assert.equal(await offsetOf(app, ada, id), 0);
    await expectEmpty(await patchBytes(app, ada, id, 0, BYTES), 204);
    await expectJson(await finalize(app, ada, id), 200);
  });
});

Deno.test("PUT carries the whole blob in one request and finalizes it", async () => {
  await withUpload(async (app, ada, id) => {
    const answer = await expectJson(await putBytes(app, ada, id, BYTES), 200);
    assert.equal(answer.replayed, false);
    assert.equal(answer.receipt.size, 1_000);
    const replay = await expectJson(await finalize(app, ada, id), 200);
    assert.deepEqual(replay, { ...answer, replayed: true });
  });
});

Deno.test("PUT takes a chunked body, and one over what a PATCH left", async () => {
  await withUpload(async (app, ada, id) => {
    await expectEmpty(
      await patchBytes(app, ada, id, 0, ciphertext("a false start", 400)),
      204,
    );
    await expectJson(
      await app.send("PUT", `/v1/upload/${id}`, {
        token: ada.token,
        headers: { "Content-Type": "application/octet-stream" },
        body: pieces(BYTES.slice(0, 1), BYTES.slice(1, 900), BYTES.slice(900)),
      }),
      200,
    );
  });
});

Deno.test("a short PUT is 409, a long one 413, and neither is the end", async () => {
  await withUpload(async (app, ada, id) => {
    for (const length of [0, 1, 999]) {
      await expectProblem(
        await putBytes(app, ada, id, BYTES.slice(0, length)),
        "error.upload.incomplete",
      );
    }
    const long = new Uint8Array([...BYTES, 0]);
    await expectEmpty(await putBytes(app, ada, id, long), 413);
    await expectEmpty(
      await app.send("PUT", `/v1/upload/${id}`, {
        token: ada.token,
        headers: { "Content-Type": "application/octet-stream" },
        body: pieces(long.slice(0, 500), long.slice(500)),
      }),
      413,
    );
    const torn = await app.send("PUT", `/v1/upload/${id}`, {
      token: ada.token,
      headers: { "Content-Type": "application/octet-stream" },
      body: broken(BYTES.slice(0, 500)),
    });
    await expectProblem(torn, "error.request.malformed");
    await expectJson(await putBytes(app, ada, id, BYTES), 200);
  });
});

Deno.test("on a finalized session PUT and finalize replay", async () => {
  await withUpload(async (app, ada, id) => {
    const first = await expectJson(await putBytes(app, ada, id, BYTES), 200);
    app.clock.advance(60_000);
    const replay = { ...first, replayed: true };
    for (const _ of [1, 2]) {
      assert.deepEqual(
        await expectJson(await finalize(app, ada, id), 200),
        replay,
      );
      assert.deepEqual(
        await expectJson(await putBytes(app, ada, id, BYTES), 200),
        replay,
      );
    }
    const again = await app.reopen();
    assert.deepEqual(
      await expectJson(await finalize(again, ada, id), 200),
      replay,
    );
  });
});

Deno.test("on a finalized session PATCH and DELETE are 409", async () => {
  await withUpload(async (app, ada, id) => {
    await expectJson(await putBytes(app, ada, id, BYTES), 200);
    for (const offset of [0, 1_000]) {
      const refusal = await expectProblem(
        await patchBytes(app, ada, id, offset, new Uint8Array(1)),
        "error.upload.offset_conflict",
      );
      assert.equal(refusal.offset, 1_000);
    }
    await expectProblem(
      await cancel(app, ada, id),
      "error.upload.finalized",
    );
    const head = await app.send("HEAD", `/v1/upload/${id}`, {
      token: ada.token,
    });
    assert.equal(head.headers.get("upload-offset"), "1000");
    assert.equal(head.headers.get("upload-length"), "1000");
    await expectEmpty(head, 200);
  });
});

Deno.test("of finalizes at once one is the first and all answer the same receipt", async () => {
  await withUpload(async (app, ada, id) => {
    await expectEmpty(await patchBytes(app, ada, id, 0, BYTES), 204);
    const answers = await Promise.all(
      [1, 2, 3].map(async () =>
        await expectJson(await finalize(app, ada, id), 200)
      ),
    );
    const firsts = answers.filter(({ replayed }) => !replayed);
    assert.equal(firsts.length, 1);
    const receipts = answers.map(({ receipt }) => receipt.receipt_cbor);
    assert.equal(new Set(receipts).size, 1);
  });
});

Deno.test("DELETE cancels an upload, which is then unknown", async () => {
  await withUpload(async (app, ada, id) => {
    await expectEmpty(
      await patchBytes(app, ada, id, 0, BYTES.slice(0, 500)),
      204,
    );
    await expectEmpty(await cancel(app, ada, id), 204);
    for (
      const response of [
        await app.send("GET", `/v1/upload/${id}`, { token: ada.token }),
        await patchBytes(app, ada, id, 500, BYTES.slice(500)),
        await putBytes(app, ada, id, BYTES),
        await finalize(app, ada, id),
        await cancel(app, ada, id),
      ]
    ) await expectProblem(response, "error.upload.not_found");
    const again = await createUpload(app, ada, BYTES);
    assert.notEqual(again.upload_id, id);
    assert.equal(again.offset, 0);
  });
});

Deno.test("that another account holds the same bytes saves no upload and shows nowhere", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    await uploadBlob(app, ada, BYTES, { fileId: uuidOf("ada's") });
    const fileId = uuidOf("bob's");
    const upload = await createUpload(app, bob, BYTES, { fileId });
    assert.equal(upload.state, "open");
    assert.equal(upload.offset, 0);
    await expectProblem(
      await finalize(app, bob, upload.upload_id),
      "error.upload.incomplete",
    );
    const { receipt } = await expectJson(
      await putBytes(app, bob, upload.upload_id, BYTES),
      200,
    );
    assert.equal(receipt.upload_id, upload.upload_id);
    expectNoErrors(app);
  });
});

Deno.test("neither expiry nor purge takes a finalized session's replay in its time", async () => {
  await withUpload(async (app, ada, id) => {
    const first = await expectJson(await putBytes(app, ada, id, BYTES), 200);
    app.clock.advance(10 * 60_000);
    await app.purge();
    assert.deepEqual(
      await expectJson(await finalize(app, ada, id), 200),
      { ...first, replayed: true },
    );
  });
});
