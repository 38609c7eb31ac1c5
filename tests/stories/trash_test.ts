/**
 * The trash: who deletes and restores, what the answers are, and what others
 * see of it (protocol/manifests.md#trash).
 *
 * @module
 */
import assert from "node:assert/strict";
import { START_MS, type TestApp, withTestApp } from "../support/app.ts";
import {
  beginUpgrade,
  endUpgrade,
  intentBytes,
  OLD_PROTOCOL,
  provisionAlbum,
  publishRoster,
  readFeed,
} from "../support/albums.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerPerson,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import {
  expectBytes,
  expectSameAnswers,
  issueShare,
  readAsset,
  readBlob,
  sendManifest,
  suspend,
  viewShare,
  withFaultlessApp,
} from "../support/stories.ts";
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

interface Cast {
  readonly app: TestApp;
  /** Owns the album. */
  readonly ada: Person;
  /** Contributes; the asset is his. */
  readonly bob: Person;
  /** Contributes as well. */
  readonly cleo: Person;
  /** Only looks. */
  readonly vic: Person;
  /** Has nothing to do with it. */
  readonly eve: Person;
  readonly albumId: string;
  readonly asset: LiveAsset;
}

async function withAlbum(test: (cast: Cast) => Promise<void>): Promise<void> {
  await withFaultlessApp(async (app) => {
    const [ada, bob, cleo] = [
      await registerWriter(app, "ada"),
      await registerWriter(app, "bob"),
      await registerWriter(app, "cleo"),
    ];
    const vic = await registerPerson(app, "vic");
    const eve = await registerPerson(app, "eve");
    const albumId = await provisionAlbum(app, ada, "shared", OLD_PROTOCOL);
    await publishRoster(app, ada, albumId, 1, [
      { member: bob.userId, role: "contributor" },
      { member: cleo.userId, role: "contributor" },
      { member: vic.userId, role: "viewer" },
    ]);
    const asset = await createAsset(app, bob, "photo", { albumId });
    await test({ app, ada, bob, cleo, vic, eve, albumId, asset });
  });
}

function sizeOf({ original, metadata, manifest }: LiveAsset): number {
  return original.length + metadata.length + manifest.length;
}

Deno.test("deleting moves an asset to the trash, restoring brings it back with its chain", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, manifest } = await createAsset(app, ada, "photo");
    const before = await readAsset(app, ada, assetId);
    app.clock.advance(60_000);
    const deleted = await trash(app, ada, assetId);
    assert.equal(deleted.state, "deleted");
    assert.equal(Date.parse(deleted.deleted_at), START_MS + 60_000);
    assert.equal(Date.parse(deleted.updated_at), START_MS + 60_000);
    assert.equal(deleted.chain_head, hashOf(manifest));
    assert.deepEqual(deleted.blobs, before.blobs);
    assert(deleted.sync_seq > before.sync_seq);
    assert.deepEqual(await readAsset(app, ada, assetId), deleted);
    app.clock.advance(60_000);
    const restored = await restore(app, ada, assetId);
    const { sync_seq, updated_at, ...rest } = restored;
    assert(sync_seq > deleted.sync_seq);
    assert.equal(Date.parse(updated_at), START_MS + 120_000);
    const { sync_seq: _seq, updated_at: _at, ...was } = before;
    assert.deepEqual(rest, was);
    // The chain goes on where it was.
    const replaced = await sendManifest(app, ada, assetId, ciphertext("m", 9), {
      action: "replace",
      original: ciphertext("original photo", 5_000),
      prior: hashOf(manifest),
    });
    assert.equal((await expectJson(replaced, 200)).replayed, false);
  });
});

Deno.test("deleting a deleted asset and restoring a live one is 200 and writes nothing", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    const feed = async () => (await readFeed(app, ada.token)).entries.length;
    const live = await readAsset(app, ada, assetId);
    const entries = await feed();
    assert.deepEqual(await restore(app, ada, assetId), live);
    assert.equal(await feed(), entries);
    const deleted = await trash(app, ada, assetId);
    const counters = await countersOf(app, ada);
    app.clock.advance(60_000);
    assert.deepEqual(await trash(app, ada, assetId), deleted);
    // A hold that came later does not make it an answer of another kind.
    await mark(app, assetId, { held_at: app.clock.now });
    assert.deepEqual(await trash(app, ada, assetId), deleted);
    assert.equal(await feed(), entries + 1);
    assert.deepEqual(await countersOf(app, ada), counters);
  });
});

