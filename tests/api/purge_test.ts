/**
 * The trash as a whole, and the end of what is in it
 * (protocol/manifests.md#trash).
 *
 * @module
 */
import assert from "node:assert/strict";
import { provisionAlbum, publishRoster, readFeed } from "../support/albums.ts";
import { START_MS, type TestApp } from "../support/app.ts";
import { expectEmpty, expectProblem, type Json } from "../support/expect.ts";
import { queryAssets } from "../support/many.ts";
import {
  createAsset,
  hashOf,
  type Person,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { numbered, numberedUuid, writeRows } from "../support/rows.ts";
import {
  readAsset,
  refreshed,
  suspend,
  withFaultlessApp,
} from "../support/api.ts";
import {
  collect,
  countersOf,
  DAY,
  emptyTrash,
  expectConsistent,
  expectStored,
  later,
  listTrash,
  mark,
  restore,
  sendDelete,
  sendPurge,
  sendRestore,
  trash,
} from "../support/trash.ts";

/** Sets the retention floor of an asset. */
async function retain(app: TestApp, assetId: string, until: number) {
  await app.app.db.updateTable("asset").set({ retention_until: until })
    .where("asset_id", "=", assetId as Json).execute();
}

async function trashed(
  app: TestApp,
  person: Person,
  ...names: readonly string[]
): Promise<string[]> {
  const ids = [];
  for (const name of names) {
    const { assetId } = await createAsset(app, person, name);
    await trash(app, person, assetId);
    app.clock.advance(1_000);
    ids.push(assetId);
  }
  return ids;
}

/** What lies in the trash, in the order told, read in pages of a size. */
async function idsIn(app: TestApp, person: Person, limit: number) {
  const ids: string[] = [];
  for (let after = "";;) {
    const page = await listTrash(app, person, `?limit=${limit}${after}`);
    assert(page.assets.length <= limit);
    ids.push(...page.assets.map(({ asset_id }: Json) => asset_id));
    if (page.next_after === undefined) return ids;
    assert.equal(page.assets.length, limit);
    after = `&after=${page.next_after}`;
  }
}

Deno.test("the trash lists the caller's own, the oldest deletion first, with the instant at which each is gone", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    await trashed(app, bob, "bobs");
    const ids = await trashed(app, ada, "one", "two", "three");
    const { assetId: live } = await createAsset(app, ada, "live");
    const { assets, next_after } = await listTrash(app, ada);
    assert.equal(next_after, undefined);
    assert.deepEqual(assets.map(({ asset_id }: Json) => asset_id), ids);
    for (const { expires_at, ...asset } of assets) {
      assert.deepEqual(asset, await readAsset(app, ada, asset.asset_id));
      const ends = Date.parse(asset.deleted_at) + 30 * DAY;
      assert.equal(Date.parse(expires_at), ends);
    }
    for (const limit of [1, 2, 3, 4]) {
      assert.deepEqual(await idsIn(app, ada, limit), ids);
    }
    assert.deepEqual(await idsIn(app, ada, 200), ids);
    await restore(app, ada, ids[1] ?? "");
    await trash(app, ada, live);
    const now = [ids[0], ids[2], live];
    assert.deepEqual(await idsIn(app, ada, 1), now);
    // The floor keeps it longer than the trash would.
    await retain(app, live, START_MS + 90 * DAY);
    const [, , last] = (await listTrash(app, ada)).assets;
    assert.equal(Date.parse(last.expires_at), START_MS + 90 * DAY);
    ada = await later(app, ada, 30 * DAY);
    assert.deepEqual(await idsIn(app, ada, 1), [live]);
    await collect(app);
    assert.deepEqual(await idsIn(app, ada, 1), [live]);
  });
});

Deno.test("what is withheld is not in the trash for its owner, what is held is, past its time", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const [withheld, held] = await trashed(app, ada, "withheld", "held");
    await mark(app, withheld ?? "", { withheld_at: 1, held_at: 1 });
    await mark(app, held ?? "", { held_at: 1 });
    ada = await later(app, ada, 40 * DAY);
    assert.deepEqual(await idsIn(app, ada, 1), [held]);
  });
});

