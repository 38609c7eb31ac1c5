import assert from "node:assert/strict";
import { provisionAlbum, publishRoster, readFeed } from "../support/albums.ts";
import { type TestApp } from "../support/app.ts";
import {
  DAY,
  fromNow,
  MEMBER,
  type SharedAlbum,
  successorOf,
  withSharedAlbum,
} from "../support/capabilities.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerPerson,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { nameOf, SPEC } from "../support/spec.ts";
import { openWorld, sendOperation } from "../support/spec_requests.ts";
import { expectBytes, expectSameAnswers } from "../support/api.ts";

/** What a capability is accepted for, the user lookup apart. */
const READS = [
  "GET /v1/sync",
  "GET /v1/assets/{asset_id}",
  "GET /v1/assets/{asset_id}/blobs/{hash}",
  "GET /v1/albums/{album_id}/roster",
  "POST /v1/users/lookup",
  "POST /v1/assets/query",
  "POST /v1/assets/blobs",
];
const RECEIPTS = ["GET /v1/assets/{asset_id}/receipts", "GET /v1/receipts"];
const DERIVATIVE = ciphertext("a derivative", 200);

/** An asset of the shared album with a blob of every role. */
async function everyRole(
  { app, albumId, owner }: SharedAlbum,
  name: string,
): Promise<LiveAsset> {
  const ada = await owner();
  const asset = await createAsset(app, ada, name, { albumId });
  await attach(app, ada, albumId, asset.assetId, DERIVATIVE);
  return asset;
}

async function attach(
  app: TestApp,
  ada: Person,
  albumId: string,
  fileId: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await uploadBlob(app, ada, bytes, { albumId, fileId, role: "derivative" });
}

function blob(
  app: TestApp,
  token: string,
  assetId: string,
  bytes: Uint8Array,
): Promise<Response> {
  const path = `/v1/assets/${assetId}/blobs/${hashOf(bytes)}`;
  return app.send("GET", path, { token });
}

async function rolesSeen(
  app: TestApp,
  token: string,
  assetId: string,
): Promise<string[]> {
  const { blobs } = await expectJson(
    await app.send("GET", `/v1/assets/${assetId}`, { token }),
    200,
  );
  return blobs.map(({ role }: Json) => role).toSorted();
}

Deno.test("a capability is accepted on exactly the named reads, and on HEAD of them", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, albumId } = shared;
    const { assetId, original } = await everyRole(shared, "photo");
    const { person, values } = await openWorld(app);
    const mine = {
      ...values,
      album_id: albumId,
      asset_id: assetId,
      hash: hashOf(original),
    };
    const { token } = await shared.minted();
    for (const op of SPEC.filter(({ credential }) => credential === "bearer")) {
      const name = nameOf(op);
      for (
        const method of op.method === "GET" ? ["GET", "HEAD"] : [op.method]
      ) {
        const response = await sendOperation(app, op, person, {
          token,
          values: mine,
          method,
        });
        if (READS.includes(name)) {
          await response.body?.cancel();
          assert.equal(response.status, 200, `${method} ${name}`);
        } else if (method === "HEAD") {
          await response.body?.cancel();
          assert.equal(
            response.status,
            RECEIPTS.includes(name) ? 403 : 401,
            name,
          );
        } else if (RECEIPTS.includes(name)) {
          await expectProblem(response, "error.federation.capability_scope");
        } else {
          const challenge = response.headers.get("www-authenticate") ?? "";
          assert.match(challenge, /^Bearer\b.*error="invalid_token"/, name);
          await expectProblem(response, "error.auth.token_invalid");
        }
      }
    }
  });
});

Deno.test("receipts are the owner's alone, whatever asset a capability names", async () => {
  await withSharedAlbum(async (shared) => {
    const { app } = shared;
    const { assetId } = await everyRole(shared, "photo");
    const { token } = await shared.minted();
    const read = (id: string) =>
      app.send("GET", `/v1/assets/${id}/receipts`, { token });
    await expectProblem(
      (await read(assetId)).clone(),
      "error.federation.capability_scope",
    );
    await expectSameAnswers({
      "an asset of the album": await read(assetId),
      "no asset": await read(uuidOf("no asset")),
    });
  });
});

Deno.test("a read capability reads the roster's very bytes and every blob", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, albumId } = shared;
    const asset = await everyRole(shared, "photo");
    const { token } = await shared.minted();
    const path = `/v1/albums/${albumId}/roster`;
    const ada = await shared.owner();
    const own = await app.send("GET", path, { token: ada.token });
    const theirs = await app.send("GET", path, { token });
    assert.equal(theirs.status, 200);
    assert.equal(theirs.headers.get("content-type"), "application/cbor");
    expectBytes(
      await theirs.arrayBuffer(),
      new Uint8Array(await own.arrayBuffer()),
    );
    const { assetId, original, metadata, manifest } = asset;
    for (const bytes of [original, metadata, manifest, DERIVATIVE]) {
      const response = await blob(app, token, assetId, bytes);
      assert.equal(response.status, 200);
      expectBytes(await response.arrayBuffer(), bytes);
    }
    assert.deepEqual(await rolesSeen(app, token, assetId), [
      "derivative",
      "metadata",
      "original",
      "provenance",
    ]);
    const part = await app.send(
      "GET",
      `/v1/assets/${assetId}/blobs/${hashOf(original)}`,
      { token, headers: { Range: "bytes=0-9" } },
    );
    assert.equal(part.status, 206);
    expectBytes(await part.arrayBuffer(), original.subarray(0, 10));
  });
});

