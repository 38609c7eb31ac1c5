/**
 * Copying a blob without its bytes (protocol/uploads.md#copy).
 *
 * @module
 */
import assert from "node:assert/strict";
import { damageBlob } from "../support/storage.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { provisionAlbum, publishRoster } from "../support/albums.ts";
import type { TestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import type { Json } from "../support/expect.ts";
import { expectCounted } from "../support/check.ts";
import { adopt, contribute, issueLink } from "../support/guests.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type Person,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import {
  expectBytes,
  readBlob,
  sendManifest,
  suspend,
  withFaultlessApp,
} from "../support/api.ts";
import {
  collect,
  countersOf,
  DAY,
  expectConsistent,
  filesIn,
  later,
  mark,
  restore,
  sendPurge,
  statusOfBlob,
  trash,
} from "../support/trash.ts";

type Over = NonNullable<Parameters<typeof uploadRequest>[2]>;

/** POSTs a create that copies a blob of an asset. */
function copy(
  app: TestApp,
  person: Person,
  bytes: Uint8Array,
  source: string,
  over: Over = {},
): Promise<Response> {
  const request = { ...over.request, copies: source };
  return app.send("POST", "/v1/upload", {
    token: person.token,
    json: uploadRequest(person, bytes, { ...over, request }),
  });
}

const FILE = uuidOf("a file");

Deno.test("a member keeps a photo of an album as their own, without sending a byte", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const asset = await createAsset(app, ada, "photo", { albumId });
    const { assetId, original, metadata } = asset;
    const thumbnail = ciphertext("thumbnail", 80);
    const over = { fileId: assetId, albumId, role: "derivative" };
    await uploadBlob(app, ada, thumbnail, over);
    const before = await filesIn(app, "blobs");
    const blobs = [
      [original, "original"],
      [metadata, "metadata"],
      [thumbnail, "derivative"],
    ] as const;
    const receipts = [];
    for (const [bytes, role] of blobs) {
      const response = await copy(app, bob, bytes, assetId, { role });
      const location = response.headers.get("location");
      const upload = await expectJson(response, 201);
      assert.equal(location, `/v1/upload/${upload.upload_id}`);
      assert.equal(upload.state, "finalized");
      assert.equal(upload.asset_id, FILE);
      assert.equal(upload.offset, bytes.length);
      assert.equal(upload.receipt.upload_id, upload.upload_id);
      assert.equal(upload.receipt.ciphertext_hash, hashOf(bytes));
      receipts.push(upload.receipt);
    }
    assert.deepEqual(await filesIn(app, "blobs"), before);
    const size = original.length + metadata.length + thumbnail.length;
    assert.equal((await countersOf(app, bob)).used, size);
    const manifest = ciphertext("bobs manifest", 90);
    const named = { original, metadata };
    await expectJson(await sendManifest(app, bob, FILE, manifest, named), 200);
    const listed = await app.send("GET", `/v1/assets/${FILE}/receipts`, bob);
    assert.deepEqual((await listed.json()).receipts.slice(0, 3), receipts);
    // What becomes of the source is nothing to the copy.
    await trash(app, ada, assetId);
    await expectEmpty(await sendPurge(app, ada, assetId), 204);
    await collect(app);
    for (const [bytes] of blobs) {
      const blob = await readBlob(app, bob, FILE, hashOf(bytes));
      expectBytes(await blob.arrayBuffer(), bytes);
    }
    await expectConsistent(app);
  });
});

Deno.test("repeated, at once and later, it is the session that the caller has", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original } = await createAsset(app, ada, "photo");
    const answers = await Promise.all(
      [1, 2, 3].map(() => copy(app, ada, original, assetId)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [200, 200, 201],
    );
    const uploads = await Promise.all(answers.map((answer) => answer.json()));
    // Whatever has become of the source since.
    await trash(app, ada, assetId);
    await sendPurge(app, ada, assetId);
    const repeated = await expectJson(
      await copy(app, ada, original, assetId),
      200,
    );
    for (const upload of uploads) assert.deepEqual(upload, repeated);
    assert.equal((await countersOf(app, ada)).used, original.length);
    await expectConsistent(app);
  });
});

Deno.test("an open session for the same blob makes way, with its room", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original } = await createAsset(app, ada, "photo");
    await createUpload(app, ada, original);
    const before = await countersOf(app, ada);
    assert.equal(before.reserved, original.length);
    await expectJson(await copy(app, ada, original, assetId), 201);
    assert.deepEqual(await countersOf(app, ada), {
      ...before,
      reserved: 0,
    });
    const open = await app.send("GET", "/v1/upload", ada);
    assert.deepEqual((await open.json()).uploads, []);
  });
});

