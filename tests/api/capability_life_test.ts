import assert from "node:assert/strict";
import { readFeed, refreshCapability } from "../support/albums.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  DAY,
  expectDead,
  expectInvalid,
  expectReads,
  FEDERATED,
  fromNow,
  HOUR,
  MEMBER,
  shareAlbum,
  successorOf,
  withSharedAlbum,
} from "../support/capabilities.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import { partsOf } from "../support/forgery.ts";
import { createAsset, hashOf, registerPerson } from "../support/people.ts";

Deno.test("a capability lives to the second of its expiry", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    for (const ttl_seconds of [60, 86_400]) {
      const { token } = await minted({ ttl_seconds });
      app.clock.advance(ttl_seconds * 1_000 - 1);
      await expectReads(app, token);
      app.clock.advance(1);
      await expectDead(app, token, `${ttl_seconds}`);
      app.clock.advance(30 * DAY);
      await expectDead(app, token, `${ttl_seconds}, later`);
    }
    const until = fromNow(app, 90 * 1_000);
    const { token } = await minted({ renewable_until: until });
    app.clock.advance(90 * 1_000 - 1);
    await expectReads(app, token);
    app.clock.advance(1);
    await expectDead(app, token, "a renewable one");
  });
});

Deno.test("a member who left the roster is refused at once, and re-added reads again", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, albumId } = shared;
    const ada = await shared.owner();
    const { assetId, original } = await createAsset(app, ada, "photo", {
      albumId,
    });
    const { token } = await shared.minted({
      renewable_until: fromNow(app, DAY),
    });
    const paths = [
      "/v1/sync",
      `/v1/sync?album_id=${albumId}`,
      `/v1/assets/${assetId}`,
      `/v1/assets/${assetId}/receipts`,
      `/v1/assets/${assetId}/blobs/${hashOf(original)}`,
      `/v1/albums/${albumId}/roster`,
    ];
    await expectReads(app, token);
    await shared.roster();
    for (const path of paths) {
      await expectInvalid(await app.send("GET", path, { token }), path);
    }
    await expectProblem(
      await refreshCapability(app, token),
      "error.album.member_not_on_roster",
    );
    // Others on the roster are not the member that the capability carries.
    const bob = await registerPerson(app, "bob");
    await shared.roster(bob.userId);
    await expectInvalid(await app.send("GET", "/v1/sync", { token }));
    await shared.roster(MEMBER);
    await expectReads(app, token);
    await successorOf(app, token);
  });
});

/** Begins to wait for the next entry of the album's feed. */
async function waitForEntry(
  app: TestApp,
  token: string,
): Promise<{ answer: Promise<Response> }> {
  const { next_after } = await readFeed(app, token);
  const path = `/v1/sync?after=${next_after}&wait=30`;
  return { answer: app.send("GET", path, { token }) };
}

Deno.test("a long poll answers as soon as the album has an entry", async () => {
  await withSharedAlbum(async (shared) => {
    const { token } = await shared.minted();
    const { answer } = await waitForEntry(shared.app, token);
    await shared.roster(MEMBER);
    const { entries } = await expectJson(await answer, 200);
    assert.deepEqual(entries.map(({ action }: Json) => action), ["roster"]);
  });
});

Deno.test("a long poll that outlives the member's roster entry is refused", async () => {
  await withSharedAlbum(async (shared) => {
    const { token } = await shared.minted();
    const { answer } = await waitForEntry(shared.app, token);
    await shared.roster();
    await expectInvalid(await answer);
  });
});

Deno.test("a long poll that outlives its grant is refused", async () => {
  await withSharedAlbum(async (shared) => {
    const { app } = shared;
    const { token, jti } = await shared.minted();
    const revoked = await waitForEntry(app, token);
    await expectEmpty(await shared.revoke(jti), 204);
    await shared.roster(MEMBER);
    await expectInvalid(await revoked.answer, "revoked");
  });
});

Deno.test("a long poll that outlives its token is refused, though its grant lives on", async () => {
  await withSharedAlbum(async (shared) => {
    const { app } = shared;
    const { token } = await shared.minted({
      ttl_seconds: 60,
      renewable_until: fromNow(app, DAY),
    });
    const { answer } = await waitForEntry(app, token);
    app.clock.advance(60_000);
    await shared.roster(MEMBER);
    await expectInvalid(await answer);
  });
});

Deno.test("a token that the server has no record of is refused, for no revocation could reach it", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    const first = await minted({ renewable_until: fromNow(app, DAY) });
    const successor = await successorOf(app, first.token);
    // What a backup, taken before the refresh and restored, does not hold.
    await app.app.db.deleteFrom("capability")
      .where("jti", "=", successor.jti)
      .execute();
    await expectDead(app, successor.token);
    await expectReads(app, first.token);
    const again = await successorOf(app, first.token);
    assert.notEqual(again.jti, successor.jti);
    await expectReads(app, again.token);
  });
});

Deno.test("a server that has stopped federating refuses what it minted, and still revokes", async () => {
  await withTestApp(async (first) => {
    const shared = await shareAlbum(first);
    const { token } = await shared.minted();
    const other = await shared.minted();
    await expectReads(first, token);
    const off = await first.reopen({ STRONGROOM_FEDERATION: "off" });
    await expectDead(off, token, "federation off");
    await expectEmpty(await shared.over(off).revoke(other.jti), 204);
    const on = await off.reopen({ STRONGROOM_FEDERATION: "on" });
    await expectReads(on, token);
    await expectDead(on, other.token, "revoked meanwhile");
  }, { settings: FEDERATED });
});

Deno.test("a capability survives a restart, and its signing key by twenty-four hours", async () => {
  await withSharedAlbum(async (shared) => {
    const before = await shared.minted({
      ttl_seconds: 86_400,
      renewable_until: fromNow(shared.app, 10 * DAY),
    });
    shared.app.clock.advance(HOUR);
    await shared.app.rotateAccessKey();
    await expectReads(shared.app, before.token);
    const app = await shared.app.reopen();
    await expectReads(app, before.token);
    const successor = await successorOf(app, before.token);
    assert.equal((await successorOf(app, before.token)).token, successor.token);
    await expectReads(app, successor.token);
    const [old, fresh] = [before, successor].map(({ token }) =>
      partsOf(token)[0].kid
    );
    assert.notEqual(old, fresh);
    // The old key's grace outlasts every token that it signed.
    app.clock.advance(23 * HOUR - 1);
    await expectReads(app, before.token);
    app.clock.advance(1);
    await expectDead(app, before.token, "at its expiry");
    await expectReads(app, successor.token);
  });
});
