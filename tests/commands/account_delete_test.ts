/**
 * Deleting an account: all of it goes, and nobody else loses anything
 * (accounts-and-moderation.md#deleting-an-account).
 *
 * @module
 */
import assert from "node:assert/strict";
import { deleteAccount } from "../../src/features/removal/removal.ts";
import {
  beginUpgrade,
  getRoster,
  intentBytes,
  listAlbums,
  putRoster,
  readFeed,
  rosterBytes,
} from "../support/albums.ts";
import type { TestApp } from "../support/app.ts";
import { expectDead, revokedJtis } from "../support/capabilities.ts";
import { check } from "../support/check.ts";
import {
  blobsOf,
  GUEST_FILE,
  HANDLE,
  removePerson,
  withWorld,
  workplaceOf,
  type World,
} from "../support/departure.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  asGuest,
  linkRequest,
  listContributions,
  postLink,
  putGuest,
} from "../support/guests.ts";
import { expectFault, operate, statusOf } from "../support/moderation.ts";
import { everything } from "../support/ops.ts";
import { filedReports } from "../support/peers.ts";
import {
  createAsset,
  hashOf,
  type Person,
  putBytes,
  registerPerson,
  registerWriter,
  uploadRequest,
} from "../support/people.ts";
import {
  expectSameAnswers,
  opaqueId,
  readAsset,
  readBlob,
  refreshed,
  sendManifest,
  shareRequest,
  viewShare,
} from "../support/stories.ts";
import { assetOf, SyncClient } from "../support/sync_client.ts";
import { blobPath, collect, DAY, restore } from "../support/trash.ts";

const get = (app: TestApp, { token }: Person, path: string) =>
  app.send("GET", path, { token });

/** Nothing is wrong with the data directory, its blobs' bytes included. */
async function expectSound(app: TestApp): Promise<void> {
  const { findings } = await check(app, { deep: true });
  assert.deepEqual(findings, []);
}

Deno.test("nothing signs in to a deleted account, and its address is free", async () => {
  await withWorld(async ({ app, ada, vic }) => {
    await removePerson(app, ada);
    for (const path of ["/v1/auth/profile", "/v1/sync", "/v1/storage/usage"]) {
      const refused = await get(app, ada, path);
      assert.match(refused.headers.get("www-authenticate") ?? "", /invalid/);
      await expectProblem(refused, "error.auth.token_invalid");
    }
    await expectProblem(
      await app.send("POST", "/v1/auth/refresh", {
        json: { session_token: ada.sessionToken },
      }),
      "error.auth.session_token_invalid",
    );
    const login = (address: string) =>
      app.send("POST", "/v1/auth/login", {
        json: { address, password: "correct horse battery staple" },
      });
    await expectSameAnswers({
      "a deleted account's address": await login(ada.address),
      "nobody's address": await login("nobody@example.org"),
    });
    const lookup = (json: Json) =>
      app.send("POST", "/v1/users/lookup", { token: vic.token, json });
    await expectSameAnswers({
      "its address": await lookup({ address: ada.address }),
      "its handle": await lookup({ handle: HANDLE }),
      "nobody's address": await lookup({ address: "nobody@example.org" }),
    });
    await expectProblem(
      await get(app, vic, `/v1/users/${ada.userId}/directory`),
      "error.directory.not_found",
    );
    await expectProblem(
      await app.send("PUT", "/v1/auth/profile/public-record", {
        token: ada.token,
        json: { handle: HANDLE },
      }),
      "error.auth.token_invalid",
    );
    // Whoever has the address next has nothing of what was there.
    const next = await registerPerson(app, "ada");
    assert.notEqual(next.userId, ada.userId);
    assert.deepEqual(await listAlbums(app, next), {});
    assert.deepEqual((await readFeed(app, next.token)).entries, []);
    const usage = await expectJson(
      await get(app, next, "/v1/storage/usage"),
      200,
    );
    assert.equal(
      usage.used_bytes + usage.trash_bytes + usage.reserved_bytes,
      0,
    );
    await expectJson(
      await app.send("PUT", "/v1/auth/profile/public-record", {
        token: next.token,
        json: { handle: HANDLE },
      }),
      200,
    );
  });
});

