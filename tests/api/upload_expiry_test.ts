/**
 * Upload sessions over time: expiry, restart, suspension.
 *
 * @module
 */
import assert from "node:assert/strict";
import { START_MS, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import {
  createUpload,
  patchBytes,
  putBytes,
  registerWriter,
} from "../support/people.ts";
import { refreshed, suspend } from "../support/api.ts";
import {
  BYTES,
  finalize,
  headUpload,
  offsetOf,
  withUpload,
} from "../support/uploads.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

Deno.test("a session expires 24 hours after its last byte", async () => {
  await withUpload(async (app, ada, id) => {
    const expiry = async (token: string) => {
      const response = await app.send("GET", `/v1/upload/${id}`, { token });
      return Date.parse((await expectJson(response, 200)).expires_at);
    };
    assert.equal(await expiry(ada.token), START_MS + 24 * HOUR);
    app.clock.advance(24 * HOUR - 1_000);
    let now = await refreshed(app, ada);
    const answer = await patchBytes(app, now, id, 0, BYTES.slice(0, 10));
    assert.equal(
      Date.parse(answer.headers.get("upload-expires") ?? ""),
      START_MS + 48 * HOUR - 1_000,
    );
    await expectEmpty(answer, 204);
    assert.equal(await expiry(now.token), START_MS + 48 * HOUR - 1_000);
    // Reading is not a byte.
    app.clock.advance(24 * HOUR - 1_000);
    now = await refreshed(app, ada);
    assert.equal(await offsetOf(app, now, id), 10);
    app.clock.advance(1_000);
    await expectEmpty(await headUpload(app, now, id), 404);
    await expectProblem(
      await patchBytes(app, now, id, 10, BYTES.slice(10)),
      "error.upload.not_found",
    );
    // The same create opens another session, from the first byte.
    const again = await createUpload(app, now, BYTES);
    assert.notEqual(again.upload_id, id);
    assert.equal(again.offset, 0);
  });
});

Deno.test("a request that takes longer than the expiry keeps its session alive with every byte", async () => {
  await withUpload(async (app, ada, id) => {
    const third = Math.ceil(BYTES.length / 3);
    let sent = 0;
    // A byte comes every 20 hours; the purge runs in between.
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        // Whoever asks for more has taken what came before.
        if (sent > 0) {
          app.clock.advance(20 * HOUR);
          await app.purge();
        }
        if (sent >= BYTES.length) return controller.close();
        controller.enqueue(BYTES.slice(sent, sent + third));
        sent += third;
      },
    }, { highWaterMark: 0 });
    await expectEmpty(await patchBytes(app, ada, id, 0, slow), 204);
    const now = await refreshed(app, ada);
    await expectJson(await finalize(app, now, id), 200);
  });
});

Deno.test("the expiry is a setting", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const upload = await createUpload(app, ada, BYTES);
    assert.equal(Date.parse(upload.expires_at), START_MS + 2 * HOUR);
  }, { settings: { STRONGROOM_UPLOAD_TTL_HOURS: "2" } });
});

Deno.test("an upload is resumed after a restart", async () => {
  await withUpload(async (app, ada, id) => {
    await expectEmpty(
      await patchBytes(app, ada, id, 0, BYTES.slice(0, 600)),
      204,
    );
    const again = await app.reopen();
    assert.equal(await offsetOf(again, ada, id), 600);
    await expectEmpty(
      await patchBytes(again, ada, id, 600, BYTES.slice(600)),
      204,
    );
    await expectJson(
      await finalize(again, ada, id),
      200,
    );
  });
});

Deno.test("a suspended account sends no bytes, and may cancel", async () => {
  await withUpload(async (app, ada, id) => {
    await suspend(app, ada);
    const finalize = `/v1/upload/${id}/finalize`;
    for (
      const response of [
        await patchBytes(app, ada, id, 0, BYTES),
        await putBytes(app, ada, id, BYTES),
        await app.send("POST", finalize, { token: ada.token }),
      ]
    ) await expectProblem(response, "error.account.suspended");
    assert.equal(await offsetOf(app, ada, id), 0);
    await expectEmpty(
      await app.send("DELETE", `/v1/upload/${id}`, { token: ada.token }),
      204,
    );
  });
});