Deno.test("what the caller cannot read is copied as little as what is not there", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    let bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const foreign = await createAsset(app, ada, "foreign");
    const withheld = await createAsset(app, bob, "withheld");
    const aged = await createAsset(app, bob, "aged");
    await mark(app, withheld.assetId, { withheld_at: app.clock.now });
    await trash(app, bob, aged.assetId);
    [ada, bob] = [await later(app, ada, 30 * DAY), await later(app, bob, 0)];
    const shared = await createAsset(app, ada, "shared", { albumId });
    await trash(app, ada, shared.assetId);
    const pending = ciphertext("pending", 50);
    await uploadBlob(app, bob, pending, { fileId: uuidOf("pending") });
    const before = await countersOf(app, bob);
    for (
      const [source, bytes] of [
        [foreign.assetId, foreign.original],
        [withheld.assetId, withheld.original],
        [aged.assetId, aged.original],
        [shared.assetId, shared.original],
        [uuidOf("pending"), pending],
        [uuidOf("unknown"), foreign.original],
      ] as const
    ) {
      const refused = await copy(app, bob, bytes, source);
      await expectProblem(refused, "error.asset.not_found");
    }
    assert.deepEqual(await countersOf(app, bob), before);
    // In one's own trash it may lie.
    await expectJson(
      await copy(app, ada, shared.original, shared.assetId),
      201,
    );
  });
});

Deno.test("another role, hash or size is 422, and so is a manifest", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original, metadata, manifest } = await createAsset(
      app,
      ada,
      "photo",
    );
    const other = ciphertext("other", original.length);
    const copied = (bytes: Uint8Array, over: Over = {}) =>
      copy(app, ada, bytes, assetId, over);
    const cases: [string, Promise<Response>][] = [
      ["/blob_role", copied(original, { role: "derivative" })],
      ["/blob_role", copied(metadata)],
      ["/blob_role", copied(manifest, { role: "provenance" })],
      ["/blob_role", copied(other, { role: "provenance" })],
      ["/size", copied(original, { request: { size: 4_999 } })],
      ["/manifest_envelope/ciphertext_hash", copied(other)],
    ];
    for (const [pointer, answer] of cases) {
      const refusal = await expectProblem(
        await answer,
        "error.manifest.mismatch",
      );
      const paths = refusal.errors.map(({ path }: Json) => path);
      assert.deepEqual(paths, [pointer]);
    }
    const both = { request: { adopts: uuidOf("a contribution") } };
    for (
      const answer of [
        await copied(original, both),
        await copy(app, ada, original, "x"),
      ]
    ) {
      const refusal = await expectProblem(answer, "error.request.invalid");
      assert.equal(refusal.errors[0].path, "/copies");
    }
    assert.equal((await listReceipts(app, ada)).length, 3);
  });
});

async function listReceipts(app: TestApp, person: Person): Promise<Json[]> {
  return (await (await app.send("GET", "/v1/receipts", person)).json())
    .receipts;
}

Deno.test("a copy of what is others' counts in the caller's quota, and none is made beyond it", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, bob, "shared");
    await publishRoster(app, bob, albumId, 1, [{ member: ada.userId }]);
    const asset = await createAsset(app, bob, "photo", { albumId });
    const { assetId, original } = asset;
    const before = await countersOf(app, ada);
    const setQuota = (bytes: number) =>
      app.app.db.updateTable("usage").set({ quota_bytes: bytes })
        .where("user_id", "=", ada.userId as Json).execute();
    await setQuota(before.used + original.length - 1);
    await expectProblem(
      await copy(app, ada, original, assetId),
      "error.storage.quota_exceeded",
    );
    assert.deepEqual(await countersOf(app, ada), before);
    assert.equal((await listReceipts(app, ada)).length, 0);
    await setQuota(before.used + original.length);
    await expectJson(await copy(app, ada, original, assetId), 201);
    assert.equal((await countersOf(app, ada)).used, original.length);
  });
});

Deno.test("a derivative attaches to a live asset at once", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const one = await createAsset(app, ada, "one");
    const two = await createAsset(app, ada, "two");
    const thumbnail = ciphertext("thumbnail", 80);
    const role = "derivative";
    await uploadBlob(app, ada, thumbnail, { fileId: one.assetId, role });
    const to = { fileId: two.assetId, role };
    await expectJson(await copy(app, ada, thumbnail, one.assetId, to), 201);
    assert.equal(await statusOfBlob(app, ada, two.assetId, thumbnail), 200);
  });
});

Deno.test("nothing is signed for a blob whose file is lost", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original } = await createAsset(app, ada, "photo");
    await damageBlob(app, hashOf(original), "a missing file");
    await expectProblem(
      await copy(app, ada, original, assetId),
      "error.asset.not_found",
    );
    assert.equal((await listReceipts(app, ada)).length, 3);
    const errors = app.logged.filter(({ level }) => level === "error");
    assert.match(errors.map(({ message }) => message).join(), /is lost/);
    app.logged.length = 0;
  });
});