Deno.test("an asset in the trash is ended by its owner, and is what one is that left it", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const kept = await createAsset(app, ada, "kept");
    const asset = await createAsset(app, ada, "photo");
    const { assetId } = asset;
    await expectProblem(
      await sendPurge(app, ada, assetId),
      "error.asset.not_deleted",
    );
    await trash(app, ada, assetId);
    const { next_after } = await readFeed(app, ada.token);
    await expectEmpty(await sendPurge(app, ada, assetId), 204);
    for (const send of [sendPurge, sendDelete, sendRestore]) {
      await expectProblem(
        await send(app, ada, assetId),
        "error.asset.not_found",
      );
    }
    assert.deepEqual(await queryAssets(app, ada.token, [assetId]), []);
    assert.deepEqual(await idsIn(app, ada, 200), []);
    const counters = await countersOf(app, ada);
    assert.equal(counters.trash, 0);
    const { entries } = await readFeed(app, ada.token, `?after=${next_after}`);
    assert.deepEqual(
      entries.map(({ action, asset_id, chain_head }: Json) => [
        action,
        asset_id,
        chain_head,
      ]),
      [["purge", assetId, hashOf(asset.manifest)]],
    );
    // Its receipts stay, its files go, its id never lives again.
    const receipts = await app.send(
      "GET",
      `/v1/assets/${assetId}/receipts`,
      ada,
    );
    assert.equal((await receipts.json()).receipts.length, 3);
    await collect(app);
    await expectStored(app, kept.original, kept.metadata, kept.manifest);
    await expectConsistent(app);
    const gone = await app.app.db.selectFrom("gone_asset").selectAll()
      .execute();
    assert.deepEqual(gone.map(({ asset_id }) => asset_id as string), [assetId]);
  });
});

Deno.test("retained and held assets are not ended, one by one or with the others", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const ids = await trashed(app, ada, "free", "held", "retained", "withheld");
    const [free = "", held = "", retained = "", withheld = ""] = ids;
    await mark(app, held, { held_at: app.clock.now });
    await mark(app, withheld, { withheld_at: app.clock.now });
    await retain(app, retained, app.clock.now + DAY);
    await expectProblem(await sendPurge(app, ada, held), "error.asset.held");
    await expectProblem(
      await sendPurge(app, ada, retained),
      "error.asset.retained",
    );
    await expectProblem(
      await sendPurge(app, ada, withheld),
      "error.asset.not_found",
    );
    const size = 5_000 + 300 + 900;
    const emptied = await emptyTrash(app, ada);
    assert.deepEqual(emptied, { assets: 1, bytes: size });
    assert.deepEqual(await idsIn(app, ada, 200), [held, retained]);
    assert.equal((await countersOf(app, ada)).trash, 3 * size);
    assert.deepEqual(await emptyTrash(app, ada), { assets: 0, bytes: 0 });
    await expectProblem(
      await sendPurge(app, ada, free),
      "error.asset.not_found",
    );
    await mark(app, held, { held_at: null });
    await mark(app, withheld, { withheld_at: null });
    app.clock.advance(DAY);
    const again = await refreshed(app, ada);
    assert.equal((await emptyTrash(app, again)).assets, 3);
    await expectConsistent(app);
  });
});

Deno.test("emptying the trash ends what is in it, and nothing of anybody else's", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const ids = await trashed(app, ada, "one", "two", "three");
    const [bobs] = await trashed(app, bob, "bobs");
    const { assetId: live } = await createAsset(app, ada, "live");
    const { next_after } = await readFeed(app, ada.token);
    await suspend(app, ada);
    assert.equal((await emptyTrash(app, ada)).assets, 3);
    const { entries } = await readFeed(app, ada.token, `?after=${next_after}`);
    assert.deepEqual(
      entries.map(({ action, asset_id }: Json) => `${action} ${asset_id}`),
      ids.map((id) => `purge ${id}`),
    );
    assert.equal((await readAsset(app, ada, live)).state, "live");
    assert.deepEqual(await idsIn(app, bob, 200), [bobs]);
    await expectConsistent(app);
  });
});

