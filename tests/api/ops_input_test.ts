/**
 * The body of a lifecycle write: its size, its shape, and what no client sends
 * (protocol/transport.md#order-of-checks,
 * protocol/manifests.md#lifecycle-write).
 *
 * @module
 */
import assert from "node:assert/strict";
import { opRequest, sendOp } from "../support/albums.ts";
import type { TestApp } from "../support/app.ts";
import { expectEmpty, expectJson, type Json } from "../support/expect.ts";
import {
  everything,
  READY_ASSET as ASSET,
  withEnvelope,
  withReady,
} from "../support/ops.ts";
import { ciphertext, type Person, uploadRequest } from "../support/people.ts";
import { pieces } from "../support/api.ts";

const MANIFEST = ciphertext("manifest", 700);
const MIB = 1024 * 1024;

Deno.test("a body above 4 MiB is 413, and one below it is taken", async () => {
  await withReady(async ({ app, ada, albumId, create }) => {
    const path = `/v1/albums/${albumId}/ops`;
    const large = new TextEncoder().encode(
      JSON.stringify({ ...create, padding: "A".repeat(4 * MIB) }),
    );
    const before = await everything(app);
    const options = {
      token: ada.token,
      headers: { "Content-Type": "application/json" },
    };
    for (const body of [large, pieces(large)]) {
      await expectEmpty(
        await app.send("POST", path, { ...options, body }),
        413,
      );
    }
    assert.deepEqual(await everything(app), before);
    const most = ciphertext("much", 3 * MIB - 3_000);
    const request = opRequest(ada, albumId, ASSET, most, {
      original: ciphertext("original one", 1_000),
    });
    await expectJson(await sendOp(app, ada, albumId, request), 200);
  });
});

Deno.test("inline blobs are not refused for quota", async () => {
  await withReady(async ({ app, ada, albumId, create, replace }) => {
    await app.app.db.updateTable("usage").set({ quota_bytes: 1 }).execute();
    const upload = await app.send("POST", "/v1/upload", {
      token: ada.token,
      json: uploadRequest(ada, MANIFEST, { albumId, role: "derivative" }),
    });
    assert.equal(upload.status, 507);
    await upload.body?.cancel();
    for (const request of [create, replace]) {
      await expectJson(await sendOp(app, ada, albumId, request), 200);
    }
  });
});

/** Bodies that no client sends; each with the status that it is refused by. */
function badBodies(create: Json): [status: number, body: string][] {
  const envelope = (over: Json) => JSON.stringify(withEnvelope(create, over));
  const request = (over: Json) => JSON.stringify({ ...create, ...over });
  const fields = Object.keys(create.manifest_envelope);
  return [
    ...["", "{", "nonsense", "\u0000"].map((body): [number, string] => [
      400,
      body,
    ]),
    ...[
      ..."null,[],1,true,{}".split(","),
      '"text"',
      request({ unknown: 1 }),
      request({ manifest_envelope: [] }),
      request({ manifest_cbor: undefined }),
      request({ manifest_cbor: "" }),
      request({ manifest_cbor: 7 }),
      request({ manifest_cbor: "AAA" }),
      request({ manifest_cbor: "AA==\n" }),
      request({ manifest_cbor: "-_-_" }),
      request({ manifest_cbor: "\ud800" }),
      request({ metadata_blob: "" }),
      request({ metadata_blob: 0 }),
      request({ metadata_blob: ["AAAA"] }),
      envelope({ unknown: null }),
      envelope({ timestamp: "yesterday" }),
      envelope({ protocol_version: "2026-02-30" }),
      envelope({ retention_until: "2036" }),
      envelope({ prior_provenance_hash: "A".repeat(64) }),
      envelope({ amk_version: -1 }),
      envelope({ chunk_size: 0 }),
      ...["crypto_suite_id", "amk_version", "plaintext_size", "chunk_size"]
        .flatMap((field) => [
          envelope({ [field]: "1" }),
          envelope({ [field]: 1.5 }),
          envelope({ [field]: 2 ** 53 }),
          envelope({ [field]: 0 }).replace(`"${field}":0`, `"${field}":1e999`),
        ]),
      ...fields.flatMap((field) => [
        envelope({ [field]: {} }),
        envelope({ [field]: false }),
      ]),
    ].map((body): [number, string] => [422, body]),
  ];
}

function post(app: TestApp, ada: Person, albumId: string, body: string) {
  return app.send("POST", `/v1/albums/${albumId}/ops`, {
    token: ada.token,
    headers: { "Content-Type": "application/json" },
    body,
  });
}

Deno.test("bad input is refused as malformed or invalid, and leaves nothing", async () => {
  await withReady(async ({ app, ada, albumId, create }) => {
    const before = await everything(app);
    for (const [status, body] of badBodies(create)) {
      const answer = await post(app, ada, albumId, body);
      const { code } = await answer.json();
      assert.equal(answer.status, status, body.slice(0, 400));
      assert.match(code, /^error\.request\.(malformed|invalid)$/, body);
    }
    assert.deepEqual(await everything(app), before);
  });
});

Deno.test("text of an envelope may be any that JSON carries", async () => {
  await withReady(async ({ app, ada, albumId, create }) => {
    const odd = { client_version: "\ud800 \u0000 \uffff \u{1f4f7}" };
    const request = JSON.stringify(withEnvelope(create, odd));
    await expectJson(await post(app, ada, albumId, request), 200);
  });
});
