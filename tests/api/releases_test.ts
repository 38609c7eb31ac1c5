/**
 * Derivatives that an edit replaced, and that an asset lets go of with the
 * manifest of that edit (protocol/manifests.md#releases).
 *
 * @module
 */
import assert from "node:assert/strict";
import { opRequest, provisionAlbum, sendOp } from "../support/albums.ts";
import {
  expectReadable,
  issueShare,
  readAsset,
  viewShare,
  withFaultlessApp,
} from "../support/api.ts";
import type { TestApp } from "../support/app.ts";
import { check } from "../support/check.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { operate } from "../support/moderation.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  putBytes,
  registerWriter,
  uploadBlob,
  uploadRequest,
} from "../support/people.ts";
import {
  collect,
  countersOf,
  DAY,
  expectConsistent,
  filesIn,
  later,
  statusOfBlob,
} from "../support/trash.ts";

const SMALL = ciphertext("the small picture", 600);
const SHARED = ciphertext("a small picture of two photos", 500);
const KEPT = ciphertext("a small picture that stays", 400);
const MANIFEST = ciphertext("an edit", 90);

interface Scene {
  readonly app: TestApp;
  readonly ada: Person;
  readonly albumId: string;
  readonly photo: LiveAsset;
  readonly other: LiveAsset;
}

/** What an edit of the photo says in addition to its releases. */
interface Over {
  readonly person?: Person;
  readonly manifest?: Uint8Array<ArrayBuffer>;
  readonly prior?: Uint8Array;
  readonly request?: Json;
}

/** Applies a manifest that releases derivatives of the photo. */
type Release = (scene: Scene, releases: Json, over?: Over) => Promise<Response>;

const byOp: Release = ({ app, ada, albumId, photo }, releases, over = {}) => {
  const { person = ada, manifest = MANIFEST, prior, request } = over;
  const body = opRequest(person, albumId, photo.assetId, manifest, {
    action: "replace",
    original: photo.original,
    prior: hashOf(prior ?? photo.manifest),
    request: { releases, ...request },
  });
  return sendOp(app, person, albumId, body);
};

const bySession: Release = async (scene, releases, over = {}) => {
  const { app, ada, albumId, photo } = scene;
  const { person = ada, manifest = MANIFEST, prior, request } = over;
  const created = await app.send("POST", "/v1/upload", {
    token: person.token,
    json: uploadRequest(person, manifest, {
      role: "provenance",
      fileId: photo.assetId,
      albumId,
      envelope: {
        action: "replace",
        original_blob_hash: hashOf(photo.original),
        prior_provenance_hash: hashOf(prior ?? photo.manifest),
      },
      request: { releases, ...request },
    }),
  });
  if (!created.ok) return created;
  const { upload_id } = await created.json();
  return await putBytes(app, person, upload_id, manifest);
};

const WAYS: Record<string, Release> = {
  "a lifecycle write": byOp,
  "a provenance session": bySession,
};

/** Runs a story over a photo with small pictures, each way, then checks all. */
function tells(
  sentence: (way: string) => string,
  story: (scene: Scene, release: Release) => Promise<void>,
) {
  for (const [way, release] of Object.entries(WAYS)) {
    Deno.test(sentence(way), async () => {
      await withFaultlessApp(async (app) => {
        const ada = await registerWriter(app, "ada");
        const albumId = await provisionAlbum(app, ada, "album");
        const photo = await createAsset(app, ada, "photo", { albumId });
        const other = await createAsset(app, ada, "other", { albumId });
        for (const bytes of [SMALL, SHARED, KEPT]) {
          await addDerivative(app, ada, photo, albumId, bytes);
        }
        await addDerivative(app, ada, other, albumId, SHARED);
        await story({ app, ada, albumId, photo, other }, release);
        await expectConsistent(app);
        assert.deepEqual((await check(app, { deep: true })).findings, []);
      });
    });
  }
}

function addDerivative(
  app: TestApp,
  person: Person,
  { assetId: fileId }: LiveAsset,
  albumId: string,
  bytes: Uint8Array<ArrayBuffer>,
) {
  return uploadBlob(app, person, bytes, {
    role: "derivative",
    fileId,
    albumId,
  });
}

/** The derivatives that the photo holds, sorted. */
async function derivativesOf({ app, ada, photo }: Scene): Promise<string[]> {
  const { blobs } = await readAsset(app, ada, photo.assetId);
  return blobs.filter(({ role }: Json) => role === "derivative")
    .map(({ hash }: Json) => hash).toSorted();
}