Deno.test("an album's owner ends no other account's asset, and all readers learn of its end", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    let bob = await registerWriter(app, "bob");
    let cyd = await registerWriter(app, "cyd");
    const albumId = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, albumId, 1, [
      { member: bob.userId, role: "contributor" },
      { member: cyd.userId },
    ]);
    const one = await createAsset(app, bob, "one", { albumId });
    const two = await createAsset(app, bob, "two", { albumId });
    await trash(app, ada, one.assetId);
    await trash(app, ada, two.assetId);
    for (const person of [ada, cyd]) {
      await expectProblem(
        await sendPurge(app, person, one.assetId),
        "error.album.role_forbidden",
      );
      assert.deepEqual(await emptyTrash(app, person), { assets: 0, bytes: 0 });
      assert.deepEqual(await idsIn(app, person, 200), []);
    }
    const { next_after } = await readFeed(app, ada.token);
    // Though the album's owner deleted it, its bytes are his.
    assert.deepEqual(await idsIn(app, bob, 1), [one.assetId, two.assetId]);
    await expectEmpty(await sendPurge(app, bob, one.assetId), 204);
    [ada, bob, cyd] = [
      await later(app, ada, 31 * DAY),
      await refreshed(app, bob),
      await refreshed(app, cyd),
    ];
    await collect(app);
    for (const person of [ada, bob, cyd]) {
      for (const query of ["", `&album_id=${albumId}`]) {
        const { entries } = await readFeed(
          app,
          person.token,
          `?after=${next_after}${query}`,
        );
        assert.deepEqual(
          entries.map(({ action, asset_id }: Json) => `${action} ${asset_id}`),
          [`purge ${one.assetId}`, `purge ${two.assetId}`],
        );
      }
    }
  });
});

Deno.test("a large trash is listed and emptied in steps, and no further than its client waits", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const many = 450;
    writeRows(
      app,
      `${numbered(many)} insert into asset
        (asset_id, owner_id, state, chain_head, sync_seq, created_at,
          updated_at, deleted_at, deleted_by)
        select ${numberedUuid("0a0a0a0a")}, '${ada.userId}', 'deleted',
          '${hashOf("x")}', 1 + n, 1, 1, ${START_MS}, '${ada.userId}'
        from numbers`,
    );
    assert.equal((await idsIn(app, ada, 200)).length, many);
    assert.equal((await idsIn(app, ada, 449)).length, many);
    const hangsUp = new AbortController();
    const emptying = app.send("DELETE", "/v1/trash", {
      token: ada.token,
      signal: hangsUp.signal,
    });
    // Whoever writes meanwhile has a turn long before it is done.
    await createAsset(app, ada, "meanwhile");
    const left = await idsIn(app, ada, 1_000);
    assert(left.length > 0, "no one had a turn");
    hangsUp.abort();
    const { assets } = await (await emptying).json();
    assert(assets < many);
    const rest = await emptyTrash(app, ada);
    assert.equal(assets + rest.assets, many);
    assert.deepEqual(await idsIn(app, ada, 1), []);
  });
});

Deno.test("who waits for the feed is woken by an end", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const ids = await trashed(app, ada, "one", "two");
    for (
      const end of [() => sendPurge(app, ada, ids[0] ?? ""), async () => {
        await emptyTrash(app, ada);
      }]
    ) {
      const { next_after } = await readFeed(app, ada.token);
      const waiting = readFeed(app, ada.token, `?after=${next_after}&wait=30`);
      await end();
      const { entries } = await waiting;
      assert.deepEqual(entries.map(({ action }: Json) => action), ["purge"]);
    }
  });
});

Deno.test("nonsense in the query is 400, and forever=false deletes as ever", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    for (
      const [method, path] of [
        ["GET", "/v1/trash?limit=0"],
        ["GET", "/v1/trash?after=x"],
        ["GET", "/v1/trash?after=1"],
        ["GET", `/v1/trash?after=${uuidOf("x")}`],
        ["GET", `/v1/trash?after=-1.${uuidOf("x")}`],
        ["GET", `/v1/trash?after=1.${uuidOf("x")}x`],
        ["DELETE", `/v1/assets/${assetId}?forever=1`],
        ["DELETE", `/v1/assets/${assetId}?forever=`],
      ] as const
    ) {
      const response = await app.send(method, path, ada);
      await expectProblem(response, "error.request.malformed");
    }
    const path = `/v1/assets/${assetId}?forever=false`;
    const deleted = await app.send("DELETE", path, ada);
    assert.equal((await deleted.json()).state, "deleted");
  });
});
