/**
 * What guests do under an upload link: sessions, bytes, finalizing
 * (protocol/links.md#guests). What limits them is in `guest_limits_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readReceipt } from "../../src/crypto/receipt.ts";
import { fromBase64, toBase64 } from "../../src/core/bytes.ts";
import { START_MS } from "../support/app.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  after,
  asGuest,
  createGuestUpload,
  finalizeGuest,
  GUEST_BYTES as BYTES,
  guestOffset,
  guestRequest,
  issueLink,
  listLinks,
  patchGuest,
  postUpload,
  putGuest,
  sessionPath,
  usageOf,
  viewLink,
  withGuest,
} from "../support/guests.ts";
import {
  ciphertext,
  hashOf,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { broken, refreshed, withFaultlessApp } from "../support/api.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

Deno.test("a create answers 201 with a Location and a session of no asset", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    const response = await postUpload(app, link, BYTES);
    const location = response.headers.get("location");
    const { upload_id, ...upload } = await expectJson(response, 201);
    assert.equal(location, `/u/${link}/uploads/${upload_id}`);
    assert.deepEqual(upload, {
      state: "open",
      asset_id: null,
      blob_role: "original",
      ciphertext_hash: hashOf(BYTES),
      offset: 0,
      size: 1_000,
      expires_at: after(DAY),
    });
    const read = await asGuest(app, "GET", sessionPath(link, upload_id));
    assert.deepEqual(await expectJson(read, 200), { upload_id, ...upload });
  });
});

Deno.test("the shape of a create is checked", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    const refused: [string, Json[]][] = [
      ["ciphertext_hash", [1, null, "", hashOf("x").toUpperCase(), "\ud800"]],
      ["size", [0, -1, 1.5, "10", null, 2 ** 53, 1e300, true, []]],
      [
        "sealed_metadata",
        [
          1,
          null,
          "",
          "AAA",
          "_-__",
          "\udc00",
          toBase64(new Uint8Array(16_385)),
        ],
      ],
      ["note", ["unknown", null]],
      ["asset_id", [uuidOf("mine")]],
    ];
    for (const [key, values] of refused) {
      for (const value of values) {
        const refusal = await expectProblem(
          await postUpload(app, link, BYTES, { [key]: value }),
          "error.request.invalid",
        );
        const paths = refusal.errors.map((one: Json) => one.path);
        assert.deepEqual(paths, [`/${key}`], String(value));
      }
    }
    await createGuestUpload(app, link, BYTES, {
      sealed_metadata: toBase64(new Uint8Array(16_384)),
    });
    assert.equal((await viewLink(app, link)).files_left, 99);
  });
});

Deno.test("bytes follow tus: offsets, expiry, HEAD and what a broken connection left", async () => {
  await withGuest(async ({ app, link, id }) => {
    app.clock.advance(MINUTE);
    const patched = await patchGuest(app, link, id, 0, BYTES.slice(0, 300));
    assert.equal(patched.headers.get("upload-offset"), "300");
    assert.equal(patched.headers.get("tus-resumable"), "1.0.0");
    const expires = patched.headers.get("upload-expires") ?? "";
    assert.equal(Date.parse(expires), START_MS + DAY + MINUTE);
    await expectEmpty(patched, 204);
    const head = await asGuest(app, "HEAD", sessionPath(link, id));
    assert.equal(head.headers.get("upload-offset"), "300");
    assert.equal(head.headers.get("upload-length"), "1000");
    assert.equal(head.headers.get("cache-control"), "no-store");
    await expectEmpty(head, 200);
    const conflict = await expectProblem(
      await patchGuest(app, link, id, 0, BYTES),
      "error.upload.offset_conflict",
    );
    assert.equal(conflict.offset, 300);
    const torn = await patchGuest(
      app,
      link,
      id,
      300,
      broken(BYTES.slice(300, 500)),
    );
    await expectProblem(torn, "error.request.malformed");
    assert.equal(await guestOffset(app, link, id), 500);
    const long = await patchGuest(app, link, id, 500, ciphertext("over", 501));
    await expectEmpty(long, 413);
    const again = await app.reopen();
    assert.equal(await guestOffset(again, link, id), 500);
    await expectProblem(
      await finalizeGuest(again, link, id),
      "error.upload.incomplete",
    );
    await expectEmpty(
      await patchGuest(again, link, id, 500, BYTES.slice(500)),
      204,
    );
    await expectJson(await finalizeGuest(again, link, id), 200);
  });
});

Deno.test("Upload-Checksum is verified, and a wrong one is 460", async () => {
  await withGuest(async ({ app, link, id }) => {
    const checksum = (bytes: Uint8Array) => ({
      "Upload-Checksum": `sha1 ${
        createHash("sha1").update(bytes).digest("base64")
      }`,
    });
    await expectProblem(
      await patchGuest(app, link, id, 0, BYTES, checksum(BYTES.slice(1))),
      "error.upload.checksum_mismatch",
    );
    assert.equal(await guestOffset(app, link, id), 0);
    await expectEmpty(
      await patchGuest(app, link, id, 0, BYTES, checksum(BYTES)),
      204,
    );
  });
});

Deno.test("a newer PATCH pre-empts one that hangs", async () => {
  await withGuest(async ({ app, link, id }) => {
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    const pieces = [BYTES.slice(0, 100)];
    const hanging = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const piece = pieces.shift();
        // Whoever asks for more has taken what there was.
        if (piece === undefined) resolve();
        else controller.enqueue(piece);
      },
    }, { highWaterMark: 0 });
    const first = patchGuest(app, link, id, 0, hanging);
    await taken;
    const offset = await guestOffset(app, link, id);
    assert.equal(offset, 100);
    const rest = await patchGuest(app, link, id, offset, BYTES.slice(offset));
    await expectEmpty(rest, 204);
    await expectProblem(await first, "error.upload.offset_conflict");
    await expectJson(await finalizeGuest(app, link, id), 200);
  });
});

Deno.test("PUT carries the whole blob and finalizes it", async () => {
  await withGuest(async ({ app, link, id }) => {
    await expectProblem(
      await putGuest(app, link, id, BYTES.slice(1)),
      "error.upload.incomplete",
    );
    await expectEmpty(
      await putGuest(app, link, id, new Uint8Array(1_001)),
      413,
    );
    const wrong = await putGuest(app, link, id, BYTES.toReversed());
    await expectProblem(wrong, "error.upload.hash_mismatch");
    assert.equal(await guestOffset(app, link, id), 0);
    const { receipt, ...answer } = await expectJson(
      await putGuest(app, link, id, BYTES),
      200,
    );
    assert.deepEqual(answer, {
      upload_id: id,
      asset_id: null,
      blob_role: "original",
      ciphertext_hash: hashOf(BYTES),
      size: 1_000,
      replayed: false,
    });
    assert.equal(receipt.blob_role, "original");
    const bytes = fromBase64(receipt.receipt_cbor);
    assert(bytes !== undefined);
    const payload = readReceipt(bytes);
    assert.equal(payload.asset_id, null);
    assert.equal(payload.upload_id, id);
    assert.equal(payload.envelope_hash, null);
  });
});

Deno.test("on a finalized session PUT and finalize replay, PATCH and DELETE are 409", async () => {
  await withGuest(async ({ app, link, id }) => {
    await expectEmpty(await patchGuest(app, link, id, 0, BYTES), 204);
    const answers = await Promise.all(
      [1, 2, 3].map(async () =>
        await expectJson(await finalizeGuest(app, link, id), 200)
      ),
    );
    const [first] = answers.filter(({ replayed }) => !replayed);
    const replay = { ...first, replayed: true };
    assert.equal(answers.filter(({ replayed }) => replayed).length, 2);
    // As after a crash that took the answer away.
    const again = await app.reopen();
    for (
      const repeated of [
        await finalizeGuest(again, link, id),
        await putGuest(again, link, id, BYTES),
      ]
    ) assert.deepEqual(await expectJson(repeated, 200), replay);
    await expectProblem(
      await patchGuest(again, link, id, 1_000, new Uint8Array(1)),
      "error.upload.offset_conflict",
    );
    await expectProblem(
      await asGuest(again, "DELETE", sessionPath(link, id)),
      "error.upload.finalized",
    );
    const read = await asGuest(again, "GET", sessionPath(link, id));
    const upload = await expectJson(read, 200);
    assert.equal(upload.state, "finalized");
    assert.deepEqual(upload.receipt, first.receipt);
    const receipts = await again.app.db.selectFrom("receipt").selectAll()
      .execute();
    assert.equal(receipts.length, 1);
  });
});

Deno.test("a cancelled or expired session gives back what it took", async () => {
  await withGuest(async ({ app, owner, link, id }) => {
    assert.equal((await viewLink(app, link)).max_bytes_left, 999_000);
    await expectEmpty(await patchGuest(app, link, id, 0, BYTES), 204);
    const cancelled = await asGuest(app, "DELETE", sessionPath(link, id));
    await expectEmpty(cancelled, 204);
    const whole = await viewLink(app, link);
    assert.equal(whole.max_bytes_left, 1_000_000);
    assert.equal(whole.files_left, 100);
    const empty = { used_bytes: 0, reserved_bytes: 0, open_uploads: 0 };
    assert.deepEqual(await usageOf(app, owner), empty);
    const { upload_id } = await createGuestUpload(app, link, BYTES);
    await expectEmpty(
      await patchGuest(app, link, upload_id, 0, BYTES.slice(0, 9)),
      204,
    );
    app.clock.advance(DAY);
    await expectProblem(
      await patchGuest(app, link, upload_id, 9, BYTES.slice(9)),
      "error.upload_link.not_found",
    );
    // No answer depends on the purge having run.
    const now = await refreshed(app, owner);
    for (const purge of [() => Promise.resolve(), app.purge]) {
      await purge();
      assert.deepEqual(await viewLink(app, link), whole);
      assert.equal((await listLinks(app, now))[0].files_used, 0);
    }
    assert.deepEqual(await usageOf(app, owner), empty);
    const files = await Array.fromAsync(Deno.readDir(`${app.dataDir}/uploads`));
    assert.deepEqual(files, []);
  });
});

Deno.test("a session expires with its link at the latest", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link", { expires_at: after(HOUR) });
    const upload = await createGuestUpload(app, link, BYTES);
    assert.equal(upload.expires_at, after(HOUR));
    const patched = await patchGuest(app, link, upload.upload_id, 0, BYTES);
    assert.equal(
      Date.parse(patched.headers.get("upload-expires") ?? ""),
      START_MS + HOUR,
    );
    await expectEmpty(patched, 204);
    app.clock.advance(HOUR);
    await expectProblem(
      await finalizeGuest(app, link, upload.upload_id),
      "error.upload_link.not_found",
    );
  });
});

Deno.test("a malformed opaque_id or session id is 400", async () => {
  await withGuest(async ({ app, link, id }) => {
    const bad = [link.toUpperCase(), link.slice(1), "%ff", "%00", "x"];
    for (const opaque of bad) {
      for (
        const answer of [
          await asGuest(app, "GET", opaque),
          await asGuest(app, "GET", `${opaque}/wrapped-secret`),
          await asGuest(app, "GET", sessionPath(opaque, id)),
          await asGuest(app, "POST", `${opaque}/uploads`, {
            json: guestRequest(BYTES),
          }),
        ]
      ) await expectProblem(answer, "error.request.malformed");
    }
    await expectProblem(
      await asGuest(app, "GET", sessionPath(link, "x")),
      "error.request.malformed",
    );
  });
});

Deno.test("handshake headers are neither asked for nor looked at", async () => {
  await withGuest(async ({ app, link, id }) => {
    for (const headers of [{}, { "X-Service-Crypto-Suite": "nonsense" }]) {
      const sent = { protocol: "never", headers };
      await expectJson(await asGuest(app, "GET", link, sent), 200);
      const read = await asGuest(app, "GET", sessionPath(link, id), sent);
      await expectJson(read, 200);
    }
  });
});
