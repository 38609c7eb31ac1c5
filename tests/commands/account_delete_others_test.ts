/**
 * Deleting an account: what others keep and lose by it
 * (accounts-and-moderation/delete-an-account.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  getRoster,
  listAlbums,
  putRoster,
  readFeed,
  rosterBytes,
} from "../support/albums.ts";
import { expectDead, revokedJtis } from "../support/capabilities.ts";
import {
  blobsOf,
  GUEST_FILE,
  removePerson,
  withWorld,
} from "../support/departure.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  asGuest,
  linkRequest,
  listContributions,
  postLink,
  putGuest,
} from "../support/guests.ts";
import { statusOf } from "../support/moderation.ts";
import {
  createAsset,
  hashOf,
  putBytes,
  registerWriter,
  uploadRequest,
} from "../support/people.ts";
import {
  expectSameAnswers,
  opaqueId,
  readAsset,
  readBlob,
  sendManifest,
  shareRequest,
  viewShare,
} from "../support/api.ts";
import { assetOf, SyncClient } from "../support/sync_client.ts";
import { DAY, restore } from "../support/trash.ts";
import { expectSound, get } from "../support/account_delete.ts";

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
    // Only Ada could have restored it from the trash before.
    const back = await restore(app, bob, assets.thrown.assetId);
    assert.equal(back.state, "live");
    // Members of the album can no longer read it.
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
    // A client that starts over comes to the same end.
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
