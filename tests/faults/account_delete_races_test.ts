/**
 * Requests that are under way while an account is deleted: each is answered as
 * the contract says, and none of them leaves anything behind
 * (accounts-and-moderation/delete-an-account.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { deleteAccount } from "../../src/features/account_deletion/deletion.ts";
import { provisionAlbum, publishRoster } from "../support/albums.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { check } from "../support/check.ts";
import { serviceContextOf } from "../support/departure.ts";
import { expectProblem, type Json } from "../support/expect.ts";
import { linkRequest, postUpload } from "../support/guests.ts";
import { statusOf } from "../support/moderation.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  patchBytes,
  type Person,
  registerWriter,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { expectNoErrors, opaqueId, shareRequest } from "../support/api.ts";
import { watchedFiles } from "../support/watched_files.ts";
import { type HangingBody, hangingBody } from "../support/uploads.ts";

/** Everything that a person may ask, a number for what must be new. */
function requestsOf(
  app: TestApp,
  { token, address, userId }: Person,
  albumId: string,
  n: number,
): (() => Promise<Response>)[] {
  const post = (path: string, json: Json) => () =>
    app.send("POST", path, { token, json });
  const get = (path: string) => () => app.send("GET", path, { token });
  const bytes = ciphertext(`race ${userId} ${n}`, 60);
  const person = { userId } as Person;
  const request = (albumId?: string) =>
    uploadRequest(person, bytes, {
      fileId: uuidOf(`race ${userId} ${n} ${albumId}`),
      albumId: albumId ?? null,
    });
  return [
    get("/v1/auth/profile"),
    get("/v1/storage/usage"),
    get("/v1/auth/sessions"),
    get("/v1/sync"),
    () =>
      app.send("PATCH", "/v1/auth/profile", {
        token,
        json: { display_name: `n ${n}` },
      }),
    () =>
      app.send("PUT", "/v1/auth/profile/public-record", {
        token,
        json: { handle: `race_${userId.slice(0, 8)}` },
      }),
    () =>
      app.send("PUT", "/v1/auth/escrow", {
        token,
        headers: { "Content-Type": "application/octet-stream" },
        body: bytes,
      }),
    () =>
      app.send("PUT", `/v1/state/race-${n % 20}`, {
        token,
        headers: {
          "Content-Type": "application/octet-stream",
          "If-None-Match": "*",
        },
        body: bytes,
      }),
    post("/v1/albums", { album_id: uuidOf(`album ${userId} ${n}`) }),
    post("/v1/upload", request()),
    post("/v1/upload", request(albumId)),
    post("/v1/shares", shareRequest(`${userId} ${n}`, [hashOf(bytes)])),
    post("/v1/upload-links", linkRequest(`up ${userId} ${n}`)),
    post(
      "/v1/upload-links",
      linkRequest(`in ${userId} ${n}`, { album_id: albumId }),
    ),
    post("/v1/auth/totp/enroll", undefined),
    post("/v1/auth/devices/enroll/code", undefined),
    post("/v1/auth/logout/all/challenge", undefined),
    post("/v1/auth/reauthenticate", { password: "a wrong password" }),
    () =>
      app.send("POST", "/v1/auth/login", {
        json: { address, password: "a wrong password" },
      }),
    () => postUpload(app, opaqueId(`up ${userId} ${n - 1}`), bytes),
  ];
}

Deno.test("requests while an account is deleted get an answer of the contract, and nothing is left behind", async () => {
  for (let round = 0; round < 6; round += 1) await race(round);
});

async function race(round: number): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, albumId, 1, [
      { member: bob.userId, role: "contributor" },
    ]);
    await createAsset(app, ada, "photo", { albumId });
    const { assetId } = await createAsset(app, bob, "bob's", { albumId });
    const statuses: number[] = [];
    let isGone = false;
    const ask = async (person: Person) => {
      for (let n = 0; n < 3 || !isGone; n += 1) {
        const asked = requestsOf(app, person, albumId, n);
        statuses.push(
          ...await Promise.all(asked.map(async (one) => statusOf(await one()))),
        );
        // Over a socket others have their turn before the next request.
        await new Promise((resolve) => setTimeout(resolve));
      }
    };
    const remove = async () => {
      // Somewhere in the midst of the first requests.
      await app.app.platform.sleep(round * 7, new AbortController().signal);
      await deleteAccount(serviceContextOf(app), ada.userId);
      isGone = true;
    };
    await Promise.all([ask(ada), ask(bob), remove()]);
    assert(!statuses.includes(500), statuses.join(" "));
    const { findings } = await check(app, { deep: true });
    assert.deepEqual(findings, []);
    for (const table of ["account", "session", "usage", "totp"] as const) {
      const rows = await app.app.db.selectFrom(table)
        .select("user_id")
        .where("user_id", "=", ada.userId as never)
        .execute();
      assert.deepEqual(rows, [], table);
    }
    const read = await app.send("GET", `/v1/assets/${assetId}`, {
      token: bob.token,
    });
    assert.equal(await statusOf(read), 200);
    expectNoErrors(app);
  }, WORKERS);
}

