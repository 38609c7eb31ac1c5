/**
 * What limits guests: the link's own use, the owner's room, the server's limits
 * and the budgets (protocol/links.md#guests).
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectEmpty, expectProblem } from "../support/expect.ts";
import {
  asGuest,
  contribute,
  createGuestUpload,
  finalizeGuest,
  GUEST_BYTES as BYTES,
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
  createUpload,
  registerWriter,
  uploadRequest,
} from "../support/people.ts";
import {
  expectNoErrors,
  opaqueId,
  refreshed,
  withFaultlessApp,
} from "../support/api.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

Deno.test("a link that is used up answers 422, open sessions counted", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link", {
      max_bytes: 1_500,
      max_files: 3,
    });
    await createGuestUpload(app, link, BYTES);
    await expectProblem(
      await postUpload(app, link, ciphertext("more", 501)),
      "error.upload_link.exhausted",
    );
    await expectProblem(
      await postUpload(app, link, BYTES, { size: 2 ** 33 }),
      "error.upload_link.exhausted",
    );
    await contribute(app, link, ciphertext("fits", 499));
    await createGuestUpload(app, link, ciphertext("last", 1));
    await expectProblem(
      await postUpload(app, link, ciphertext("last", 1)),
      "error.upload_link.exhausted",
    );
    const { max_bytes_left, files_left } = await viewLink(app, link);
    assert.deepEqual([max_bytes_left, files_left], [0, 0]);
  });
});

Deno.test("of 20 creates at once on a link of 5 files exactly 5 are let in", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link", { max_files: 5 });
    const answers = await Promise.all(
      Array.from(
        { length: 20 },
        (_, n) => postUpload(app, link, ciphertext(`file ${n}`, 10)),
      ),
    );
    const created = answers.filter(({ status }) => status === 201);
    assert.equal(created.length, 5);
    for (const answer of answers) {
      if (answer.status === 201) await answer.body?.cancel();
      else await expectProblem(answer, "error.upload_link.exhausted");
    }
    assert.equal((await listLinks(app, ada))[0].files_used, 5);
    assert.equal((await usageOf(app, ada)).reserved_bytes, 50);
  });
});

Deno.test("the owner's quota applies, for guests and against the owner", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    await contribute(app, link, ciphertext("first", 600));
    await expectProblem(
      await postUpload(app, link, ciphertext("second", 401)),
      "error.storage.quota_exceeded",
    );
    // What was refused took nothing of the link.
    assert.equal((await viewLink(app, link)).files_left, 99);
    await createGuestUpload(app, link, ciphertext("third", 400));
    const own = await app.send("POST", "/v1/upload", {
      token: ada.token,
      json: uploadRequest(ada, ciphertext("own", 1)),
    });
    await expectProblem(own, "error.storage.quota_exceeded");
    // Nor does a guest's session that has expired stand in the owner's way.
    app.clock.advance(DAY);
    const now = await refreshed(app, ada);
    await createUpload(app, now, ciphertext("own", 400));
    expectNoErrors(app);
  }, { settings: { STRONGROOM_ACCOUNT_QUOTA_BYTES: "1000" } });
});

Deno.test("guests do not use up the sessions that the owner may have open", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    for (const name of ["one", "two"]) {
      await createGuestUpload(app, link, ciphertext(name, 10));
    }
    await createUpload(app, ada, BYTES);
    await createGuestUpload(app, link, ciphertext("three", 10));
  }, { settings: { STRONGROOM_LIMIT_OPEN_UPLOADS: "1" } });
});

Deno.test("a blob above the maximum size is 413, and too little disk 500", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    await createGuestUpload(app, link, ciphertext("fits", 100));
    for (const size of [101, Number.MAX_SAFE_INTEGER]) {
      await expectEmpty(await postUpload(app, link, BYTES, { size }), 413);
    }
  }, { settings: { STRONGROOM_MAX_BLOB_BYTES: "100" } });
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    await expectProblem(
      await postUpload(app, link, BYTES),
      "error.storage.full",
    );
  }, {
    settings: {
      STRONGROOM_RESERVED_DISK_BYTES: "4096TiB",
    },
  });
});

Deno.test("300 creates a minute, per link and client address, unknown ids too", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link", { max_files: 1_000 });
    const other = await issueLink(app, ada, "other");
    for (const [id, status] of [[link, 201], [opaqueId("no"), 404]] as const) {
      const create = (from?: string) => postUpload(app, id, BYTES, {}, from);
      for (let count = 0; count < 300; count++) {
        const answer = await create();
        await answer.body?.cancel();
        assert.equal(answer.status, status);
      }
      const refused = await create();
      const seconds = Number(refused.headers.get("retry-after"));
      assert(seconds >= 1 && seconds <= 60, String(seconds));
      await expectProblem(refused, "error.upload_link.rate_limited");
      const elsewhere = await create("192.0.2.2");
      await elsewhere.body?.cancel();
      assert.equal(elsewhere.status, status);
    }
    await createGuestUpload(app, other, BYTES);
    await viewLink(app, link);
    app.clock.advance(MINUTE);
    await createGuestUpload(app, link, BYTES);
  });
});

Deno.test("ids of upload links that answer 404 share a client's budget, and take no room", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    const revoked = await issueLink(app, ada, "revoked");
    const path = `/v1/upload-links/${revoked}`;
    await expectEmpty(
      await app.send("DELETE", path, { token: ada.token }),
      204,
    );
    const { budgets } = app.app;
    const before = budgets.keysOf("guest_create");
    for (const id of [opaqueId("no"), revoked, opaqueId("nor this")]) {
      const answer = await postUpload(app, id, BYTES);
      await expectProblem(answer, "error.upload_link.not_found");
    }
    for (const id of [revoked, opaqueId("a fourth")]) {
      const answer = await postUpload(app, id, BYTES);
      await expectProblem(answer, "error.upload_link.rate_limited");
    }
    await createGuestUpload(app, link, BYTES);
    assert.equal(budgets.keysOf("guest_create"), before + 2);
  }, { settings: { STRONGROOM_LIMIT_GUEST_CREATE: "3" } });
});

Deno.test("6,000 other requests a minute, all together, unknown ids too", async () => {
  await withGuest(async ({ app, link, id }) => {
    for (const opaque of [link, opaqueId("no")]) {
      const path = sessionPath(opaque, id);
      for (let count = 0; count < 6_000; count++) {
        const answer = await asGuest(app, "HEAD", count % 2 ? path : opaque);
        assert.equal(answer.status, opaque === link ? 200 : 404);
      }
      for (
        const refused of [
          await asGuest(app, "GET", opaque),
          await asGuest(app, "GET", `${opaque}/wrapped-secret`),
          await asGuest(app, "GET", path),
          await asGuest(app, "DELETE", path),
          await patchGuest(app, opaque, id, 0, BYTES),
          await putGuest(app, opaque, id, BYTES),
          await finalizeGuest(app, opaque, id),
        ]
      ) {
        assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
        await expectProblem(refused, "error.upload_link.rate_limited");
      }
      const elsewhere = await asGuest(app, "GET", opaque, {
        from: "192.0.2.2",
      });
      await elsewhere.body?.cancel();
      assert.equal(elsewhere.status, opaque === link ? 200 : 404);
    }
    // Creates have a budget of their own, and this one nothing was sent to.
    await createGuestUpload(app, link, BYTES);
    app.clock.advance(MINUTE);
    await viewLink(app, link);
  });
});