Deno.test("what others have in a deleted account's album stays theirs, outside any album", async () => {
  await withWorld(async (world) => {
    const { app, ada, bob, vic, dan, adas, bobs, assets } = world;
    await removePerson(app, ada);
    for (
      const [owner, asset] of [[bob, assets.guest], [dan, assets.dans]] as const
    ) {
      const read = await readAsset(app, owner, asset.assetId);
      assert.equal(read.state, "live");
      assert.equal(read.album_id, undefined);
      for (const bytes of [asset.original, asset.metadata, asset.manifest]) {
        const blob = await readBlob(app, owner, asset.assetId, hashOf(bytes));
        assert.deepEqual(new Uint8Array(await blob.arrayBuffer()), bytes);
      }
      const receipts = `/v1/assets/${asset.assetId}/receipts`;
      const held = await expectJson(await get(app, owner, receipts), 200);
      assert.equal(held.receipts.length, 3);
    }
    // Nobody but Ada could have brought it back from the trash before.
    const back = await restore(app, bob, assets.thrown.assetId);
    assert.equal(back.state, "live");
    // Nobody reads it any more who read it through the album.
    await expectProblem(
      await get(app, vic, `/v1/assets/${assets.guest.assetId}`),
      "error.asset.not_found",
    );
    for (const person of [bob, vic]) {
      assert.deepEqual(Object.keys(await listAlbums(app, person)), [bobs]);
      await expectProblem(
        await getRoster(app, person, adas),
        "error.album.not_found",
      );
    }
    // The chain goes on where the asset is now.
    const replaced = await sendManifest(
      app,
      bob,
      assets.guest.assetId,
      new Uint8Array([1, 2, 3]),
      {
        action: "replace",
        original: assets.guest.original,
        prior: hashOf(assets.guest.manifest),
      },
    );
    await expectJson(replaced, 200);
    await expectSound(app);
  });
});

Deno.test("clients that follow the feed end with what the server has", async () => {
  await withWorld(async ({ app, ada, bob, vic, dan, links }) => {
    const clients = [bob, vic, dan].map((one) =>
      new SyncClient(one, links.bobs)
    );
    const follow = async () => {
      for (const client of clients) {
        while (await client.readPage(app, 7));
      }
    };
    for (const client of clients) {
      // Only Bob has a link.
      assert.equal(client.link, links.bobs);
    }
    await follow();
    await removePerson(app, ada);
    await follow();
    for (const { person, memory } of clients) {
      for (const [assetId, { state, ...known }] of memory.assets) {
        const held = await assetOf(app, person, assetId);
        // What is gone was told as deleted, or as withheld before.
        if (held === undefined) assert.notEqual(state, "live", assetId);
        else assert.deepEqual({ state, ...known }, held);
      }
      assert.deepEqual(memory.albums, await listAlbums(app, person));
    }
    // Whoever begins anew comes to the same end.
    const fresh = new SyncClient(bob, links.bobs);
    while (await fresh.readPage(app, 50));
    assert.deepEqual(fresh.memory.albums, await listAlbums(app, bob));
  });
});