Deno.test("bytes move between the counters, and restoring asks for no quota", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo", { length: 5_000 });
    const size = sizeOf(asset);
    // Uploaded and never applied: in use wherever the asset is.
    const pending = ciphertext("pending", 70);
    await uploadBlob(app, ada, pending, { fileId: asset.assetId });
    const used = { used: size + 70, reserved: 0, trash: 0 };
    assert.deepEqual(await countersOf(app, ada), used);
    await trash(app, ada, asset.assetId);
    const moved = { used: 70, reserved: 0, trash: size };
    assert.deepEqual(await countersOf(app, ada), moved);
    // The quota counts all three: the trash makes no room.
    const refused = await app.send("POST", "/v1/upload", {
      token: ada.token,
      json: uploadRequest(
        ada,
        ciphertext("more", 500),
        { fileId: uuidOf("more") },
      ),
    });
    await expectProblem(refused, "error.storage.quota_exceeded");
    await app.app.db.updateTable("usage").set({ quota_bytes: 1 }).execute();
    await restore(app, ada, asset.assetId);
    assert.deepEqual(await countersOf(app, ada), used);
  }, { settings: { STRONGROOM_ACCOUNT_QUOTA_BYTES: "6500" } });
});

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
    // Deleting it again makes it nobody else's to restore.
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

Deno.test("delete and restore stand once in the feed of everybody who reads the asset", async () => {
  await withAlbum(async ({ app, ada, bob, cleo, eve, albumId, asset }) => {
    const start = await readFeed(app, ada.token);
    const after = `?after=${start.next_after}`;
    const deleted = await trash(app, ada, asset.assetId);
    const restored = await restore(app, ada, asset.assetId);
    for (const person of [ada, bob, cleo]) {
      for (const query of [after, `${after}&album_id=${albumId}`]) {
        const { entries } = await readFeed(app, person.token, query);
        assert.deepEqual(
          entries.map((one: Json) => ({ ...one, at: undefined })),
          [["delete", deleted], ["restore", restored]].map((
            [action, { sync_seq }],
          ) => ({
            sync_seq,
            action,
            album_id: albumId,
            asset_id: asset.assetId,
            chain_head: hashOf(asset.manifest),
            at: undefined,
          })),
        );
      }
    }
    assert.deepEqual((await readFeed(app, eve.token)).entries, []);
  });
});

Deno.test("who waits for the feed is woken by a delete", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    const { next_after } = await readFeed(app, ada.token);
    const waiting = readFeed(app, ada.token, `?after=${next_after}&wait=30`);
    await trash(app, ada, assetId);
    const { entries } = await waiting;
    assert.deepEqual(entries.map(({ action }: Json) => action), ["delete"]);
  });
});

Deno.test("a deleted asset takes no manifest: 409 without chain_head", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original, manifest } = await createAsset(app, ada, "it");
    await trash(app, ada, assetId);
    const actions = [
      { action: "create" },
      { action: "replace", prior: hashOf(manifest) },
    ] as const;
    for (const over of actions) {
      const refusal = await expectProblem(
        await sendManifest(app, ada, assetId, ciphertext(over.action, 40), {
          ...over,
          original,
        }),
        "error.asset.stale_revival",
      );
      assert.equal("chain_head" in refusal, false);
    }
  });
});

Deno.test("a derivative that is finalized for a deleted asset attaches when it is restored", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    await trash(app, ada, assetId);
    const late = ciphertext("late thumbnail", 80);
    await uploadBlob(app, ada, late, { fileId: assetId, role: "derivative" });
    assert.equal(await statusOfBlob(app, ada, assetId, late), 404);
    await restore(app, ada, assetId);
    assert.equal(await statusOfBlob(app, ada, assetId, late), 200);
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

Deno.test("of many deletes and restores at once the counters keep the sum", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    const answers = await Promise.all(
      Array.from(
        { length: 30 },
        (_, n) =>
          (n % 2 === 0 ? sendDelete : sendRestore)(app, ada, asset.assetId),
      ),
    );
    for (const answer of answers) await expectJson(answer, 200);
    const { state } = await readAsset(app, ada, asset.assetId);
    const size = sizeOf(asset);
    assert.deepEqual(await countersOf(app, ada), {
      used: state === "live" ? size : 0,
      reserved: 0,
      trash: state === "live" ? 0 : size,
    });
  });
});

Deno.test("the trash outlives a restart", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original } = await createAsset(app, ada, "photo");
    const deleted = await trash(app, ada, assetId);
    const again = await app.reopen();
    assert.deepEqual(await readAsset(again, ada, assetId), deleted);
    await restore(again, ada, assetId);
    const blob = await readBlob(again, ada, assetId, hashOf(original));
    expectBytes(await blob.arrayBuffer(), original);
  });
});
