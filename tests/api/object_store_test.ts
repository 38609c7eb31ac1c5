/**
 * Blobs in a bucket (object-store.md), through the real application: in a store
 * that knows neither conditions nor hashes, and in one that keeps both.
 *
 * @module
 */
import assert from "node:assert/strict";
import { opRequest, provisionAlbum, sendOp } from "../support/albums.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { type TestBucket, withBucket } from "../support/bucket.ts";
import { check, namesOf } from "../support/check.ts";
import { expectJson } from "../support/expect.ts";
import { queryAssets, readParts, sendSharedBlobs } from "../support/many.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type LiveAsset,
  type Person,
  putBytes,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { hashesOf, verifyOne } from "../support/storage.ts";
import {
  expectBytes,
  expectNoErrors,
  issueShare,
  readBlob,
  refreshed,
  viewShare,
} from "../support/api.ts";
import { finalize } from "../support/uploads.ts";
import { collect, DAY, filesIn, HOUR, trash } from "../support/trash.ts";

const MINUTE = 60_000;

interface Story {
  readonly app: TestApp;
  readonly bucket: TestBucket;
  readonly ada: Person;
}

/** A story over each kind of store. */
function story(name: string, tell: (story: Story) => Promise<void>): void {
  for (const strict of [false, true]) {
    const kind = strict ? "that checks" : "that takes what it is given";
    Deno.test(`${name}, in a store ${kind}`, async () => {
      await withBucket(async (bucket) => {
        await withTestApp(async (app) => {
          const ada = await registerWriter(app, "ada");
          await tell({ app, bucket, ada });
          expectNoErrors(app);
        }, { settings: bucket.settings, fetch: bucket.fetch });
      }, { strict });
    });
  }
}

function keyOf(hash: string): string {
  return `blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
}

/** These blobs are in the bucket, and nothing else is. */
async function expectObjects(
  bucket: TestBucket,
  ...blobs: readonly Uint8Array[]
): Promise<void> {
  const expected = new Set(blobs.map((bytes) => keyOf(hashOf(bytes))));
  assert.deepEqual(await bucket.keys(), [...expected].toSorted());
}

async function expectReadable(
  app: TestApp,
  ada: Person,
  { assetId, original, metadata, manifest }: LiveAsset,
): Promise<void> {
  for (const bytes of [original, metadata, manifest]) {
    const answer = await readBlob(app, ada, assetId, hashOf(bytes));
    assert.equal(answer.status, 200);
    expectBytes(new Uint8Array(await answer.arrayBuffer()), bytes, "a blob");
  }
}

story(
  "an asset's blobs are objects, and are read whole, in part and by many",
  async ({ app, bucket, ada }) => {
    const asset = await createAsset(app, ada, "photo", { length: 700_000 });
    const { assetId, original, metadata, manifest } = asset;
    await expectObjects(bucket, original, metadata, manifest);
    assert.equal((await filesIn(app, "blobs")).size, 0);
    assert.equal((await filesIn(app, "uploads")).size, 0);
    await expectReadable(app, ada, asset);

    const part = await readBlob(app, ada, assetId, hashOf(original), {
      Range: "bytes=1000-600999",
    });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get("content-range"), "bytes 1000-600999/700000");
    expectBytes(
      new Uint8Array(await part.arrayBuffer()),
      original.slice(1_000, 601_000),
      "a part",
    );
    const head = await readBlob(
      app,
      ada,
      assetId,
      hashOf(original),
      {},
      "HEAD",
    );
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("content-length"), "700000");

    const [queried] = await queryAssets(app, ada.token, [assetId], {
      include: ["metadata"],
    });
    assert.equal(queried.metadata, btoa(String.fromCharCode(...metadata)));
    const link = await issueShare(app, ada, "link", hashesOf(asset));
    const shared = await viewShare(app, `${link}/blob/${hashOf(original)}`);
    assert.equal(shared.status, 200);
    await shared.body?.cancel();
    const many = await readParts(
      await sendSharedBlobs(app, link, [metadata, manifest]),
    );
    assert.deepEqual(many, [metadata, manifest]);
  },
);

story(
  "a damaged file in the directory, which hides the object, is given back too",
  async ({ app, bucket, ada }) => {
    const { assetId, original } = await createAsset(app, ada, "photo");
    const hash = hashOf(original);
    const path = `${app.dataDir}/${keyOf(hash)}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeFile(path, ciphertext("other", original.length));
    const given = await createUpload(app, ada, original, {
      fileId: assetId,
      request: { heals: assetId },
    });
    // It said in the log that it lost one: that is no fault of this story.
    app.logged.length = 0;
    await expectJson(await putBytes(app, ada, given.upload_id, original), 200);
    const read = await readBlob(app, ada, assetId, hash);
    expectBytes(new Uint8Array(await read.arrayBuffer()), original, "healed");
    await collect(app);
    await assert.rejects(Deno.stat(path));
    assert((await bucket.keys()).includes(keyOf(hash)));
    assert.deepEqual((await check(app, { deep: true })).findings, []);
  },
);