Deno.test("what a deleted account had in others' albums is gone and told of there", async () => {
  await withWorld(async ({ app, ada, bob, vic, bobs, assets, shares }) => {
    const { next_after: before } = await readFeed(
      app,
      bob.token,
      "?limit=1000",
    );
    await removePerson(app, ada);
    for (const person of [bob, vic]) {
      await expectProblem(
        await get(app, person, `/v1/assets/${assets.lent.assetId}`),
        "error.asset.not_found",
      );
      const { entries } = await readFeed(
        app,
        person.token,
        `?after=${before}&album_id=${bobs}`,
      );
      assert.deepEqual(
        entries.map((one: Json) => [one.action, one.asset_id]).toSorted(),
        [assets.lent, assets.withheld]
          .map(({ assetId }) => ["purge", assetId]).toSorted(),
      );
    }
    // The roster names Ada as it was signed, and the next one may as well.
    const roster = await getRoster(app, bob, bobs);
    assert.equal(await statusOf(roster), 200);
    const bytes = await rosterBytes(bob, bobs, 2, [
      { member: ada.userId, role: "contributor" },
      { member: vic.userId },
    ]);
    await expectJson(await putRoster(app, bob, bobs, bytes), 200);
    const [served = ""] = blobsOf(assets.lent);
    assert.equal(
      await statusOf(await viewShare(app, `${shares.ofAdas}/blob/${served}`)),
      404,
    );
    await expectSound(app);
  });
});

Deno.test("share links of a deleted account answer as if they had never been, and their ids never live again", async () => {
  await withWorld(async ({ app, ada, bob, eve, shares, assets }) => {
    await removePerson(app, ada);
    const [own = ""] = blobsOf(assets.own);
    for (const path of ["", `/blob/${own}`, "/wrapped-secret"]) {
      await expectSameAnswers({
        "a link": await viewShare(app, `${shares.own}${path}`),
        "a link to another's": await viewShare(app, `${shares.ofBobs}${path}`),
        "a revoked link": await viewShare(app, `${shares.revoked}${path}`),
        "no link": await viewShare(app, `${opaqueId("none")}${path}`),
      });
    }
    const [bobs = ""] = blobsOf(assets.guest);
    const served = await viewShare(app, `${shares.bobs}/blob/${bobs}`);
    assert.equal(await statusOf(served), 200);
    const again = await registerWriter(app, "ada");
    for (const person of [eve, again]) {
      for (const word of ["own", "of bob's", "revoked", "ada's guests"]) {
        await expectProblem(
          await app.send("POST", "/v1/shares", {
            token: person.token,
            json: shareRequest(word, [own]),
          }),
          "error.share.opaque_id_unavailable",
        );
      }
    }
    assert.equal(bob.address, "bob@example.org");
  });
});

Deno.test("guests find nothing under its upload links, and go on under those of others into its albums", async () => {
  await withWorld(async ({ app, ada, bob, eve, links }) => {
    await removePerson(app, ada);
    await expectSameAnswers({
      "a deleted account's": await asGuest(app, "GET", links.adas),
      "no link": await asGuest(app, "GET", opaqueId("none")),
    });
    for (const word of ["ada's guests", "own"]) {
      await expectProblem(
        await postLink(app, eve, linkRequest(word)),
        "error.upload_link.opaque_id_unavailable",
      );
    }
    await expectJson(
      await putGuest(app, links.bobs, links.bobsSession, GUEST_FILE),
      200,
    );
    const [brought] = await listContributions(app, bob, links.bobs);
    assert.equal(brought?.ciphertext_hash, hashOf(GUEST_FILE));
    await expectSound(app);
  });
});

Deno.test("ids of its albums and assets are nobody's for ever", async () => {
  await withWorld(async ({ app, ada, bob, eve, adas, bobs, assets }) => {
    await removePerson(app, ada);
    const again = await registerWriter(app, "ada");
    for (const person of [eve, bob, again]) {
      await expectProblem(
        await app.send("POST", "/v1/albums", {
          token: person.token,
          json: { album_id: adas },
        }),
        "error.album.not_owner",
      );
      for (const { assetId } of [assets.own, assets.lent, assets.trashed]) {
        await expectProblem(
          await app.send("POST", "/v1/upload", {
            token: person.token,
            json: uploadRequest(person, assets.own.original, {
              fileId: assetId,
            }),
          }),
          "error.manifest.mismatch",
        );
      }
    }
    const old = "2026-08-01";
    const albumId = "0d9f9c1e-5b7a-4f7e-9a55-0c7a3f1f2f10";
    await expectJson(
      await app.send("POST", "/v1/albums", {
        token: bob.token,
        protocol: old,
        json: { album_id: albumId },
      }),
      201,
    );
    const intent = await intentBytes(bob, albumId, "into ada's", {
      successor_album_id: adas,
    });
    await expectProblem(
      await beginUpgrade(app, bob, albumId, intent),
      "error.album.upgrade_intent_spent",
    );
    assert.notEqual(bobs, adas);
  });
});

