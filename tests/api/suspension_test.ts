/**
 * What a suspended account can and cannot do
 * (protocol/transport.md#suspended-accounts), one by one. That every other
 * write is refused is in `contract/faults_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp } from "../support/app.ts";
import { mint, provisionAlbum, publishRoster } from "../support/albums.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { operate } from "../support/moderation.ts";
import { FEDERATES } from "../support/peers.ts";
import {
  createAsset,
  createUpload,
  hashOf,
  PASSWORD,
  registerWriter,
} from "../support/people.ts";
import { enrollConfirmed } from "../support/second_factor.ts";
import { operation, SPEC } from "../support/spec.ts";
import { sendOperation } from "../support/spec_requests.ts";
import {
  issueShare,
  readAsset,
  readBlob,
  viewShare,
  withAda,
} from "../support/api.ts";
import { BYTES } from "../support/uploads.ts";

const SUSPENDED = "error.account.suspended";

Deno.test("a suspended account can sign in, refresh and sign out", async () => {
  await withAda(async (app, ada) => {
    await operate(app, "suspend", ada.userId);
    const signedIn = await expectJson(
      await app.send("POST", "/v1/auth/login", {
        json: { address: ada.address, password: PASSWORD },
      }),
      200,
    );
    await expectJson(
      await app.send("POST", "/v1/auth/refresh", {
        json: { session_token: signedIn.session_token },
      }),
      200,
    );
    await expectEmpty(
      await app.send("POST", "/v1/auth/logout", {
        token: signedIn.access_token,
      }),
      204,
    );
  }, FEDERATES);
});

Deno.test("a suspended account can read: every GET, verification and lookup", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    await operate(app, "suspend", ada.userId);
    await readAsset(app, ada, asset.assetId);
    const blob = await readBlob(
      app,
      ada,
      asset.assetId,
      hashOf(asset.original),
    );
    await blob.body?.cancel();
    assert.equal(blob.status, 200);
    const reads = SPEC.filter((op) =>
      op.credential === "bearer" &&
      (op.method === "GET" || op.path === "/v1/users/lookup" ||
        op.path === "/v1/storage/verify")
    );
    assert(reads.length > 10);
    for (const op of reads) {
      const response = await sendOperation(app, op, ada);
      const text = await response.text();
      assert(!text.includes(SUSPENDED), `${op.path}: ${text}`);
      assert.notEqual(response.status, 403, op.path);
    }
  }, FEDERATES);
});

Deno.test("a suspended account can cancel, revoke and close what is its own", async () => {
  await withAda(async (app, ada) => {
    const { assetId, metadata } = await createAsset(app, ada, "photo");
    const link = await issueShare(app, ada, "link", [hashOf(metadata)]);
    const upload = await createUpload(app, ada, BYTES);
    const albumId = await provisionAlbum(app, ada, "trip");
    const bob = await registerWriter(app, "bob");
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const peer = "https://peer.example";
    const minted = await expectJson(
      await mint(app, ada, albumId, { peer, member: bob.userId }),
      201,
    );
    const other = await expectJson(
      await app.send("POST", "/v1/auth/login", {
        json: { address: ada.address, password: PASSWORD },
      }),
      200,
    );
    await operate(app, "suspend", ada.userId);
    // Capabilities that it minted live on until they are revoked.
    await readAs(app, minted.token, albumId);
    for (
      const path of [
        `/v1/upload/${upload.upload_id}`,
        `/v1/shares/${link}`,
        `/v1/albums/${albumId}/capabilities/${minted.jti}`,
        `/v1/auth/sessions/${other.session_id}`,
        "/v1/auth/profile/public-record",
      ]
    ) {
      await expectEmpty(
        await app.send("DELETE", path, { token: ada.token }),
        204,
      );
    }
    await operate(app, "reinstateAccount", ada.userId);
    await expectProblem(await viewShare(app, link), "error.share.not_found");
    await expectProblem(
      await app.send("GET", `/v1/assets/${assetId}`, { token: minted.token }),
      "error.federation.capability_invalid",
    );
  }, FEDERATES);
});

async function readAs(app: TestApp, token: string, albumId: string) {
  await expectJson(
    await app.send("GET", `/v1/sync?album_id=${albumId}`, { token }),
    200,
  );
}

Deno.test("a suspended account can begin a global sign-out", async () => {
  await withAda(async (app, ada) => {
    await operate(app, "suspend", ada.userId);
    await expectJson(
      await app.send("POST", "/v1/auth/logout/all/challenge", {
        token: ada.token,
      }),
      200,
    );
  }, FEDERATES);
});

Deno.test("a suspended account can change its password", async () => {
  await withAda(async (app, ada) => {
    await operate(app, "suspend", ada.userId);
    await expectJson(
      await app.send("POST", "/v1/auth/password", {
        token: ada.token,
        json: {
          current_password: PASSWORD,
          new_password: "another password altogether",
        },
      }),
      200,
    );
  }, FEDERATES);
});

Deno.test("a suspended account can change its second factor", async () => {
  await withAda(async (app, ada) => {
    await operate(app, "suspend", ada.userId);
    const factor = await enrollConfirmed(app, ada);
    await expectEmpty(
      await app.send("POST", "/v1/auth/totp/disable", {
        token: ada.token,
        json: { code: factor.code() },
      }),
      204,
    );
  }, FEDERATES);
});

Deno.test("every other write of a suspended account is 403, until it is reinstated", async () => {
  await withAda(async (app, ada) => {
    const writes = [
      "PATCH /v1/auth/profile",
      "PUT /v1/auth/profile/public-record",
      "PUT /v1/auth/devices/directory",
      "POST /v1/auth/devices/enroll/code",
      "PUT /v1/auth/escrow",
      "POST /v1/albums",
      "PUT /v1/albums/{album_id}/roster",
      "POST /v1/albums/{album_id}/capabilities",
      "POST /v1/albums/{album_id}/ops",
      "POST /v1/albums/{album_id}/upgrade",
      "POST /v1/albums/{album_id}/upgrade/commit",
      "POST /v1/upload",
      "PATCH /v1/upload/{upload_id}",
      "PUT /v1/upload/{upload_id}",
      "POST /v1/upload/{upload_id}/finalize",
      "POST /v1/shares",
    ].map(operation);
    await operate(app, "suspend", ada.userId);
    for (const op of writes) {
      await expectProblem(await sendOperation(app, op, ada), SUSPENDED);
    }
    await operate(app, "reinstateAccount", ada.userId);
    for (const op of writes) {
      const text = await (await sendOperation(app, op, ada)).text();
      assert(!text.includes(SUSPENDED), `${op.method} ${op.path}`);
    }
  }, FEDERATES);
});

Deno.test("the share links of a suspended account answer 404, each path, until it is reinstated", async () => {
  await withAda(async (app, ada) => {
    const { metadata } = await createAsset(app, ada, "photo");
    const hash = hashOf(metadata);
    const link = await issueShare(app, ada, "link", [hash], {
      wrapped_secret: "AAAA",
    });
    const paths = [link, `${link}/blob/${hash}`, `${link}/wrapped-secret`];
    await operate(app, "suspend", ada.userId);
    for (const path of paths) {
      await expectProblem(await viewShare(app, path), "error.share.not_found");
    }
    await operate(app, "reinstateAccount", ada.userId);
    for (const path of paths) {
      const response = await viewShare(app, path);
      await response.body?.cancel();
      assert.equal(response.status, 200, path);
    }
  }, FEDERATES);
});

Deno.test("writes that race a suspension are done or refused, nothing between", async () => {
  await withAda(async (app, ada) => {
    const names = Array.from({ length: 12 }, (_, n) => `name ${n}`);
    const answers = await Promise.all([
      ...names.map((display_name) =>
        app.send("PATCH", "/v1/auth/profile", {
          token: ada.token,
          json: { display_name },
        })
      ),
      operate(app, "suspend", ada.userId),
    ]);
    for (const answer of answers) {
      if (answer === undefined) continue;
      await answer.body?.cancel();
      assert([200, 403].includes(answer.status), String(answer.status));
    }
    await expectProblem(
      await app.send("PATCH", "/v1/auth/profile", {
        token: ada.token,
        json: { display_name: "late" },
      }),
      SUSPENDED,
    );
  }, FEDERATES);
});