async function receiptsOf({ app }: Scene): Promise<Json> {
  return await app.app.db.selectFrom("receipt").select("receipt_hash")
    .orderBy("receipt_seq").execute();
}

tells(
  (way) => `${way} lets go of small pictures, which are collected at once`,
  async (scene, release) => {
    const { app, ada, photo, other } = scene;
    await collect(app);
    const { used } = await countersOf(app, ada);
    const receipts = await receiptsOf(scene);
    const releases = [SMALL, SHARED].map(hashOf);
    const first = await expectJson(await release(scene, releases), 200);
    assert.equal(first.replayed, false);
    assert.deepEqual(await derivativesOf(scene), [hashOf(KEPT)]);
    assert.equal(await statusOfBlob(app, ada, photo.assetId, SMALL), 404);
    // The other photo still holds the shared one.
    const gone = SMALL.length + photo.metadata.length;
    assert.deepEqual(await countersOf(app, ada), {
      used: used - gone + MANIFEST.length,
      reserved: 0,
      trash: 0,
    });
    const { blobs } = await collect(app);
    assert.deepEqual(blobs, {
      count: 2,
      bytes: SMALL.length + photo.metadata.length,
    });
    assert.equal((await filesIn(app, "blobs")).has(hashOf(SMALL)), false);
    // The other photo has the same blob.
    await expectReadable(app, ada, other.assetId, SHARED);
    const since = await receiptsOf(scene);
    assert.deepEqual(since.slice(0, receipts.length), receipts);
    const again = await expectJson(await release(scene, releases), 200);
    assert.deepEqual(again, { ...first, replayed: true });
  },
);

tells(
  (way) => `${way} is answered alike when its session is long gone`,
  async (scene, release) => {
    const releases = [hashOf(SMALL)];
    const { sync_seq } = await expectJson(await release(scene, releases), 200);
    const ada = await later(scene.app, scene.ada, 40 * DAY);
    await collect(scene.app);
    const again = await release({ ...scene, ada }, releases);
    const answer = await expectJson(again, 200);
    assert.deepEqual([answer.sync_seq, answer.replayed], [sync_seq, true]);
  },
);

tells(
  (way) => `${way} releases only derivatives of that asset, or writes nothing`,
  async (scene, release) => {
    const { app, ada, albumId, photo, other } = scene;
    const bob = await registerWriter(app, "bob");
    const bobs = ciphertext("a small picture of bob's", 300);
    const others = ciphertext("a small picture of the other photo", 300);
    const more = ciphertext("never uploaded", 300);
    await addDerivative(app, ada, other, albumId, others);
    const theirs = await createAsset(app, bob, "bobs");
    await uploadBlob(app, bob, bobs, {
      role: "derivative",
      fileId: theirs.assetId,
    });
    const many = Array.from(
      { length: 17 },
      (_, index) => ciphertext(`small ${index}`, 50),
    );
    for (const bytes of many) {
      await addDerivative(app, ada, photo, albumId, bytes);
    }
    const held = await derivativesOf(scene);
    const counters = await countersOf(app, ada);
    const rows = async () => [
      await receiptsOf(scene),
      await app.app.db.selectFrom("upload").selectAll().execute(),
      await app.app.db.selectFrom("holding").selectAll().execute(),
    ];
    const before = await rows();
    const refused: Record<string, [Uint8Array[], path: string]> = {
      "the original": [[photo.original], "/releases/0"],
      "its metadata": [[photo.metadata], "/releases/0"],
      "its manifest": [[photo.manifest], "/releases/0"],
      "the manifest that comes": [[MANIFEST], "/releases/0"],
      "another photo's": [[SMALL, others], "/releases/1"],
      "another account's": [[bobs], "/releases/0"],
      "one never uploaded": [[SMALL, SHARED, more], "/releases/2"],
      "one twice": [[SMALL, KEPT, SMALL], "/releases/2"],
      "seventeen": [many, "/releases"],
    };
    for (const [what, [blobs, path]] of Object.entries(refused)) {
      const answer = await release(scene, blobs.map(hashOf));
      const { errors } = await expectProblem(answer, "error.manifest.mismatch");
      assert.deepEqual(errors.map((one: Json) => one.path), [path], what);
    }
    for (const releases of ["all", [1], [hashOf(SMALL).toUpperCase()]]) {
      const answer = await release(scene, releases);
      await expectProblem(answer, "error.request.invalid");
    }
    assert.deepEqual(await rows(), before);
    assert.deepEqual(await derivativesOf(scene), held);
    assert.deepEqual(await countersOf(app, ada), counters);
    await expectJson(
      await release(scene, many.slice(0, 16).map(hashOf)),
      200,
    );
    const third = ciphertext("a third manifest", 80);
    const none = { manifest: third, prior: MANIFEST };
    await expectJson(await release(scene, [], none), 200);
    assert.equal((await derivativesOf(scene)).length, held.length - 16);
  },
);