Deno.test("capabilities for its albums and those that it held are dead, and listed as revoked until they expire", async () => {
  await withWorld(async ({ app, ada, bob, vic, bobs, capabilities }) => {
    await removePerson(app, ada);
    const { forAlbum, heldByAda } = capabilities;
    await expectDead(app, forAlbum.token, "for the album");
    await expectDead(app, heldByAda.token, "held");
    const jtis = [forAlbum.jti, heldByAda.jti].toSorted();
    assert.deepEqual((await revokedJtis(app)).toSorted(), jtis);
    // Named again by Bob, Ada's old token stays dead.
    const bytes = await rosterBytes(bob, bobs, 2, [
      { member: ada.userId },
      { member: vic.userId },
    ]);
    await expectJson(await putRoster(app, bob, bobs, bytes), 200);
    await expectDead(app, heldByAda.token, "held, named again");
    app.clock.advance(DAY);
    await app.purge();
    assert.deepEqual(await revokedJtis(app), []);
    const { count } = await app.app.db.selectFrom("gone_capability")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    assert.equal(count, 0);
  });
});

Deno.test("an upload of another's into its album ends, and its bytes may come again elsewhere", async () => {
  await withWorld(async ({ app, ada, bob, bobsUpload, bobsBytes, adas }) => {
    const before = await expectJson(
      await get(app, bob, "/v1/storage/usage"),
      200,
    );
    await removePerson(app, ada);
    await expectProblem(
      await putBytes(app, bob, bobsUpload.upload_id, bobsBytes),
      "error.upload.not_found",
    );
    const after = await expectJson(
      await get(app, bob, "/v1/storage/usage"),
      200,
    );
    // His guest's session keeps its reservation.
    assert.equal(
      after.reserved_bytes,
      before.reserved_bytes - bobsBytes.length,
    );
    assert.equal(after.used_bytes, before.used_bytes);
    await expectProblem(
      await app.send("POST", "/v1/upload", {
        token: bob.token,
        json: uploadRequest(bob, bobsBytes, { albumId: adas }),
      }),
      "error.album.not_found",
    );
    await createAsset(app, bob, "elsewhere");
    await expectSound(app);
  });
});

Deno.test("nothing in the database names a deleted account but what outlives it", async () => {
  await withWorld(async ({ app, ada, assets, common, links, bobs }) => {
    const receipts = await countReceipts(app);
    await removePerson(app, ada);
    const held = await everything(app);
    const naming = (text: string) =>
      Object.entries(held)
        .filter(([, rows]) => rows.some((row) => row.includes(text)))
        .map(([name]) => name).toSorted();
    // Receipts and reports are kept; what it did in Bob's album is its history.
    assert.deepEqual(naming(ada.userId), [
      "federated_report",
      "feed",
      "gone_asset",
      "receipt",
    ]);
    const kept = await app.app.db.selectFrom("feed")
      .select(["album_id", "personal"])
      .where("user_id", "=", ada.userId as never)
      .execute();
    assert.deepEqual(
      new Set(kept.map((one) => JSON.stringify(one))),
      new Set([JSON.stringify({ album_id: bobs, personal: 0 })]),
    );
    assert.deepEqual(naming(ada.address), []);
    assert.deepEqual(naming(assets.own.assetId), ["gone_asset", "receipt"]);
    assert.deepEqual(naming(links.adas), ["gone_link"]);
    assert.equal(await countReceipts(app), receipts);
    assert.equal((await filedReports(app)).length, 1);
    // At once, before any collection.
    await expectSound(app);
    assert.equal(await liesThere(app, assets.own.original), true);
    await collect(app);
    assert.equal(await liesThere(app, assets.own.original), false);
    assert.equal(await liesThere(app, assets.guest.original), true);
    assert.equal(await liesThere(app, common), true);
    await expectSound(app);
  });
});

