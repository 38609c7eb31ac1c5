/**
 * Writing to an asset that was taken down: nothing that an account does lifts a
 * take-down, or adds to what is withheld (protocol/moderation.md#assets).
 *
 * @module
 */
import assert from "node:assert/strict";
import { sleep } from "../../src/server/sleep.ts";
import { opRequest, readFeed, sendOp } from "../support/albums.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  operate,
  statusOf,
  withOwnAsset,
  withSharedAlbum,
} from "../support/moderation.ts";
import {
  ciphertext,
  createUpload,
  hashOf,
  patchBytes,
  putBytes,
  registerWriter,
  uploadBlob,
  uploadRequest,
} from "../support/people.ts";
import { readAsset } from "../support/api.ts";
import { finalize } from "../support/uploads.ts";

const NOT_FOUND = "error.asset.not_found";
const REFUSED = "error.asset.stale_revival";

Deno.test("a withheld asset is not replaced: there is no chain to continue", async () => {
  await withSharedAlbum(async (app, { bob, albumId, asset }) => {
    const edited = ciphertext("edited", 80);
    await uploadBlob(app, bob, edited, { fileId: asset.assetId, albumId });
    await operate(app, "takeDown", asset.assetId);
    const prior = hashOf(asset.manifest);
    const before = await readFeed(app, bob.token);
    const op = opRequest(
      bob,
      albumId,
      asset.assetId,
      ciphertext("replace", 70),
      {
        action: "replace",
        original: edited,
        metadata: asset.metadata,
        prior,
      },
    );
    const refusal = await expectProblem(
      await sendOp(app, bob, albumId, op),
      REFUSED,
    );
    assert.equal(refusal.chain_head, null);
    assert.deepEqual(await readFeed(app, bob.token), before);
    await operate(app, "reinstate", asset.assetId);
    const still = await readAsset(app, bob, asset.assetId);
    assert.equal(still.chain_head, prior);
    // The same write is taken once nothing withholds the asset.
    await expectJson(await sendOp(app, bob, albumId, op), 200);
  });
});

Deno.test("a withheld asset is not created again", async () => {
  await withSharedAlbum(async (app, { bob, albumId, asset }) => {
    await operate(app, "takeDown", asset.assetId);
    const { original, metadata } = asset;
    const refusal = await expectProblem(
      await sendOp(
        app,
        bob,
        albumId,
        opRequest(bob, albumId, asset.assetId, ciphertext("anew", 70), {
          original,
          metadata,
        }),
      ),
      REFUSED,
    );
    // As for a deleted asset: it is no conflict of chains.
    assert.equal("chain_head" in refusal, false);
    await expectProblem(
      await app.send("GET", `/v1/assets/${asset.assetId}`, {
        token: bob.token,
      }),
      NOT_FOUND,
    );
  });
});

Deno.test("a manifest applied before the take-down is still a replay, and lifts nothing", async () => {
  await withSharedAlbum(async (app, { bob, albumId, asset }) => {
    const op = opRequest(
      bob,
      albumId,
      asset.assetId,
      ciphertext("replace", 70),
      {
        action: "replace",
        original: asset.original,
        prior: hashOf(asset.manifest),
      },
    );
    const first = await expectJson(await sendOp(app, bob, albumId, op), 200);
    await operate(app, "takeDown", asset.assetId);
    assert.deepEqual(
      await expectJson(await sendOp(app, bob, albumId, op), 200),
      { ...first, replayed: true },
    );
    await expectProblem(
      await app.send("GET", `/v1/assets/${asset.assetId}`, {
        token: bob.token,
      }),
      NOT_FOUND,
    );
  });
});

Deno.test("no upload begins for a withheld asset, by its owner or by another", async () => {
  await withOwnAsset(async (app, ada, asset) => {
    const eve = await registerWriter(app, "eve");
    const held = await createUpload(app, ada, ciphertext("held", 50), {
      fileId: asset.assetId,
      role: "derivative",
    });
    await operate(app, "takeDown", asset.assetId);
    for (const person of [ada, eve]) {
      for (const role of ["original", "derivative", "metadata", "provenance"]) {
        const refusal = await expectProblem(
          await app.send("POST", "/v1/upload", {
            token: person.token,
            json: uploadRequest(person, ciphertext("new", 60), {
              fileId: asset.assetId,
              role,
            }),
          }),
          "error.manifest.mismatch",
        );
        assert.deepEqual(refusal.errors, [
          { path: "/manifest_envelope/file_id", message: "is taken" },
        ]);
      }
    }
    // Nor is the one that the owner has handed out again.
    await expectProblem(
      await app.send("POST", "/v1/upload", {
        token: ada.token,
        json: uploadRequest(ada, ciphertext("held", 50), {
          fileId: asset.assetId,
          role: "derivative",
        }),
      }),
      "error.manifest.mismatch",
    );
    await expectEmpty(
      await app.send("DELETE", `/v1/upload/${held.upload_id}`, {
        token: ada.token,
      }),
      204,
    );
  });
});

