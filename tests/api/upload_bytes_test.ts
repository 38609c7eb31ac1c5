/**
 * The data plane: tus 1.0.0 as protocol/uploads.md#bytes narrows it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import {
  ciphertext,
  createUpload,
  patchBytes,
  registerWriter,
} from "../support/people.ts";
import { broken, expectNoErrors, pieces } from "../support/api.ts";
import {
  BYTES,
  finalize,
  hangingBody,
  headUpload,
  offsetOf,
  withUpload,
} from "../support/uploads.ts";

const MINUTE = 60_000;

/** A promise that must not hang: given up long after any machine has had it. */
async function within<T>(promise: Promise<T>, ms = 120_000): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it hangs")), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

Deno.test("OPTIONS tells what of tus is spoken, without a handshake", async () => {
  await withTestApp(async (app) => {
    const response = await app.send("OPTIONS", "/v1/upload", {
      protocol: null,
    });
    const header = (name: string) => response.headers.get(name);
    assert.equal(header("tus-resumable"), "1.0.0");
    assert.equal(header("tus-version"), "1.0.0");
    assert.equal(header("tus-extension"), "expiration,termination,checksum");
    assert.equal(header("tus-checksum-algorithm"), "sha1,sha256");
    assert.equal(header("tus-max-size"), "5000");
    await expectEmpty(response, 204);
  }, { settings: { STRONGROOM_MAX_BLOB_BYTES: "5000" } });
});

Deno.test("PATCH appends and answers 204 with the offset and the expiry", async () => {
  await withUpload(async (app, ada, id) => {
    const cuts = [0, 1, 400, 400, 999, 1_000];
    for (const [index, from] of cuts.slice(0, -1).entries()) {
      const to = cuts[index + 1] ?? 1_000;
      app.clock.advance(MINUTE);
      const response = await patchBytes(
        app,
        ada,
        id,
        from,
        BYTES.slice(from, to),
      );
      assert.equal(response.headers.get("upload-offset"), String(to));
      assert.equal(response.headers.get("tus-resumable"), "1.0.0");
      assert.match(
        response.headers.get("upload-expires") ?? "",
        /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
      );
      await expectEmpty(response, 204);
      assert.equal(await offsetOf(app, ada, id), to);
    }
    const upload = await expectJson(
      await app.send("GET", `/v1/upload/${id}`, { token: ada.token }),
      200,
    );
    // All bytes are there, and yet nothing is finalized by a PATCH.
    assert.equal(upload.state, "open");
    assert.equal(upload.offset, 1_000);
    assert.equal(upload.receipt ?? null, null);
    const nothing = new Uint8Array();
    await expectEmpty(await patchBytes(app, ada, id, 1_000, nothing), 204);
    const one = new Uint8Array(1);
    await expectEmpty(await patchBytes(app, ada, id, 1_000, one), 413);
  });
});

Deno.test("HEAD gives the offset, the length and no-store", async () => {
  await withUpload(async (app, ada, id) => {
    await expectEmpty(
      await patchBytes(app, ada, id, 0, BYTES.slice(0, 250)),
      204,
    );
    const response = await headUpload(app, ada, id);
    assert.equal(response.headers.get("upload-offset"), "250");
    assert.equal(response.headers.get("upload-length"), "1000");
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(response.headers.get("tus-resumable"), "1.0.0");
    await expectEmpty(response, 200);
  });
});

Deno.test("an Upload-Offset other than the bytes held is 409 with the offset", async () => {
  await withUpload(async (app, ada, id) => {
    await expectEmpty(
      await patchBytes(app, ada, id, 0, BYTES.slice(0, 300)),
      204,
    );
    for (const offset of [0, 299, 301, 1_000, 1_001, 2 ** 40]) {
      const refusal = await expectProblem(
        await patchBytes(app, ada, id, offset, BYTES.slice(0, 10)),
        "error.upload.offset_conflict",
      );
      assert.equal(refusal.offset, 300);
    }
    for (const text of ["", "-1", "1.5", "1e2", "0x10", "abc", "300, 300"]) {
      await expectProblem(
        await patchBytes(app, ada, id, 300, BYTES.slice(0, 10), {
          "Upload-Offset": text,
        }),
        "error.request.malformed",
      );
    }
    await expectProblem(
      await app.send("PATCH", `/v1/upload/${id}`, {
        token: ada.token,
        headers: { "Content-Type": "application/offset+octet-stream" },
        body: BYTES.slice(300),
      }),
      "error.request.malformed",
    );
    assert.equal(await offsetOf(app, ada, id), 300);
  });
});