story(
  "check and deep verification look into the bucket",
  async ({ app, bucket, ada }) => {
    const whole = await createAsset(app, ada, "whole");
    const spoilt = await createAsset(app, ada, "spoilt");
    const lost = await createAsset(app, ada, "lost");
    const ask = async (asset: LiveAsset) => {
      const hashes = hashesOf(asset);
      const { durable } = await verifyOne(app, ada, asset.assetId, hashes, {
        deep: true,
      });
      return durable;
    };
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
    assert.equal(await ask(spoilt), true);

    const path = bucket.fileOf(hashOf(spoilt.original));
    const bytes = await Deno.readFile(path);
    bytes[7] = (bytes[7] ?? 0) ^ 1;
    await Deno.writeFile(path, bytes);
    await Deno.remove(bucket.fileOf(hashOf(lost.original)));
    assert.deepEqual(namesOf(await check(app, { deep: true })), [
      `blob_corrupt ${hashOf(spoilt.original)}`,
      `blob_missing ${hashOf(lost.original)}`,
    ]);
    assert.equal(await ask(whole), true);
    assert.equal(await ask(spoilt), false);
    assert.equal(await ask(lost), false);

    // Whoever has the bytes brings them again, over what lies there.
    await Deno.writeFile(path, original(bytes));
    const again = await createUpload(app, ada, lost.original, {
      fileId: lost.assetId,
    });
    assert.equal(again.state, "open");
    await putBytes(app, ada, again.upload_id, lost.original);
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
    app.logged.length = 0;
  },
);

function original(spoilt: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = spoilt.slice();
  bytes[7] = (bytes[7] ?? 0) ^ 1;
  return bytes;
}

story(
  "thumbnails that were read are not asked for again",
  async ({ app, bucket, ada }) => {
    const asset = await createAsset(app, ada, "photo");
    await expectReadable(app, ada, asset);
    bucket.injectFault(Infinity, "refused");
    await expectReadable(app, ada, asset);
    assert.deepEqual(bucket.seen(), []);
  },
);

story(
  "bytes that are there already are looked at and not sent twice as another's",
  async ({ app, bucket, ada }) => {
    const bytes = ciphertext("the same", 4_000);
    await uploadBlob(app, ada, bytes, { fileId: uuidOf("one") });
    const bob = await registerWriter(app, "bob");
    await uploadBlob(app, bob, bytes, { fileId: uuidOf("two") });
    await expectObjects(bucket, bytes);

    // Something else under its name is no reason for a receipt.
    await Deno.writeFile(
      bucket.fileOf(hashOf(bytes)),
      ciphertext("another", 4_000),
    );
    const cyd = await registerWriter(app, "cyd");
    await uploadBlob(app, cyd, bytes, { fileId: uuidOf("three") });
    const lying = await Deno.readFile(bucket.fileOf(hashOf(bytes)));
    expectBytes(lying, bytes, "the object");
  },
);

story(
  "garbage leaves the bucket, and nothing is placed in its object meanwhile",
  async ({ app, bucket, ada }) => {
    const kept = await createAsset(app, ada, "kept");
    const gone = await createAsset(app, ada, "gone");
    await trash(app, ada, gone.assetId);
    app.clock.advance(31 * DAY);
    const { blobs, failed } = await collect(app);
    assert.deepEqual([blobs.count, failed], [3, 0]);
    await expectObjects(bucket, kept.original, kept.metadata, kept.manifest);

    // A removal that was delayed on its way could still hit the object.
    const person = await refreshed(app, ada);
    const anew = { fileId: uuidOf("anew") };
    await uploadBlob(app, person, gone.original, anew);
    assert.deepEqual([...(await filesIn(app, "blobs")).keys()], [
      hashOf(gone.original),
    ]);
    await expectObjects(bucket, kept.original, kept.metadata, kept.manifest);
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);

    app.clock.advance(10 * MINUTE);
    await collect(app);
    assert.equal((await filesIn(app, "blobs")).size, 1);
    app.clock.advance(11 * MINUTE);
    await collect(app);
    await collect(app);
    assert.equal((await filesIn(app, "blobs")).size, 0);
    await expectObjects(
      bucket,
      kept.original,
      kept.metadata,
      kept.manifest,
      gone.original,
    );
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
  },
);

story(
  "unknown objects are kept for a week, and come back if they are known again",
  async ({ app, bucket, ada }) => {
    const { original, metadata, manifest } = await createAsset(
      app,
      ada,
      "known",
    );
    const stray = ciphertext("stray", 500);
    const path = bucket.fileOf(hashOf(stray));
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.copyFile(bucket.fileOf(hashOf(original)), path);
    const row = await app.app.db.selectFrom("blob").selectAll()
      .where("hash", "=", hashOf(metadata) as never)
      .executeTakeFirstOrThrow();
    assert.deepEqual(namesOf(await check(app)), [
      `blob_file_unknown ${keyOf(hashOf(stray))}`,
    ]);
    await app.app.db.insertInto("quarantined_blob")
      .values({ hash: row.hash, day: "2026-11-21" }).execute();
    app.clock.advance(2 * HOUR);
    const first = await collect(app);
    assert.deepEqual([first.strayFiles.count, first.putBack.count], [1, 1]);
    assert.deepEqual(namesOf(await check(app)), []);
    app.clock.advance(6 * DAY);
    assert.equal((await collect(app)).lostFiles.count, 0);
    app.clock.advance(3 * DAY);
    assert.equal((await collect(app)).lostFiles.count, 1);
    await expectObjects(bucket, original, metadata, manifest);
  },
);

