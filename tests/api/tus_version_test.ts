/**
 * Versions of tus (tus 1.0.0, Tus-Resumable and Tus-Version).
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectProblem } from "../support/expect.ts";
import { offsetOf, withUpload } from "../support/uploads.ts";

const METHODS = ["HEAD", "GET", "PATCH", "PUT", "DELETE"];

Deno.test("another version of tus is 412 with the versions that are spoken, and does nothing", async () => {
  await withUpload(async (app, ada, id) => {
    for (const token of [ada.token, "nobody"]) {
      for (
        const path of [`/v1/upload/${id}`, `/u/${"a".repeat(32)}/uploads/${id}`]
      ) {
        for (const method of METHODS) {
          const response = await app.send(method, path, {
            token,
            headers: { "Tus-Resumable": "0.2.2" },
          });
          assert.equal(response.status, 412, `${method} ${path}`);
          assert.equal(response.headers.get("tus-version"), "1.0.0");
          assert.equal(response.headers.get("tus-resumable"), "1.0.0");
          if (method === "HEAD") continue;
          await expectProblem(response, "error.upload.tus_unsupported");
        }
      }
    }
    assert.equal(await offsetOf(app, ada, id), 0);
  });
});

Deno.test("a client that names no version, or the supported one, is served", async () => {
  await withUpload(async (app, ada, id) => {
    for (const headers of [{}, { "Tus-Resumable": "1.0.0" }]) {
      const response = await app.send("HEAD", `/v1/upload/${id}`, {
        token: ada.token,
        headers,
      });
      assert.equal(response.status, 200);
    }
  });
});

Deno.test("errors of the data plane carry Tus-Resumable", async () => {
  await withUpload(async (app, ada, id) => {
    const tus = { "Content-Type": "application/offset+octet-stream" };
    const answers = [
      await app.send("PATCH", `/v1/upload/${id}`, {
        token: ada.token,
        headers: { ...tus, "Upload-Offset": "7" },
        body: "x",
      }),
      await app.send("PATCH", `/v1/upload/${id}`, { headers: tus }),
      await app.send("HEAD", `/v1/upload/${ada.userId}`, { token: ada.token }),
      await app.send("PATCH", `/u/${"a".repeat(32)}/uploads/${id}`, {
        headers: { ...tus, "Upload-Offset": "0" },
        body: "x",
      }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [409, 401, 404, 404],
    );
    for (const { headers, body } of answers) {
      assert.equal(headers.get("tus-resumable"), "1.0.0");
      await body?.cancel();
    }
  });
});
