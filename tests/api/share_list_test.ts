/**
 * The list of one's share links (protocol/links.md#share-links).
 *
 * @module
 */
import assert from "node:assert/strict";
import { START_MS } from "../support/app.ts";
import { expectEmpty, expectProblem } from "../support/expect.ts";
import { operate } from "../support/moderation.ts";
import { hashOf, registerPerson, registerWriter } from "../support/people.ts";
import { issueShare, opaqueId, withFaultlessApp } from "../support/api.ts";
import { listOf, withAsset } from "../support/share_list.ts";

const MINUTE = 60_000;

const HASH = hashOf("some blob");

Deno.test("an account without links has an empty list, directory or not", async () => {
  await withFaultlessApp(async (app) => {
    assert.deepEqual(await listOf(app, await registerPerson(app, "ada")), []);
  });
});

Deno.test("a link is listed with all that it was issued with but its secret", async () => {
  await withAsset(async (app, ada, { metadata, original }) => {
    const serves = [hashOf(metadata), hashOf(original)];
    const expires = new Date(START_MS + 5 * MINUTE).toISOString();
    const opaque_id = await issueShare(app, ada, "link", serves, {
      wrapped_secret: "AAAA",
      expires_at: expires,
    });
    assert.deepEqual(await listOf(app, ada), [{
      opaque_id,
      metadata_hash: serves[0],
      serves_count: 2,
      passphrase_protected: true,
      expires_at: expires,
      created_at: new Date(START_MS).toISOString(),
      views: 0,
    }]);
  });
});

Deno.test("expires_at and last_viewed_at are absent if they are not set", async () => {
  await withAsset(async (app, ada, { metadata }) => {
    await issueShare(app, ada, "link", [hashOf(metadata)], {
      expires_at: null,
      wrapped_secret: null,
    });
    const [share] = await listOf(app, ada);
    assert.equal(share.passphrase_protected, false);
    assert.deepEqual(Object.keys(share).toSorted(), [
      "created_at",
      "metadata_hash",
      "opaque_id",
      "passphrase_protected",
      "serves_count",
      "views",
    ]);
  });
});

Deno.test("links are listed newest first, live and expired ones alike", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const words = ["first", "second", "third"];
    for (const word of words) {
      await issueShare(app, ada, word, [HASH], {
        expires_at: new Date(app.clock.now + MINUTE).toISOString(),
      });
      app.clock.advance(1_000);
    }
    const ids = words.toReversed().map(opaqueId);
    for (const wait of [0, 58_000, MINUTE]) {
      app.clock.advance(wait);
      const listed = await listOf(app, ada);
      assert.deepEqual(listed.map((one) => one.opaque_id), ids);
    }
  });
});

Deno.test("a revoked link is gone from the list", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const kept = await issueShare(app, ada, "kept", [HASH]);
    const revoked = await issueShare(app, ada, "revoked", [HASH]);
    await expectEmpty(
      await app.send("DELETE", `/v1/shares/${revoked}`, { token: ada.token }),
      204,
    );
    const listed = await listOf(app, ada);
    assert.deepEqual(listed.map((one) => one.opaque_id), [kept]);
  });
});

Deno.test("the list is the caller's own, and a suspended one reads it too", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    await issueShare(app, ada, "ada's", [HASH]);
    await issueShare(app, bob, "bob's", [HASH]);
    await operate(app, "suspend", ada.userId);
    const listed = await listOf(app, ada);
    assert.deepEqual(listed.map((one) => one.opaque_id), [opaqueId("ada's")]);
    await expectProblem(
      await app.send("GET", "/v1/shares"),
      "error.auth.token_missing",
    );
  });
});

Deno.test("serves_count is what was issued, up to ten thousand, repeated or not", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const serves = Array.from({ length: 10_000 }, (_, n) => hashOf(`${n}`));
    for (let n = 0; n < 2; n++) await issueShare(app, ada, "large", serves);
    const [share, ...others] = await listOf(app, ada);
    assert.equal(share.serves_count, 10_000);
    assert.deepEqual(others, []);
  });
});