Deno.test("what is taken down, or let go of, while a copy is being made is not copied", async () => {
  let between: ((path: string) => Promise<void>) | undefined;
  const stat = async (path: string) => {
    await between?.(path);
    return await denoFiles.stat(path);
  };
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const ends: ((assetId: string) => Promise<unknown>)[] = [
      (assetId) => mark(app, assetId, { withheld_at: app.clock.now }),
      async (assetId) => {
        await trash(app, ada, assetId);
        await expectEmpty(await sendPurge(app, ada, assetId), 204);
      },
    ];
    for (const [n, end] of ends.entries()) {
      const { assetId, original } = await createAsset(app, ada, `photo ${n}`);
      // After the first look, and before anything is written.
      between = async (path) => {
        if (!path.endsWith(hashOf(original))) return;
        between = undefined;
        await end(assetId);
      };
      const before = await listReceipts(app, ada);
      await expectProblem(
        await copy(app, ada, original, assetId),
        "error.asset.not_found",
      );
      assert.equal(between, undefined);
      assert.deepEqual(await listReceipts(app, ada), before);
      await expectConsistent(app);
    }
  }, { files: { ...denoFiles, stat } });
});

Deno.test("a copy is a write: in no album that the caller only reads, to no asset that is deleted, of no suspended account", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const asset = await createAsset(app, ada, "photo", { albumId });
    const { assetId, original } = asset;
    await expectProblem(
      await copy(app, bob, original, assetId, { albumId }),
      "error.album.role_forbidden",
    );
    const deleted = await createAsset(app, bob, "deleted");
    await trash(app, bob, deleted.assetId);
    const to = { fileId: deleted.assetId };
    await expectProblem(
      await copy(app, bob, original, assetId, to),
      "error.manifest.mismatch",
    );
    await suspend(app, bob);
    await expectProblem(
      await copy(app, bob, original, assetId),
      "error.account.suspended",
    );
  });
});

Deno.test("a guest's file is adopted as before there were copies", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    const bytes = ciphertext("given", 1_000);
    const { upload_id } = await contribute(app, link, bytes);
    await expectJson(await adopt(app, ada, bytes, upload_id), 201);
    const manifest = ciphertext("manifest", 40);
    const applied = await sendManifest(app, ada, FILE, manifest);
    await expectJson(applied, 200);
    const to = { fileId: uuidOf("second") };
    await expectJson(await copy(app, ada, bytes, FILE, to), 201);
    await expectConsistent(app);
  });
});

Deno.test("a photo in several assets of an account counts once, in use as long as one is, and in the trash until the last is gone", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const first = await createAsset(app, ada, "photo", { length: 1_000 });
    const alone = await countersOf(app, ada);
    const others: string[] = [];
    for (const name of ["second", "third"]) {
      const fileId = uuidOf(name);
      await expectJson(
        await copy(app, ada, first.original, first.assetId, { fileId }),
        201,
      );
      const manifest = ciphertext(`manifest of ${name}`, 90);
      await expectJson(
        await sendManifest(app, ada, fileId, manifest, {
          original: first.original,
        }),
        200,
      );
      others.push(fileId);
    }
    const [second = "", third = ""] = others;
    // The manifests are blobs of their own.
    const all = await countersOf(app, ada);
    assert.equal(all.used - alone.used, 2 * 90);
    await expectConsistent(app);

    await trash(app, ada, first.assetId);
    let now = await countersOf(app, ada);
    assert.equal(now.used + now.trash, all.used);
    assert.equal(now.trash, alone.used - 1_000);
    await trash(app, ada, second);
    await later(app, ada, 60_000);
    await trash(app, ada, third);
    now = await countersOf(app, ada);
    assert.deepEqual([now.used, now.trash], [0, all.used]);
    await expectConsistent(app);

    await restore(app, ada, second);
    now = await countersOf(app, ada);
    assert.deepEqual([now.used, now.trash], [1_090, all.used - 1_090]);
    await expectEmpty(await sendPurge(app, ada, third), 204);
    await expectEmpty(await sendPurge(app, ada, first.assetId), 204);
    now = await countersOf(app, ada);
    assert.deepEqual([now.used, now.trash], [1_090, 0]);
    await trash(app, ada, second);
    await collect(app);
    await expectEmpty(await sendPurge(app, ada, second), 204);
    now = await countersOf(app, ada);
    assert.deepEqual([now.used, now.trash], [0, 0]);
    await expectConsistent(app);
    await expectCounted(app);
  });
});

Deno.test("a copy of what an account holds fits into a full quota", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original } = await createAsset(app, ada, "photo");
    await app.app.db.updateTable("usage").set({ quota_bytes: 1 }).execute();
    await expectJson(await copy(app, ada, original, assetId), 201);
    await expectConsistent(app);
  });
});
