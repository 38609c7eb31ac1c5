/**
 * The trash: who may delete and restore, and who reads what is in it
 * (protocol/manifests.md#trash).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  beginUpgrade,
  endUpgrade,
  intentBytes,
  publishRoster,
} from "../support/albums.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  registerPerson,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import {
  expectBytes,
  expectSameAnswers,
  issueShare,
  readAsset,
  readBlob,
  suspend,
  viewShare,
  withFaultlessApp,
} from "../support/api.ts";
import {
  countersOf,
  DAY,
  later,
  mark,
  restore,
  sendDelete,
  sendRestore,
  statusOfBlob,
  trash,
} from "../support/trash.ts";
import { sizeOf, withAlbum } from "../support/trash_album.ts";

Deno.test("an unknown, a pending, a withheld, a gone and a foreign asset are one 404 on both", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    let eve = await registerPerson(app, "eve");
    const foreign = await createAsset(app, ada, "foreign");
    const withheld = await createAsset(app, ada, "withheld");
    const withheldTrash = await createAsset(app, ada, "withheld trash");
    const gone = await createAsset(app, ada, "gone");
    await trash(app, ada, withheldTrash.assetId);
    await trash(app, ada, gone.assetId);
    await mark(app, withheld.assetId, { withheld_at: app.clock.now });
    await mark(app, withheldTrash.assetId, {
      withheld_at: app.clock.now,
      held_at: app.clock.now,
    });
    ada = await later(app, ada, 30 * DAY);
    eve = await later(app, eve, 0);
    const pending = uuidOf("pending");
    await uploadBlob(app, ada, ciphertext("pending", 50), { fileId: pending });
    for (const send of [sendDelete, sendRestore]) {
      for (const purged of [false, true]) {
        if (purged) await app.purge();
        await expectSameAnswers({
          unknown: await send(app, ada, uuidOf("unknown")),
          pending: await send(app, ada, pending),
          withheld: await send(app, ada, withheld.assetId),
          "withheld in the trash": await send(app, ada, withheldTrash.assetId),
          gone: await send(app, ada, gone.assetId),
          foreign: await send(app, eve, foreign.assetId),
          "pending of another": await send(app, eve, pending),
          "gone of another": await send(app, eve, gone.assetId),
        });
      }
    }
    const answer = await sendDelete(app, ada, gone.assetId);
    await expectProblem(answer, "error.asset.not_found");
    assert.equal((await readAsset(app, ada, foreign.assetId)).state, "live");
  });
});

Deno.test("those who only read an asset in its album are refused by their role", async () => {
  await withAlbum(async ({ app, cleo, vic, bob, asset }) => {
    const { assetId } = asset;
    for (const person of [cleo, vic]) {
      for (const send of [sendDelete, sendRestore]) {
        await expectProblem(
          await send(app, person, assetId),
          "error.album.role_forbidden",
        );
      }
    }
    assert.equal((await readAsset(app, bob, assetId)).state, "live");
    await trash(app, bob, assetId);
    for (const person of [cleo, vic]) {
      await expectProblem(
        await sendRestore(app, person, assetId),
        "error.album.role_forbidden",
      );
    }
    assert.equal((await readAsset(app, bob, assetId)).state, "deleted");
  });
});

Deno.test("the album's owner deletes any asset in it, and alone restores what they deleted", async () => {
  await withAlbum(async ({ app, ada, bob, asset }) => {
    const { assetId } = asset;
    const deleted = await trash(app, ada, assetId);
    assert.equal(deleted.owner, bob.userId);
    assert.deepEqual(await readAsset(app, bob, assetId), deleted);
    // The bytes are the asset owner's.
    const size = sizeOf(asset);
    const counters = { used: 0, reserved: 0, trash: size };
    assert.deepEqual(await countersOf(app, bob), counters);
    assert.equal((await countersOf(app, ada)).trash, 0);
    await expectProblem(
      await sendRestore(app, bob, assetId),
      "error.album.role_forbidden",
    );
    // After a second deletion no other account can restore it.
    await trash(app, bob, assetId);
    await expectProblem(
      await sendRestore(app, bob, assetId),
      "error.album.role_forbidden",
    );
    const restored = await restore(app, ada, assetId);
    assert.equal(restored.state, "live");
    assert.equal((await countersOf(app, bob)).used, size);

    await trash(app, bob, assetId);
    await expectProblem(
      await sendRestore(app, ada, assetId),
      "error.album.role_forbidden",
    );
    assert.equal((await restore(app, bob, assetId)).state, "live");
  });
});

Deno.test("blobs in the trash are the asset owner's alone", async () => {
  await withAlbum(async ({ app, ada, bob, cleo, vic, asset }) => {
    const { assetId, original, metadata, manifest } = asset;
    const link = await issueShare(app, bob, "link", [hashOf(original)]);
    const shared = async () => {
      const path = `${link}/blob/${hashOf(original)}`;
      const response = await viewShare(app, path);
      await response.body?.cancel();
      return response.status;
    };
    for (const deleter of [ada, bob]) {
      await trash(app, deleter, assetId);
      for (const bytes of [original, metadata, manifest]) {
        const mine = await readBlob(app, bob, assetId, hashOf(bytes));
        expectBytes(await mine.arrayBuffer(), bytes);
        for (const person of [ada, cleo, vic]) {
          assert.equal(await statusOfBlob(app, person, assetId, bytes), 404);
        }
      }
      assert.equal(await shared(), 404);
      // That it is there, and deleted, the album's readers are told.
      assert.equal((await readAsset(app, vic, assetId)).state, "deleted");
      await restore(app, deleter, assetId);
      assert.equal(await shared(), 200);
      for (const person of [ada, bob, cleo, vic]) {
        assert.equal(await statusOfBlob(app, person, assetId, original), 200);
      }
    }
  });
});

Deno.test("a suspended account deletes and does not restore", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    await suspend(app, ada);
    assert.equal((await trash(app, ada, assetId)).state, "deleted");
    await expectProblem(
      await sendRestore(app, ada, assetId),
      "error.account.suspended",
    );
  });
});

Deno.test("in a tombstoned album an asset is deleted, and restored as well", async () => {
  await withAlbum(async ({ app, ada, bob, albumId, asset }) => {
    const intent = await intentBytes(ada, albumId, "up");
    await expectJson(await beginUpgrade(app, ada, albumId, intent), 200);
    await expectJson(await endUpgrade(app, ada, albumId, "commit", "up"), 200);
    await trash(app, bob, asset.assetId);
    await expectJson(await sendRestore(app, bob, asset.assetId), 200);
    const restored = await readAsset(app, bob, asset.assetId);
    assert.equal(restored.state, "live");
  });
});

Deno.test("who may not write to the album any more deletes there, and does not restore", async () => {
  await withAlbum(async ({ app, ada, bob, albumId, asset }) => {
    const rosters = [[{ member: bob.userId, role: "viewer" }], []];
    for (const [index, members] of rosters.entries()) {
      await publishRoster(app, ada, albumId, index + 2, members);
      await trash(app, bob, asset.assetId);
      await expectProblem(
        await sendRestore(app, bob, asset.assetId),
        "error.album.role_forbidden",
      );
    }
    const bytes = asset.original;
    assert.equal(await statusOfBlob(app, bob, asset.assetId, bytes), 200);
    await publishRoster(app, ada, albumId, 4, [
      { member: bob.userId, role: "contributor" },
    ]);
    assert.equal((await restore(app, bob, asset.assetId)).state, "live");
  });
});
