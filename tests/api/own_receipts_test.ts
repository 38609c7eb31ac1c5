/**
 * All receipts of an account (protocol/receipts.md#receipts-of-an-account).
 *
 * @module
 */
import assert from "node:assert/strict";
import { fromBase64 } from "../../src/core/bytes.ts";
import {
  parsePublishedKeys,
  verifyReceiptChain,
} from "../../src/crypto/receipt_chain.ts";
import { provisionAlbum, publishRoster } from "../support/albums.ts";
import type { TestApp } from "../support/app.ts";
import { withSharedAlbum } from "../support/capabilities.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { contribute, issueLink } from "../support/guests.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { suspend, withFaultlessApp } from "../support/api.ts";
import { collect, emptyTrash, trash } from "../support/trash.ts";

async function listOwn(
  app: TestApp,
  { token }: Person,
  query = "",
): Promise<Json> {
  return await expectJson(
    await app.send("GET", `/v1/receipts${query}`, { token }),
    200,
  );
}

Deno.test("receipts come by their numbers, as digests or whole, and no others' among them", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    for (
      const [person, name] of [[ada, "a"], [bob, "b"], [ada, "c"]] as const
    ) {
      await createAsset(app, person, name);
    }
    const digests = await listOwn(app, ada);
    assert.deepEqual(
      digests.receipts.map(({ receipt_seq }: Json) => receipt_seq),
      [1, 2, 3, 7, 8, 9],
    );
    assert.equal(digests.next_after, 9);
    assert.equal(digests.more, false);
    assert.deepEqual(await listOwn(app, ada, "?include=digest"), digests);
    const whole = await listOwn(app, ada, "?include=cbor");
    for (const [at, receipt] of whole.receipts.entries()) {
      const { receipt_cbor, ...digest } = receipt;
      assert.deepEqual(digest, digests.receipts[at]);
      const bytes = fromBase64(receipt_cbor) ?? new Uint8Array();
      assert.equal(hashOf(bytes), digest.sha256);
    }
    for (const limit of [1, 2, 5, 6]) {
      const receipts: Json[] = [];
      for (let after = 0, more = true; more;) {
        const query = `?include=cbor&limit=${limit}&after=${after}`;
        const page = await listOwn(app, ada, query);
        receipts.push(...page.receipts);
        ({ next_after: after, more } = page);
        if (more) assert.equal(page.receipts.length, limit);
      }
      assert.deepEqual(receipts, whole.receipts);
    }
    const end = await listOwn(app, ada, "?after=9");
    assert.deepEqual(end, { receipts: [], next_after: 9, more: false });
    await suspend(app, ada);
    assert.deepEqual(await listOwn(app, ada), digests);
    // What they are given is the server's chain, as anybody verifies it.
    const bobs = await listOwn(app, bob, "?include=cbor");
    const chain = [...whole.receipts, ...bobs.receipts]
      .toSorted((a, b) => a.receipt_seq - b.receipt_seq)
      .map(({ receipt_cbor }) => fromBase64(receipt_cbor) ?? new Uint8Array());
    const keys = await app.send(
      "GET",
      "/.well-known/service/attestation-keys",
      { protocol: null },
    );
    const published = parsePublishedKeys(await keys.json());
    const verdict = await verifyReceiptChain(chain, published);
    assert.equal(verdict.ok && verdict.count, 9);
  });
});

Deno.test("a receipt outlives its asset, and a guest's file has its receipt with the link's owner", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, albumId, 1, [
      { member: bob.userId, role: "contributor" },
    ]);
    const { assetId } = await createAsset(app, bob, "it", { albumId });
    const link = await issueLink(app, ada, "link", { album_id: albumId });
    await contribute(app, link, ciphertext("given", 10));
    const [before, adas] = [await listOwn(app, bob), await listOwn(app, ada)];
    assert.equal(before.receipts.length, 3);
    assert.equal(adas.receipts.length, 1);
    await trash(app, bob, assetId);
    await emptyTrash(app, bob);
    await collect(app);
    assert.deepEqual(await listOwn(app, bob), before);
  });
});

Deno.test("more receipts than one step reads", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (let n = 0; n < 203; n++) {
      const bytes = ciphertext(`file ${n}`, 10);
      await uploadBlob(app, ada, bytes, { fileId: uuidOf(`file ${n}`) });
    }
    const first = await listOwn(app, ada);
    assert.equal(first.receipts.length, 200);
    assert.equal(first.more, true);
    const next = await listOwn(app, ada, `?after=${first.next_after}`);
    assert.equal(next.receipts.length, 3);
    const all = await listOwn(app, ada, "?limit=1000000");
    assert.deepEqual(all.receipts, [...first.receipts, ...next.receipts]);
    assert.equal(all.more, false);
  });
});

Deno.test("receipts are no capability's, and nonsense in the query is 400", async () => {
  await withSharedAlbum(async (shared) => {
    const { app } = shared;
    const { token } = await shared.minted();
    await expectProblem(
      await app.send("GET", "/v1/receipts", { token }),
      "error.federation.capability_scope",
    );
    const ada = await shared.owner();
    for (
      const query of [
        "limit=0",
        "after=-1",
        "after=x",
        "include=all",
        "include=",
      ]
    ) {
      const response = await app.send("GET", `/v1/receipts?${query}`, ada);
      await expectProblem(response, "error.request.malformed");
    }
  });
});
