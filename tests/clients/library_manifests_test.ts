/**
 * What an answer says of a photo counts as far as its signed manifest goes: a
 * server can invent neither a version nor a place nor an original.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import type { Library } from "../../src/library/mod.ts";
import {
  openManifest,
  signManifest,
} from "../../src/client/documents/manifest.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import type { Json } from "../support/expect.ts";
import {
  beginLibrary,
  deviceOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { secondDevice, take } from "../support/library_sharing.ts";
import { ciphertext, uuidOf } from "../support/people.ts";
import { base64 } from "../support/vectors.ts";

const HOUR_MS = 3_600_000;

/** A server that says something else of one asset, and that it changed. */
function says(wire: Wire, assetId: string, change: (asset: Json) => Json) {
  const told = (asset: Json) =>
    asset.asset_id === assetId
      ? { ...asset, ...change(asset), sync_seq: asset.sync_seq + 50 }
      : asset;
  wire.intercept = (request, pass) => {
    const { pathname } = new URL(request.url);
    const altered = async (alter: (answer: Json) => Json) =>
      Response.json(alter(await (await pass(request)).json()));
    if (pathname.endsWith("/assets/query")) {
      return altered(({ assets }) => ({ assets: assets.map(told) }));
    }
    if (pathname === `/v1/assets/${assetId}` && request.method === "GET") {
      return altered(told);
    }
    if (pathname !== "/v1/sync") return undefined;
    return altered((page) => ({
      ...page,
      entries: [...page.entries, {
        sync_seq: page.next_after + 50,
        action: "replace",
        asset_id: assetId,
        chain_head: "ab".repeat(32),
        at: "2026-11-21T12:00:00Z",
      }],
    }));
  };
}

/** Ada's library, with a photo that this device has seen twice. */
async function withPhoto(
  play: (
    app: TestApp,
    of: { wire: Wire; ada: Library; id: string; before: Json },
  ) => Promise<void>,
) {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "1");
    const { account } = ada.vault.session;
    const [before] = await account.queryAssets([id], ["metadata"]);
    await ada.amend(id, { about: { caption: "the newest" } });
    await ada.sync();
    await play(app, { wire, ada, id, before });
  });
}

async function expectHonestAgain(
  app: TestApp,
  { wire, ada, id }: { wire: Wire; ada: Library; id: string },
) {
  wire.intercept = undefined;
  app.clock.advance(HOUR_MS);
  await ada.sync();
  await ada.sync();
  const row = ada.index.get(id);
  assert.equal(row?.metadata?.caption, "the newest");
  assert.deepEqual(
    [row?.state, row?.fault, row?.shown, row?.album],
    ["live", undefined, undefined, ada.vault.libraryAlbumId],
  );
}

Deno.test("an owner that a server invented for a photo is no longer believed once it is honest", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id, owner } = await take(laptop, "1");
    says(wire, id, () => ({ owner: uuidOf("nobody") }));
    const phone = await secondDevice(wire, laptop, "ada");
    await phone.sync();
    assert.notEqual(phone.index.get(id)?.metadata?.name, "1.jpg");
    wire.intercept = undefined;
    app.clock.advance(HOUR_MS);
    await phone.sync();
    const row = phone.index.get(id);
    assert.deepEqual([row?.owner, row?.fault], [owner, undefined]);
    assert.deepEqual(phone.list().map((one) => one.id), [id]);
    // From then on no answer gives it to anybody else.
    says(wire, id, () => ({ owner: uuidOf("nobody") }));
    await phone.sync();
    assert.equal(phone.index.get(id)?.owner, owner);
  });
});

Deno.test("an older version under an invented number is told, and the newest one stays shown", async () => {
  await withPhoto(async (app, { wire, ada, id, before }) => {
    says(wire, id, () => ({
      chain_head: "ab".repeat(32),
      blobs: before.blobs,
      metadata: before.metadata,
    }));
    await ada.sync();
    const row = ada.index.get(id);
    assert.equal(row?.metadata?.caption, "the newest");
    assert.notEqual(row?.fault, undefined);
    await expectHonestAgain(app, { wire, ada, id });
  });
});

Deno.test("a photo of the library that an answer puts into an album stays in the library, and it is told", async () => {
  await withPhoto(async (app, { wire, ada, id }) => {
    const { id: album } = await ada.albums.create({ title: "Summer" });
    says(wire, id, () => ({ album_id: album }));
    await ada.sync();
    const row = ada.index.get(id);
    assert.equal(row?.album, ada.vault.libraryAlbumId);
    assert.notEqual(row?.fault, undefined);
    await expectHonestAgain(app, { wire, ada, id });
  });
});

Deno.test("another original under the same number is told, and the photo stays shown", async () => {
  await withPhoto(async (app, { wire, ada, id }) => {
    const other = await take(ada, "2");
    const [original] = other.blobs.filter(({ role }) => role === "original");
    says(wire, id, ({ blobs }) => ({
      blobs: blobs.map((blob: Json) =>
        blob.role === "original" ? original : blob
      ),
    }));
    await ada.sync();
    const row = ada.index.get(id);
    assert.equal(row?.metadata?.caption, "the newest");
    assert.notEqual(row?.fault, undefined);
    await expectHonestAgain(app, { wire, ada, id });
  });
});

Deno.test("a photo of the library under a later key than this program knows is told as a newer program's", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(laptop, "1");
    const { session } = laptop.vault;
    const asked = await session.account.queryAssets([id], ["provenance"]);
    const { envelope, sealedKey } = openManifest(
      base64(asked[0]?.provenance ?? ""),
    );
    const { signer } = await openIdentity(
      session.masterKey() ?? new Uint8Array(),
    );
    const sealed = ciphertext("under a later key", 1_000);
    const manifest = await signManifest(signer, {
      ...envelope,
      amk_version: 1,
      metadata_blob_hash: sha256Hex(sealed),
    }, sealedKey);
    says(wire, id, ({ blobs }) => ({
      chain_head: sha256Hex(manifest),
      provenance: toBase64(manifest),
      metadata: toBase64(sealed),
      blobs: blobs.map((blob: Json) =>
        blob.role === "metadata" ? { ...blob, hash: sha256Hex(sealed) } : blob
      ),
    }));
    const phone = await secondDevice(wire, laptop, "ada");
    assert.match(phone.index.get(id)?.fault ?? "", /made by a newer program/);
  });
});