Deno.test("an upload that was open takes bytes, is not finalized while withheld, and is afterwards", async () => {
  await withOwnAsset(async (app, ada, asset) => {
    const roles = ["original", "derivative", "metadata"];
    const open = [];
    for (const role of roles) {
      const bytes = ciphertext(`late ${role}`, 50);
      const { upload_id } = await createUpload(app, ada, bytes, {
        fileId: asset.assetId,
        role,
      });
      open.push({ bytes, id: upload_id });
    }
    await operate(app, "takeDown", asset.assetId);
    for (const { bytes, id } of open) {
      assert.equal(
        await statusOf(await patchBytes(app, ada, id, 0, bytes)),
        204,
      );
      const refusal = await expectProblem(
        await finalize(app, ada, id),
        REFUSED,
      );
      assert.equal("chain_head" in refusal, false);
      await expectProblem(await putBytes(app, ada, id, bytes), REFUSED);
    }
    const receipts = await expectJson(
      await app.send("GET", `/v1/assets/${asset.assetId}/receipts`, {
        token: ada.token,
      }),
      200,
    );
    assert.equal(receipts.receipts.length, 3);
    await operate(app, "reinstate", asset.assetId);
    for (const { id } of open) {
      await expectJson(await finalize(app, ada, id), 200);
    }
    const { blobs } = await readAsset(app, ada, asset.assetId);
    assert.deepEqual(
      blobs.map(({ role }: Json) => role).toSorted(),
      ["derivative", "metadata", "original", "provenance"],
    );
  });
});

Deno.test("a finalized upload of a withheld asset still replays its receipt", async () => {
  await withOwnAsset(async (app, ada, asset) => {
    const bytes = ciphertext("thumbnail", 40);
    const { upload_id } = await createUpload(app, ada, bytes, {
      fileId: asset.assetId,
      role: "derivative",
    });
    const first = await expectJson(
      await putBytes(app, ada, upload_id, bytes),
      200,
    );
    await operate(app, "takeDown", asset.assetId);
    assert.deepEqual(
      await expectJson(await finalize(app, ada, upload_id), 200),
      { ...first, replayed: true },
    );
  });
});

Deno.test("a write that races a take-down never brings the asset back", async () => {
  await withSharedAlbum(async (app, { bob, albumId, asset }) => {
    let prior = hashOf(asset.manifest);
    for (
      const [round, delayMs] of [0, 1, 2, 4, 6, 8, 12, 16, 32, 100].entries()
    ) {
      const manifest = ciphertext(`racing ${round}`, 70);
      const bytes = ciphertext(`derivative ${round}`, 30);
      const { upload_id } = await createUpload(app, bob, bytes, {
        fileId: asset.assetId,
        albumId,
        role: "derivative",
      });
      const op = opRequest(bob, albumId, asset.assetId, manifest, {
        action: "replace",
        original: asset.original,
        prior,
      });
      const writes = [
        () => sendOp(app, bob, albumId, op),
        () => putBytes(app, bob, upload_id, bytes),
      ];
      // From before the writes to after them, whatever machine this is.
      const takeDown = async () => {
        await sleep(delayMs, new AbortController().signal);
        await operate(app, "takeDown", asset.assetId);
      };
      const [written, uploaded] = await Promise.all([
        ...writes.map((write) => write()),
        takeDown(),
      ]);
      await uploaded?.body?.cancel();
      assert([200, 409].includes(written?.status ?? 0));
      assert([200, 409].includes(uploaded?.status ?? 0));
      await written?.body?.cancel();
      const path = `/v1/assets/${asset.assetId}`;
      await expectProblem(
        await app.send("GET", path, { token: bob.token }),
        NOT_FOUND,
      );
      await operate(app, "reinstate", asset.assetId);
      if (written?.status === 200) prior = hashOf(manifest);
      const { chain_head, blobs } = await readAsset(app, bob, asset.assetId);
      assert.equal(chain_head, prior);
      assert.equal(
        blobs.some(({ hash }: Json) => hash === hashOf(bytes)),
        uploaded?.status === 200,
      );
    }
  });
});
