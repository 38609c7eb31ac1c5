/**
 * `Upload-Checksum` of tus, as protocol/uploads.md#bytes has it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { patchBytes, putBytes } from "../support/people.ts";
import { broken, pieces } from "../support/api.ts";
import { BYTES, finalize, offsetOf, withUpload } from "../support/uploads.ts";

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
      await finalize(app, ada, id),
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
