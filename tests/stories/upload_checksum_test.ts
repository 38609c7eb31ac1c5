/**
 * `Upload-Checksum` of tus, as completions.md section 6 has it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import {
  ciphertext,
  createUpload,
  patchBytes,
  type Person,
  putBytes,
  registerWriter,
} from "../support/people.ts";
import { broken, pieces } from "../support/stories.ts";

const BYTES = ciphertext("data plane", 1_000);

/** Runs a test over one open session for a thousand bytes. */
async function withUpload(
  test: (app: TestApp, ada: Person, id: string) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await test(app, ada, (await createUpload(app, ada, BYTES)).upload_id);
  });
}

function head(app: TestApp, ada: Person, id: string): Promise<Response> {
  return app.send("HEAD", `/v1/upload/${id}`, { token: ada.token });
}

async function offsetOf(
  app: TestApp,
  ada: Person,
  id: string,
): Promise<number> {
  const response = await head(app, ada, id);
  await expectEmpty(response, 200);
  return Number(response.headers.get("upload-offset"));
}

function checksum(algorithm: "sha1" | "sha256", bytes: Uint8Array) {
  const digest = createHash(algorithm).update(bytes).digest("base64");
  return { "Upload-Checksum": `${algorithm} ${digest}` };
}

Deno.test("under Upload-Checksum the bytes are verified", async () => {
  await withUpload(async (app, ada, id) => {
    const first = BYTES.slice(0, 300);
    const second = BYTES.slice(300);
    await expectEmpty(
      await patchBytes(app, ada, id, 0, first, checksum("sha1", first)),
      204,
    );
    for (const algorithm of ["sha1", "sha256"] as const) {
      await expectProblem(
        await patchBytes(app, ada, id, 300, second, checksum(algorithm, first)),
        "error.upload.checksum_mismatch",
      );
      assert.equal(await offsetOf(app, ada, id), 300);
    }
    const body = pieces(second.slice(0, 7), second.slice(7));
    await expectEmpty(
      await patchBytes(app, ada, id, 300, body, checksum("sha256", second)),
      204,
    );
    assert.equal(await offsetOf(app, ada, id), 1_000);
    await expectJson(
      await app.send("POST", `/v1/upload/${id}/finalize`, { token: ada.token }),
      200,
    );
  });
});

Deno.test("under a checksum nothing is kept before it is verified", async () => {
  await withUpload(async (app, ada, id) => {
    const body = broken(BYTES.slice(0, 500));
    const response = await patchBytes(
      app,
      ada,
      id,
      0,
      body,
      checksum("sha256", BYTES),
    );
    await response.body?.cancel();
    assert.notEqual(response.status, 204);
    assert.equal(await offsetOf(app, ada, id), 0);
    const again = await app.reopen();
    assert.equal(await offsetOf(again, ada, id), 0);
    await expectJson(await putBytes(again, ada, id, BYTES), 200);
  });
});

Deno.test("an Upload-Checksum that cannot be read is 400", async () => {
  await withUpload(async (app, ada, id) => {
    const digest = createHash("sha256").update(BYTES).digest();
    for (
      const text of [
        "",
        "sha256",
        "sha256 ",
        "sha256 !!!",
        `sha256 ${digest.toString("hex")}`,
        `sha512 ${digest.toString("base64")}`,
        `md5 ${digest.toString("base64")}`,
        digest.toString("base64"),
      ]
    ) {
      await expectProblem(
        await patchBytes(app, ada, id, 0, BYTES, { "Upload-Checksum": text }),
        "error.request.malformed",
      );
    }
    assert.equal(await offsetOf(app, ada, id), 0);
  });
});
