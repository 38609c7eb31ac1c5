/**
 * How upload links end: expiry, revocation and suspension
 * (protocol/links.md#upload-links).
 *
 * @module
 */
import assert from "node:assert/strict";
import { hangingBody } from "../support/uploads.ts";
import { expectEmpty, expectProblem } from "../support/expect.ts";
import {
  after,
  asGuest,
  contribute,
  createGuestUpload,
  issueLink,
  linkRequest,
  listContributions,
  listLinks,
  patchGuest,
  postLink,
  putGuest,
  revokeLink,
  usageOf,
  viewLink,
} from "../support/guests.ts";
import { ciphertext, registerWriter } from "../support/people.ts";
import {
  opaqueId,
  refreshed,
  suspend,
  withFaultlessApp,
} from "../support/api.ts";

const DAY = 24 * 3_600_000;

const BYTES = ciphertext("contribution", 100);

Deno.test("a link is live until expires_at is reached", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link", { expires_at: after(DAY) });
    app.clock.advance(DAY - 1);
    await viewLink(app, link);
    app.clock.advance(1);
    await expectProblem(
      await asGuest(app, "GET", link),
      "error.upload_link.not_found",
    );
    const now = await refreshed(app, ada);
    assert.equal((await listLinks(app, now))[0].expires_at, after(DAY));
  });
});

Deno.test("revoking answers 204 always, and revokes the caller's own alone", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const link = await issueLink(app, ada, "link", { wrapped_secret: "AAAA" });
    await expectEmpty(await revokeLink(app, bob, link), 204);
    await expectEmpty(await revokeLink(app, ada, opaqueId("unknown")), 204);
    await viewLink(app, link);
    for (const _ of [1, 2]) {
      await expectEmpty(await revokeLink(app, ada, link), 204);
    }
    await expectProblem(
      await asGuest(app, "GET", link),
      "error.upload_link.not_found",
    );
    assert.deepEqual(await listLinks(app, ada), []);
    await expectProblem(
      await revokeLink(app, ada, "not-an-id"),
      "error.request.malformed",
    );
  });
});

Deno.test("revoking ends open sessions with their bytes and room, and keeps contributions", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    const { upload_id: kept } = await contribute(app, link, BYTES);
    const bytes = ciphertext("open", 50);
    const { upload_id } = await createGuestUpload(app, link, bytes);
    await expectEmpty(
      await patchGuest(app, link, upload_id, 0, bytes.slice(0, 20)),
      204,
    );
    app.clock.advance(5_000);
    await expectEmpty(await revokeLink(app, ada, link), 204);
    await expectProblem(
      await putGuest(app, link, upload_id, bytes),
      "error.upload_link.not_found",
    );
    assert.deepEqual(await usageOf(app, ada), {
      used_bytes: 100,
      reserved_bytes: 0,
      open_uploads: 0,
    });
    const files = await Array.fromAsync(Deno.readDir(`${app.dataDir}/uploads`));
    assert.deepEqual(files, []);
    const [left] = await listContributions(app, ada, link);
    assert.equal(left.upload_id, kept);
    // It is listed while it holds something, as of when it was revoked.
    const [listed] = await listLinks(app, ada);
    assert.equal(listed.opaque_id, link);
    assert.equal(listed.expires_at, after(5_000));
    assert.equal(listed.files_used, 1);
  });
});

Deno.test("revoking stops a request that is still writing", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    const { upload_id } = await createGuestUpload(app, link, BYTES);
    const { body, taken } = hangingBody(BYTES.slice(0, 40));
    const first = patchGuest(app, link, upload_id, 0, body);
    await taken;
    await expectEmpty(await revokeLink(app, ada, link), 204);
    await expectProblem(await first, "error.upload.offset_conflict");
    const files = await Array.fromAsync(Deno.readDir(`${app.dataDir}/uploads`));
    assert.deepEqual(files, []);
  });
});

Deno.test("a suspended owner's link is dead, and may be revoked", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    await contribute(app, link, BYTES);
    await suspend(app, ada);
    await expectProblem(
      await asGuest(app, "GET", link),
      "error.upload_link.not_found",
    );
    assert.equal((await listContributions(app, ada, link)).length, 1);
    await expectEmpty(await revokeLink(app, ada, link), 204);
  });
});

Deno.test("links and revocations outlive a restart", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const live = await issueLink(app, ada, "live");
    const dead = await issueLink(app, ada, "dead");
    await expectEmpty(await revokeLink(app, ada, dead), 204);
    const again = await app.reopen();
    await viewLink(again, live);
    await expectProblem(
      await asGuest(again, "GET", dead),
      "error.upload_link.not_found",
    );
    await expectProblem(
      await postLink(again, ada, linkRequest("dead")),
      "error.upload_link.opaque_id_unavailable",
    );
  });
});
