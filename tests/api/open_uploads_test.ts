/**
 * The sessions that an account has open (protocol/uploads.md#open-sessions).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { TestApp } from "../support/app.ts";
import { contribute, issueLink } from "../support/guests.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createUpload,
  patchBytes,
  type Person,
  putBytes,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { suspend, withFaultlessApp } from "../support/api.ts";
import { HOUR, later } from "../support/trash.ts";

async function listOpen(
  app: TestApp,
  { token }: Person,
  query = "",
): Promise<Json> {
  return await expectJson(
    await app.send("GET", `/v1/upload${query}`, { token }),
    200,
  );
}

Deno.test("open sessions are listed as each is told, the oldest first, in pages", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    await createUpload(app, bob, ciphertext("bobs", 10));
    const single = [];
    for (const name of ["one", "two", "three"]) {
      const fileId = uuidOf(name);
      const bytes = ciphertext(name, 1_000);
      const { upload_id } = await createUpload(app, ada, bytes, { fileId });
      const part = bytes.slice(0, 10 * (single.length + 1));
      await patchBytes(app, ada, upload_id, 0, part);
      const path = `/v1/upload/${upload_id}`;
      single.push(await expectJson(await app.send("GET", path, ada), 200));
    }
    assert.deepEqual(single.map(({ offset }) => offset), [10, 20, 30]);
    assert.deepEqual(await listOpen(app, ada), { uploads: single });
    for (const limit of [1, 2, 3]) {
      const uploads: Json[] = [];
      for (let after = "", pages = 1;; pages++) {
        const page = await listOpen(app, ada, `?limit=${limit}${after}`);
        uploads.push(...page.uploads);
        if (page.next_after === undefined) {
          assert.equal(pages, Math.ceil(3 / limit));
          break;
        }
        after = `&after=${page.next_after}`;
      }
      assert.deepEqual(uploads, single);
    }
    await suspend(app, ada);
    assert.equal((await listOpen(app, ada)).uploads.length, 3);
  });
});

Deno.test("what is finalized, cancelled, expired or a guest's is not open", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    await contribute(app, link, ciphertext("given", 10));
    await uploadBlob(app, ada, ciphertext("done", 10));
    const over = { fileId: uuidOf("cancelled") };
    const cancelled = await createUpload(app, ada, ciphertext("x", 10), over);
    await app.send("DELETE", `/v1/upload/${cancelled.upload_id}`, ada);
    await createUpload(app, ada, ciphertext("old", 10));
    ada = await later(app, ada, 12 * HOUR);
    const bytes = ciphertext("new", 10);
    const { upload_id } = await createUpload(app, ada, bytes, {
      fileId: uuidOf("new"),
    });
    ada = await later(app, ada, 12 * HOUR);
    const { uploads } = await listOpen(app, ada);
    assert.deepEqual(uploads.map((one: Json) => one.upload_id), [upload_id]);
    await putBytes(app, ada, upload_id, bytes);
    assert.deepEqual(await listOpen(app, ada), { uploads: [] });
  });
});

Deno.test("more open sessions than one step reads", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (let n = 0; n < 205; n++) {
      const fileId = uuidOf(`file ${n}`);
      await createUpload(app, ada, ciphertext("x", 10), { fileId });
    }
    const first = await listOpen(app, ada);
    assert.equal(first.uploads.length, 200);
    const next = await listOpen(app, ada, `?after=${first.next_after}`);
    assert.equal(next.uploads.length, 5);
    assert.equal(next.next_after, undefined);
    assert.equal((await listOpen(app, ada, "?limit=5000")).uploads.length, 205);
    for (const query of ["?limit=0", "?after=x", "?after=1"]) {
      const response = await app.send("GET", `/v1/upload${query}`, ada);
      await expectProblem(response, "error.request.malformed");
    }
  });
});
