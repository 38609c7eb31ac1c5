/**
 * How many share links, upload links and guests' files an account may have
 * (protocol/limits.md#rows).
 *
 * @module
 */
import assert from "node:assert/strict";
import { START_MS, type TestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { linkRequest, postUpload } from "../support/guests.ts";
import {
  ciphertext,
  hashOf,
  type Person,
  registerWriter,
} from "../support/people.ts";
import {
  numbered,
  numberedUuid,
  readNumber,
  writeRows,
} from "../support/rows.ts";
import { issueShare, opaqueId, withAda } from "../support/api.ts";
import { expectLimit, HASH, share } from "../support/row_limits.ts";

/** Share links of an account: live ones, or revoked. */
function addShares(
  app: TestApp,
  { userId }: Person,
  count: number,
  { revokedAt = "null", serves = 1 } = {},
): void {
  writeRows(
    app,
    `${numbered(count)} insert into share (opaque_id, issuer_id,
      metadata_hash, created_at, revoked_at, request_hash, serves_count)
      select printf('%032x', n), '${userId}', '${HASH}', 0, ${revokedAt}, '',
        ${serves} from numbers`,
  );
}

Deno.test("an account has 10,000 share links, and another as soon as it revokes one", async () => {
  await withAda(async (app, ada) => {
    const kept = await issueShare(app, ada, "kept", [HASH]);
    addShares(app, ada, 9_999);
    await expectLimit(await share(app, ada, "more"), 10_000);
    // What is there already is said again, and others issue theirs.
    await expectJson(await share(app, ada, "kept"), 201);
    const bob = await registerWriter(app, "bob");
    await expectJson(await share(app, bob, "bob's"), 201);
    await expectEmpty(
      await app.send("DELETE", `/v1/shares/${kept}`, { token: ada.token }),
      204,
    );
    await expectJson(await share(app, ada, "more"), 201);
  });
});

Deno.test("the links of an account serve a million hashes at most, made up or not", async () => {
  await withAda(async (app, ada) => {
    addShares(app, ada, 1, { serves: 999_998 });
    const three = ["x", "y", "z"].map(hashOf);
    await expectLimit(await share(app, ada, "three", three), 1_000_000);
    assert.equal(readNumber(app, "select count(*) from share_blob"), 0);
    await expectJson(await share(app, ada, "two", three.slice(1)), 201);
  });
});

Deno.test("links that are issued and revoked again and again come to an end", async () => {
  await withAda(async (app, ada) => {
    addShares(app, ada, 100_000, { revokedAt: "0" });
    await expectLimit(await share(app, ada, "again"), 100_000);
  });
});

Deno.test("an account has 1,000 upload links, of which revoked ones keep no key", async () => {
  await withAda(async (app, ada) => {
    const post = (word: string) =>
      app.send("POST", "/v1/upload-links", {
        token: ada.token,
        json: linkRequest(word),
      });
    await expectJson(await post("kept"), 201);
    const add = (count: number, from: number, revokedAt: string) =>
      writeRows(
        app,
        `${numbered(count)} insert into upload_link (opaque_id, owner_id,
          recipient_key, max_bytes, max_files, expires_at, created_at,
          revoked_at, request_hash)
          select printf('%032x', n + ${from}), '${ada.userId}', x'00', 1, 1,
            ${START_MS}, 0, ${revokedAt}, '' from numbers`,
      );
    add(999, 0, "null");
    await expectLimit(await post("more"), 1_000);
    await expectEmpty(
      await app.send("DELETE", `/v1/upload-links/${opaqueId("kept")}`, {
        token: ada.token,
      }),
      204,
    );
    const keys = "select max(length(recipient_key)) from upload_link" +
      " where revoked_at is not null";
    assert.equal(readNumber(app, keys), 0);
    await expectJson(await post("more"), 201);
    writeRows(app, "update upload_link set revoked_at = 0");
    add(20_000, 10_000, "0");
    await expectLimit(await post("yet more"), 20_000);
  });
});

Deno.test("guests bring an account 10,000 files that wait to be adopted", async () => {
  await withAda(async (app, ada) => {
    const json = linkRequest("in");
    const issued = await app.send("POST", "/v1/upload-links", {
      token: ada.token,
      json,
    });
    const { opaque_id } = await expectJson(issued, 201);
    writeRows(
      app,
      `${numbered(9_999)} insert into guest_upload (upload_id, opaque_id,
        owner_id, ciphertext_hash, size, sealed_metadata, state, created_at,
        expires_at, received_at)
        select ${numberedUuid("0b0b0b0b")}, '${opaque_id}', '${ada.userId}',
          '${HASH}', 1, x'00', 'finalized', 0, ${START_MS * 2}, 0
        from numbers`,
    );
    const last = await postUpload(app, opaque_id, ciphertext("last", 9));
    await expectJson(last, 201);
    await expectProblem(
      await postUpload(app, opaque_id, ciphertext("one more", 9)),
      "error.upload_link.exhausted",
    );
  });
});
