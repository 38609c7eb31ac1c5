/**
 * Deleting an account: all of it goes, also after a kill, and legal hold stops
 * it (accounts-and-moderation/delete-an-account.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { deleteAccount } from "../../src/features/account_deletion/deletion.ts";
import {
  beginUpgrade,
  intentBytes,
  listAlbums,
  readFeed,
} from "../support/albums.ts";
import type { TestApp } from "../support/app.ts";
import {
  HANDLE,
  removePerson,
  serviceContextOf,
  withWorld,
  type World,
} from "../support/departure.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { asGuest } from "../support/guests.ts";
import { expectFault, operate, statusOf } from "../support/moderation.ts";
import { everything } from "../support/ops.ts";
import { filedReports } from "../support/peers.ts";
import {
  hashOf,
  registerPerson,
  registerWriter,
  uploadRequest,
} from "../support/people.ts";
import { expectSameAnswers, readAsset, refreshed } from "../support/api.ts";
import { collect, filesIn } from "../support/trash.ts";
import { expectSound, get } from "../support/account_delete.ts";

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
      "an unknown address": await login("nobody@example.org"),
    });
    const lookup = (json: Json) =>
      app.send("POST", "/v1/users/lookup", { token: vic.token, json });
    await expectSameAnswers({
      "its address": await lookup({ address: ada.address }),
      "its handle": await lookup({ handle: HANDLE }),
      "an unknown address": await lookup({ address: "nobody@example.org" }),
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
    const next = await registerWriter(app, "ada");
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

Deno.test("ids of its albums and assets are never used again", async () => {
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
      new RegExp(`under legal hold: ${assets.trashed.assetId}: .*release`),
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
    const parts = serviceContextOf(app, {
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
      const parts = serviceContextOf(app, {
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
  return (await filesIn(app, "blobs")).has(hashOf(bytes));
}