Deno.test("read-derivative-only sees derivative, metadata and provenance, and no original", async () => {
  await withSharedAlbum(async (shared) => {
    const { app } = shared;
    const { assetId, original, metadata, manifest } = await everyRole(
      shared,
      "photo",
    );
    const { token } = await shared.minted({ scope: "read-derivative-only" });
    assert.deepEqual(await rolesSeen(app, token, assetId), [
      "derivative",
      "metadata",
      "provenance",
    ]);
    for (const bytes of [metadata, manifest, DERIVATIVE]) {
      const response = await blob(app, token, assetId, bytes);
      assert.equal(response.status, 200);
      expectBytes(await response.arrayBuffer(), bytes);
    }
    await expectProblem(
      await blob(app, token, assetId, original),
      "error.asset.not_found",
    );
    await expectSameAnswers({
      "an original": await blob(app, token, assetId, original),
      "no blob": await blob(app, token, assetId, ciphertext("nothing", 9)),
    });
    for (const header of ["Range", "If-None-Match"]) {
      const response = await app.send(
        "GET",
        `/v1/assets/${assetId}/blobs/${hashOf(original)}`,
        {
          token,
          headers: { [header]: header === "Range" ? "bytes=0-0" : "*" },
        },
      );
      await expectProblem(response, "error.asset.not_found");
    }
    const renewable = await shared.minted({
      scope: "read-derivative-only",
      renewable_until: fromNow(app, DAY),
    });
    const renewed = await successorOf(app, renewable.token);
    await expectProblem(
      await blob(app, renewed.token, assetId, original),
      "error.asset.not_found",
    );
  });
});

Deno.test("bytes held as an original and as a derivative are seen as the derivative alone", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, albumId } = shared;
    const both = await everyRole(shared, "both");
    await attach(
      app,
      await shared.owner(),
      albumId,
      both.assetId,
      both.original,
    );
    const { token } = await shared.minted({ scope: "read-derivative-only" });
    assert.deepEqual(await rolesSeen(app, token, both.assetId), [
      "derivative",
      "derivative",
      "metadata",
      "provenance",
    ]);
    const response = await blob(app, token, both.assetId, both.original);
    assert.equal(response.status, 200);
    await response.body?.cancel();
    // Another asset that holds those bytes as its original shows nothing.
    const twin = uuidOf("twin");
    const ada = await shared.owner();
    const common = { albumId, fileId: twin };
    const manifest = ciphertext("manifest of the twin", 50);
    await uploadBlob(app, ada, both.original, common);
    await uploadBlob(app, ada, manifest, {
      ...common,
      role: "provenance",
      envelope: { original_blob_hash: hashOf(both.original) },
    });
    assert.deepEqual(await rolesSeen(app, token, twin), ["provenance"]);
    await expectProblem(
      await blob(app, token, twin, both.original),
      "error.asset.not_found",
    );
  });
});

Deno.test("another album's asset, an asset without album and no asset are one 404", async () => {
  await withSharedAlbum(async (shared) => {
    const { app } = shared;
    const ada = await shared.owner();
    const other = await provisionAlbum(app, ada, "other");
    await publishRoster(app, ada, other, 1, [{ member: MEMBER }]);
    const elsewhere = await createAsset(app, ada, "other", { albumId: other });
    const loose = await createAsset(app, ada, "loose");
    const { token } = await shared.minted();
    const read = (path: string) => app.send("GET", path, { token });
    for (const suffix of ["", `/blobs/${hashOf(elsewhere.original)}`]) {
      const body = await expectSameAnswers({
        "another album's": await read(
          `/v1/assets/${elsewhere.assetId}${suffix}`,
        ),
        "without album": await read(`/v1/assets/${loose.assetId}${suffix}`),
        "unknown": await read(`/v1/assets/${uuidOf("no asset")}${suffix}`),
      });
      assert.equal(JSON.parse(body).code, "error.asset.not_found");
    }
    for (const path of ["/v1/albums/{}/roster", "/v1/sync?album_id={}"]) {
      const body = await expectSameAnswers({
        "another album": await read(path.replace("{}", other)),
        "no album": await read(path.replace("{}", uuidOf("no album"))),
      });
      assert.equal(JSON.parse(body).code, "error.album.not_found");
    }
  });
});

Deno.test("the feed of a capability is its album's, asked for by id or not", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, albumId } = shared;
    const ada = await shared.owner();
    await createAsset(app, ada, "loose");
    const other = await provisionAlbum(app, ada, "other");
    await createAsset(app, ada, "other", { albumId: other });
    const { assetId } = await createAsset(app, ada, "photo", { albumId });
    const bob = await registerPerson(app, "bob");
    await shared.roster(MEMBER, bob.userId);
    // A removed member gets a last entry, which no one else sees.
    await shared.roster(MEMBER);
    const { token } = await shared.minted();
    const feed = await readFeed(app, token);
    assert.deepEqual(
      feed.entries.map((entry: Json) => [entry.action, entry.asset_id]),
      [
        ["album", undefined],
        ["roster", undefined],
        ["create", assetId],
        ["roster", undefined],
        ["roster", undefined],
      ],
    );
    for (const entry of feed.entries) assert.equal(entry.album_id, albumId);
    assert.deepEqual(
      await readFeed(app, token, `?album_id=${albumId}`),
      feed,
    );
    const page = await readFeed(app, token, "?limit=2");
    assert.deepEqual(page.entries, feed.entries.slice(0, 2));
    assert.equal(page.more, true);
  });
});
