/**
 * Answers that are one and the same in their bytes are the same work as well, so
 * that they take the same time (protocol/transport.md#what-cannot-be-told-apart).
 *
 * @module
 */
import { mint, provisionAlbum, publishRoster } from "../support/albums.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { issueCode, openChannel, redeem } from "../support/enrollment.ts";
import { expectJson } from "../support/expect.ts";
import { FEDERATES, pinnedPeer, signedReport } from "../support/peers.ts";
import {
  createAsset,
  hashOf,
  registerPerson,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { issueShare, opaqueId, suspend, viewShare } from "../support/api.ts";
import { expectSameWork } from "../support/work.ts";

/** An app whose budgets are no subject here. */
function withGenerousApp(test: (app: TestApp) => Promise<void>) {
  return withTestApp(test, {
    settings: {
      ...FEDERATES,
      STRONGROOM_LIMIT_ENROLL_REDEEM: "100000",
      STRONGROOM_LIMIT_REPORT_INTAKE: "100000",
      STRONGROOM_LIMIT_REPORT_ACCOUNT: "100000",
      STRONGROOM_LIMIT_REPORT_PEER: "100000",
      STRONGROOM_LIMIT_SHARE_METADATA: "100000",
      STRONGROOM_LIMIT_SHARE_BLOB: "100000",
      STRONGROOM_LIMIT_LOCKOUT: "100000",
    },
  });
}

Deno.test("refused enrollment codes take the same time", async () => {
  await withGenerousApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const eve = await registerPerson(app, "eve");
    const spent = await issueCode(app, ada);
    await redeem(app, spent);
    const suspended = await issueCode(app, eve);
    await suspend(app, eve);
    // That a code has no code's shape, whoever sends it can see.
    await expectSameWork({
      unknown: () => redeem(app, "00000-00000"),
      spent: () => redeem(app, spent),
      "of a suspended account": () => redeem(app, suspended),
    });
  });
});

Deno.test("closing an unknown and a foreign channel takes the same time", async () => {
  await withGenerousApp(async (app) => {
    const { token } = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const foreign = await openChannel(app, bob);
    const close = (id: string) =>
      app.send("DELETE", `/v1/auth/devices/enroll/channel/${id}`, { token });
    await expectSameWork({
      unknown: () => close(hashOf("no channel").slice(0, 32)),
      foreign: () => close(foreign),
    });
  });
});

Deno.test("a report about a hosted and an unhosted account takes the same time", async () => {
  await withGenerousApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const peer = await pinnedPeer(app, "peer");
    const [hosted, unhosted] = await Promise.all(
      [ada.userId, uuidOf("nobody")].map((user) => signedReport(peer, user)),
    );
    const send = (json: unknown) =>
      app.send("POST", "/v1/federation/reports", { json });
    await expectSameWork({
      hosted: () => send(hosted),
      unhosted: () => send(unhosted),
    });
  });
});

Deno.test("revoking an unknown, a revoked and a foreign capability takes the same time", async () => {
  await withGenerousApp(async (app) => {
    const [ada, bob] = await Promise.all(
      ["ada", "bob"].map((name) => registerWriter(app, name)),
    );
    if (ada === undefined || bob === undefined) throw new Error("nobody");
    const member = `${uuidOf("carol")}@https://peer.example`;
    const albums = [];
    for (const owner of [ada, bob]) {
      const albumId = await provisionAlbum(app, owner, owner.address);
      await publishRoster(app, owner, albumId, 1, [{ member }]);
      const { jti } = await expectJson(
        await mint(app, owner, albumId, {
          peer: "https://peer.example",
          member,
        }),
        201,
      );
      albums.push({ albumId, jti });
    }
    const [own, foreign] = albums;
    const revoke = (jti: string) =>
      app.send("DELETE", `/v1/albums/${own?.albumId}/capabilities/${jti}`, {
        token: ada.token,
      });
    await revoke(own?.jti);
    await expectSameWork({
      unknown: () => revoke(uuidOf("no capability")),
      revoked: () => revoke(own?.jti),
      "another album's": () => revoke(foreign?.jti),
    });
  });
});

Deno.test("an unknown and a foreign album, asset and session take the same time", async () => {
  await withGenerousApp(async (app) => {
    const { token } = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, bob, "private");
    await publishRoster(app, bob, albumId, 1, []);
    const { assetId } = await createAsset(app, bob, "private", { albumId });
    for (
      const [method, path, unknown, foreign] of [
        ["GET", "/v1/albums/{id}/roster", uuidOf("no album"), albumId],
        ["GET", "/v1/albums/{id}/upgrade", uuidOf("no album"), albumId],
        ["GET", "/v1/sync?album_id={id}", uuidOf("no album"), albumId],
        ["GET", "/v1/assets/{id}", uuidOf("no asset"), assetId],
        [
          "DELETE",
          "/v1/auth/sessions/{id}",
          uuidOf("no session"),
          bob.sessionId,
        ],
      ] as const
    ) {
      const ask = (id: string) =>
        app.send(method, path.replace("{id}", id), { token });
      await expectSameWork({
        [`unknown ${path}`]: () => ask(unknown),
        [`foreign ${path}`]: () => ask(foreign),
      });
    }
  });
});

Deno.test("a link that is not, is no more, or does not serve a blob takes the same time", async () => {
  await withGenerousApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "shared");
    const metadata = hashOf(asset.metadata);
    const live = await issueShare(app, ada, "live", [metadata]);
    const revoked = await issueShare(app, ada, "revoked", [metadata]);
    await app.send("DELETE", `/v1/shares/${revoked}`, { token: ada.token });
    const blob = hashOf(asset.original);
    await expectSameWork({
      unknown: () => viewShare(app, `${opaqueId("nobody's")}/blob/${blob}`),
      revoked: () => viewShare(app, `${revoked}/blob/${blob}`),
      "not served": () => viewShare(app, `${live}/blob/${blob}`),
    });
  });
});

Deno.test("an unknown address takes as long as a wrong password", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const login = (address: string) =>
      app.send("POST", "/v1/auth/login", {
        json: { address, password: "not the password" },
      });
    await expectSameWork({
      "wrong password": () => login(ada.address),
      "unknown address": () => login("nobody@example.org"),
    });
  }, {
    settings: {
      STRONGROOM_LIMIT_LOCKOUT: "100000",
    },
  });
});