story(
  "a bucket that goes away for a minute is said to be away, and everything goes on after it",
  async ({ app, bucket, ada }) => {
    const asset = await createAsset(app, ada, "photo", { length: 400_000 });
    const hash = hashOf(asset.original);
    const link = await issueShare(app, ada, "link", hashesOf(asset));
    const waiting = ciphertext("waiting", 3_000);
    const upload = await createUpload(app, ada, waiting, {
      fileId: uuidOf("waiting"),
    });
    const albumId = await provisionAlbum(app, ada, "album");
    const edited = uuidOf("edited");
    const source = ciphertext("source", 2_000);
    await uploadBlob(app, ada, source, { fileId: edited, albumId });
    bucket.goAway(true);

    const read = await readBlob(app, ada, asset.assetId, hash);
    await expectWait(read, 500, "error.storage.unavailable");
    const shared = await viewShare(app, `${link}/blob/${hash}`);
    await expectWait(shared, 500, "error.storage.unavailable");
    const put = await putBytes(app, ada, upload.upload_id, waiting);
    await expectWait(put, 500, "error.storage.unavailable");
    const { durable } = await verifyOne(
      app,
      ada,
      asset.assetId,
      hashesOf(asset),
    );
    assert.equal(durable, false);
    // What has no answer for it is taken all the same.
    const op = opRequest(ada, albumId, edited, ciphertext("manifest", 600), {
      original: source,
      metadata: ciphertext("metadata", 200),
    });
    await expectJson(await sendOp(app, ada, albumId, op), 200);
    assert.equal((await filesIn(app, "blobs")).size, 2);

    bucket.goAway(false);
    app.clock.advance(MINUTE);
    // What had arrived was kept.
    await expectJson(await finalize(app, ada, upload.upload_id), 200);
    await expectReadable(app, ada, asset);
    await collect(app);
    assert.equal((await filesIn(app, "blobs")).size, 0);
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
    // Nothing of it was a fault of the program.
    const internal = app.logged.filter(({ properties: { code } }) =>
      code === "error.internal"
    );
    assert.deepEqual(internal, []);
    app.logged.length = 0;
  },
);

async function expectWait(
  answer: Response,
  status: number,
  code: string,
): Promise<void> {
  assert.equal(answer.status, status);
  assert(Number(answer.headers.get("retry-after")) >= 1);
  assert.equal((await answer.json()).code, code);
}

story("a blob above 64 MiB is put in parts", async ({ app, bucket, ada }) => {
  const bytes = new Uint8Array(65 * 1024 * 1024);
  for (let at = 0; at < bytes.length; at += 4_096) bytes[at] = at >> 12;
  const upload = await createUpload(app, ada, bytes, { fileId: uuidOf("big") });
  bucket.injectFault(Infinity, "refused");
  await expectJson(await putBytes(app, ada, upload.upload_id, bytes), 200);
  const parts = bucket.seen().filter((one) => one.startsWith("PUT blobs/"));
  assert.equal(parts.length, 5);
  await expectObjects(bucket, bytes);
  assert.deepEqual(namesOf(await check(app, { deep: true })), []);
});

story(
  "a store whose clock is hours off is signed for by its own",
  async ({ app, bucket, ada }) => {
    // The test's clock is not the store's to begin with, and leaps away.
    await createAsset(app, ada, "before");
    app.clock.jump(HOUR);
    const person = await refreshed(app, ada);
    const asset = await createAsset(app, person, "after");
    await expectReadable(app, person, asset);
    bucket.injectFault(Infinity, "refused");
    app.clock.jump(HOUR);
    await trash(app, await refreshed(app, ada), asset.assetId);
    app.clock.jump(31 * DAY);
    // A removal that is refused for its date was not carried out.
    assert.equal((await collect(app)).failed, 0);
  },
);

Deno.test("without its bucket a server that has blobs there does not start", async () => {
  await withBucket(async (bucket) => {
    await withTestApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      await createAsset(app, ada, "photo");
      await assert.rejects(
        app.reopen({
          STRONGROOM_BLOBS: "directory",
          STRONGROOM_S3_ENDPOINT: "",
          STRONGROOM_S3_BUCKET: "",
          STRONGROOM_S3_ACCESS_KEY_ID: "",
          STRONGROOM_S3_SECRET_ACCESS_KEY: "",
        }),
        /blobs of this server lie in .*photos/,
      );
    }, { settings: bucket.settings, fetch: bucket.fetch });
  });
});