/** Dear enough that passwords are hashed by workers, as on a server. */
const WORKERS = { settings: { STRONGROOM_ARGON2_MEMORY_KIB: "16" } };

/** Sends JSON whose last byte comes when it is let go. */
function sendSlowly(
  app: TestApp,
  { token }: Person,
  method: string,
  path: string,
  json: Json,
): HangingBody & { readonly answer: Promise<Response> } {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  const hanging = hangingBody(bytes.slice(0, -1), bytes.slice(-1));
  const headers = { "Content-Type": "application/json" };
  const { body } = hanging;
  return {
    ...hanging,
    answer: app.send(method, path, { token, headers, body }),
  };
}

Deno.test("a request that began before its account was deleted and writes after that is one without a credential", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("slow", 60);
    const slow: [method: string, path: string, json: Json][] = [
      ["PATCH", "/v1/auth/profile", { display_name: "late" }],
      ["PUT", "/v1/auth/profile/public-record", { handle: "late" }],
      ["POST", "/v1/albums", { album_id: uuidOf("late") }],
      ["POST", "/v1/upload", uploadRequest(ada, bytes)],
      ["POST", "/v1/shares", shareRequest("late", [hashOf(bytes)])],
      ["POST", "/v1/upload-links", linkRequest("late")],
    ];
    const sent = slow.map(([method, path, json]) =>
      sendSlowly(app, ada, method, path, json)
    );
    // Whoever reads the body is past the check of the credential.
    for (const { taken } of sent) await taken;
    await deleteAccount(serviceContextOf(app), ada.userId);
    for (const { end } of sent) end();
    const answers = await Promise.all(sent.map(({ answer }) => answer));
    for (const [index, answer] of answers.entries()) {
      const { code } = await answer.json();
      const what = slow[index]?.join(" ");
      const challenge = answer.headers.get("www-authenticate") ?? "";
      assert.equal(answer.status, 401, what);
      assert.equal(code, "error.auth.token_invalid", what);
      assert.match(challenge, /invalid_token/);
    }
    assert.deepEqual((await check(app)).findings, []);
    expectNoErrors(app);
  });
});

/** Deletes an account as far as its uploads; then the command is stopped. */
async function deleteUploads(app: TestApp, { userId }: Person): Promise<void> {
  const parts = serviceContextOf(app);
  const stopped = new Error("stopped");
  await assert.rejects(
    deleteAccount({
      ...parts,
      platform: { ...parts.platform, sleep: () => Promise.reject(stopped) },
    }, userId),
    stopped,
  );
}

Deno.test("a finalization whose upload goes with its account is of no upload", async () => {
  // When its bytes are read back, and when they lie under their address.
  const moments: [when: "before" | "after", operation: string][] = [
    ["before", "open to read"],
    ["after", "link"],
  ];
  for (const [when, operation] of moments) {
    const files = watchedFiles();
    await withTestApp(async (first) => {
      const ada = await registerWriter(first, "ada");
      const bytes = ciphertext("in flight", 60);
      const { upload_id } = await createUpload(first, ada, bytes);
      await patchBytes(first, ada, upload_id, 0, bytes);
      const app = await first.reopen();
      let happened = 0;
      files[when] = async (what, path) => {
        if (what !== operation || !/uploads|blobs/.test(path)) return;
        happened += 1;
        if (happened === 1) await deleteUploads(app, ada);
      };
      const answer = await app.send(
        "POST",
        `/v1/upload/${upload_id}/finalize`,
        { token: ada.token },
      );
      assert.ok(happened > 0, operation);
      await expectProblem(answer, "error.upload.not_found");
      expectNoErrors(app);
    }, { files });
  }
});