tells(
  (way) => `a small picture that ${way} released comes back by an upload`,
  async (scene, release) => {
    const { app, ada, albumId, photo } = scene;
    await expectJson(await release(scene, [hashOf(SMALL)]), 200);
    await addDerivative(app, ada, photo, albumId, SMALL);
    await expectReadable(app, ada, photo.assetId, SMALL);
    const again = {
      manifest: ciphertext("a third manifest", 80),
      prior: MANIFEST,
    };
    await expectJson(await release(scene, [hashOf(SMALL)], again), 200);
    assert.equal(await statusOfBlob(app, ada, photo.assetId, SMALL), 404);
  },
);

tells(
  (way) => `what ${way} releases stays as long as a legal hold lasts`,
  async (scene, release) => {
    const { app, ada, photo } = scene;
    await operate(app, "hold", photo.assetId);
    const { used } = await countersOf(app, ada);
    await expectJson(await release(scene, [hashOf(SMALL)]), 200);
    assert.equal((await derivativesOf(scene)).includes(hashOf(SMALL)), false);
    await collect(app);
    assert.equal((await filesIn(app, "blobs")).has(hashOf(SMALL)), true);
    const after = await countersOf(app, ada);
    assert.equal(after.used, used + MANIFEST.length);
  },
);

tells(
  (way) => `a link shows what ${way} released only where another photo has it`,
  async (scene, release) => {
    const { app, ada, other } = scene;
    const shown = [other.original, SMALL, SHARED].map(hashOf);
    const link = await issueShare(app, ada, "link", shown);
    await expectJson(await release(scene, [SMALL, SHARED].map(hashOf)), 200);
    await collect(app);
    const status = async (bytes: Uint8Array) => {
      const answer = await viewShare(app, `${link}/blob/${hashOf(bytes)}`);
      await answer.body?.cancel();
      return answer.status;
    };
    assert.deepEqual([await status(SMALL), await status(SHARED)], [404, 200]);
  },
);

Deno.test("a lifecycle write does not release what it takes", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "album");
    const photo = await createAsset(app, ada, "photo", { albumId });
    const other = await createAsset(app, ada, "other", { albumId });
    for (const asset of [photo, other]) {
      await addDerivative(app, ada, asset, albumId, SHARED);
    }
    const scene = { app, ada, albumId, photo, other };
    const answer = await byOp(scene, [hashOf(SHARED)], {
      request: {
        blobs: [{
          blob_role: "derivative",
          ciphertext_hash: hashOf(SHARED),
          size: SHARED.length,
          copies: other.assetId,
        }],
      },
    });
    await expectProblem(answer, "error.manifest.mismatch");
    await expectReadable(app, ada, photo.assetId, SHARED);
  });
});

Deno.test("only a manifest that is sent releases, and a repeated create the same", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const photo = await createAsset(app, ada, "photo");
    const { assetId: fileId } = photo;
    for (const bytes of [SMALL, KEPT]) {
      await uploadBlob(app, ada, bytes, { role: "derivative", fileId });
    }
    const create = (role: string, request: Json) =>
      app.send("POST", "/v1/upload", {
        token: ada.token,
        json: uploadRequest(ada, MANIFEST, { role, fileId, request }),
      });
    const releases = [hashOf(SMALL)];
    for (const role of ["original", "derivative", "metadata"]) {
      await expectProblem(
        await create(role, { releases }),
        "error.manifest.mismatch",
      );
    }
    for (const way of ["adopts", "copies", "heals"]) {
      await expectProblem(
        await create("provenance", { releases, [way]: fileId }),
        "error.request.invalid",
      );
    }
    const made = await expectJson(
      await create("provenance", { releases }),
      201,
    );
    const again = await create("provenance", { releases });
    assert.deepEqual(await expectJson(again, 200), made);
    for (const others of [[], [hashOf(KEPT)], undefined]) {
      await expectProblem(
        await create("provenance", { releases: others }),
        "error.manifest.mismatch",
      );
    }
  });
});