async function countReceipts(app: TestApp): Promise<number> {
  const { count } = await app.app.db.selectFrom("receipt")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

Deno.test("an account with something under legal hold is not deleted, and stays as it is", async () => {
  await withWorld(async ({ app, ada, assets }) => {
    await operate(app, "hold", assets.trashed.assetId);
    const before = await everything(app);
    await expectFault(
      removePerson(app, ada),
      new RegExp(`under legal hold: ${assets.trashed.assetId}: release`),
    );
    assert.deepEqual(await everything(app), before);
    await operate(app, "release", assets.trashed.assetId);
    await removePerson(app, ada);
    await expectFault(removePerson(app, ada), /there is no account/);
  });
});

Deno.test("a hold that is laid while an account is deleted keeps what is left of it, closed", async () => {
  await withWorld(async ({ app, ada, assets }) => {
    let pauses = 0;
    const parts = workplaceOf(app, {
      sleep: async () => {
        pauses += 1;
        if (pauses === 1) await operate(app, "hold", assets.own.assetId);
      },
    });
    const { assetId } = assets.own;
    await expectFault(
      deleteAccount(parts, ada.userId),
      new RegExp(`under legal hold: ${assetId}`),
    );
    await expectProblem(
      await get(app, ada, "/v1/auth/profile"),
      "error.auth.token_invalid",
    );
    await expectSound(app);
    await expectFault(
      operate(app, "reinstateAccount", ada.address),
      /is being deleted: finish that/,
    );
    await operate(app, "release", assetId);
    await removePerson(app, ada);
    await expectSound(app);
  });
});

Deno.test("killed between any two batches the account stays closed, the store is whole, and deleting it again finishes it", async () => {
  await withWorld(async (world) => {
    const { app, ada, bob, assets } = world;
    for (let kills = 0, isGone = false; !isGone; kills += 1) {
      let pauses = 0;
      const parts = workplaceOf(app, {
        sleep: async () => {
          if (pauses++ === kills) throw new Killed();
          await Promise.resolve();
        },
      });
      try {
        await deleteAccount(parts, ada.address);
        isGone = true;
      } catch (thrown) {
        if (!(thrown instanceof Killed)) throw thrown;
        await expectProblem(
          await get(app, ada, "/v1/auth/profile"),
          "error.auth.token_invalid",
        );
        await expectProblem(
          await app.send("POST", "/v1/auth/register", {
            json: { address: ada.address, password: "a password of twelve" },
          }),
          "error.auth.user_already_exists",
        );
      }
      await expectSound(app);
    }
    await registerPerson(app, "ada");
    assert.equal(
      (await readAsset(app, bob, assets.guest.assetId)).state,
      "live",
    );
    await expectEndState(world);
  });
});

/** The test's way of SIGKILL between two transactions. */
class Killed extends Error {}

/** Everybody else is where a deletion in one go leaves them. */
async function expectEndState({ app, bob, vic, bobs, links }: World) {
  for (const person of [bob, vic]) {
    assert.deepEqual(
      Object.keys(await listAlbums(app, await refreshed(app, person))),
      [bobs],
    );
  }
  assert.equal(await statusOf(await asGuest(app, "GET", links.adas)), 404);
  await collect(app);
  await expectSound(app);
}

/** Whether the file of these bytes is on the disk. */
async function liesThere(
  app: TestApp,
  bytes: Uint8Array,
): Promise<boolean> {
  const { isFile } = await Deno.stat(blobPath(app, bytes))
    .catch(() => ({ isFile: false }));
  return isFile;
}