Deno.test("what arrived before a broken connection is kept", async () => {
  await withUpload(async (app, ada, id) => {
    const body = broken(BYTES.slice(0, 100), BYTES.slice(100, 256));
    const response = await patchBytes(app, ada, id, 0, body);
    await response.body?.cancel();
    assert(response.status < 500, String(response.status));
    assert.equal(await offsetOf(app, ada, id), 256);
    await expectEmpty(
      await patchBytes(app, ada, id, 256, pieces(BYTES.slice(256))),
      204,
    );
    const { upload_id, replayed } = await expectJson(
      await finalize(app, ada, id),
      200,
    );
    assert.equal(upload_id, id);
    assert.equal(replayed, false);
    expectNoErrors(app);
  });
});

Deno.test("every byte that arrived of a large body is kept", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const large = ciphertext("large", 3 * 1024 * 1024);
    const { upload_id } = await createUpload(app, ada, large);
    const cuts = [0, 1, 65_537, 1_048_576, 2_200_000, 2_200_017];
    const chunks = cuts.slice(1).map((to, index) =>
      large.slice(cuts[index], to)
    );
    const response = await patchBytes(
      app,
      ada,
      upload_id,
      0,
      broken(...chunks),
    );
    await response.body?.cancel();
    assert.equal(await offsetOf(app, ada, upload_id), 2_200_017);
    const again = await app.reopen();
    assert.equal(await offsetOf(again, ada, upload_id), 2_200_017);
    const rest = pieces(large.slice(2_200_017));
    await expectEmpty(
      await patchBytes(again, ada, upload_id, 2_200_017, rest),
      204,
    );
    await expectJson(
      await finalize(again, ada, upload_id),
      200,
    );
  });
});

Deno.test("a body longer than what is missing is 413, and nothing of it is kept", async () => {
  await withUpload(async (app, ada, id) => {
    await expectEmpty(
      await patchBytes(app, ada, id, 0, BYTES.slice(0, 300)),
      204,
    );
    const over = ciphertext("over", 701);
    for (
      const body of [over, pieces(over.slice(0, 690), over.slice(690))]
    ) {
      const response = await patchBytes(app, ada, id, 300, body);
      assert.equal(response.headers.get("content-type"), null);
      await expectEmpty(response, 413);
      assert.equal(await offsetOf(app, ada, id), 300);
    }
    const declared = { "Content-Length": "999999999999" };
    await expectEmpty(
      await patchBytes(app, ada, id, 300, over.slice(0, 5), declared),
      413,
    );
    assert.equal(await offsetOf(app, ada, id), 300);
    await expectEmpty(
      await patchBytes(app, ada, id, 300, BYTES.slice(300)),
      204,
    );
    await expectJson(
      await finalize(app, ada, id),
      200,
    );
  });
});

Deno.test("a newer PATCH pre-empts one that hangs", async () => {
  await withUpload(async (app, ada, id) => {
    const { body, taken } = hangingBody(BYTES.slice(0, 100));
    const first = patchBytes(app, ada, id, 0, body);
    await taken;
    let offset = await within(offsetOf(app, ada, id));
    for (let attempt = 0; attempt < 3 && offset < 1_000; attempt++) {
      const response = await within(
        patchBytes(app, ada, id, offset, BYTES.slice(offset)),
      );
      await response.body?.cancel();
      offset = await within(offsetOf(app, ada, id));
    }
    assert.equal(offset, 1_000);
    const overtaken = await within(first);
    await expectProblem(overtaken, "error.upload.offset_conflict");
    await expectJson(
      await finalize(app, ada, id),
      200,
    );
    expectNoErrors(app);
  });
});

Deno.test("cancelling does not wait for a PATCH that hangs", async () => {
  await withUpload(async (app, ada, id) => {
    const { body, taken } = hangingBody(BYTES.slice(0, 100));
    const first = patchBytes(app, ada, id, 0, body);
    await taken;
    await expectEmpty(
      await within(
        app.send("DELETE", `/v1/upload/${id}`, { token: ada.token }),
      ),
      204,
    );
    const overtaken = await within(first);
    await expectProblem(overtaken, "error.upload.offset_conflict");
    await expectEmpty(await headUpload(app, ada, id), 404);
    expectNoErrors(app);
  });
});
