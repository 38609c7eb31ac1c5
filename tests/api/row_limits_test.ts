/**
 * What an account may make, apart from the bytes that its quota counts
 * (protocol/limits.md#rows): the database stays small, and all others are
 * served.
 *
 * @module
 */
import assert from "node:assert/strict";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { START_MS, withTestApp } from "../support/app.ts";
import {
  beginUpgrade,
  intentBytes,
  mint,
  OLD_PROTOCOL,
  opRequest,
  provisionAlbum,
  publishRoster,
  putRoster,
  rosterBytes,
  sendOp,
} from "../support/albums.ts";
import { FEDERATED } from "../support/capabilities.ts";
import { openChannel } from "../support/enrollment.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  PASSWORD,
  registerPerson,
  registerWriter,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import {
  numbered,
  numberedUuid,
  readNumber,
  writeRows,
} from "../support/rows.ts";
import { expectLimit, HASH, share } from "../support/row_limits.ts";
import { withAda } from "../support/api.ts";

Deno.test("an account has 10,000 albums", async () => {
  await withAda(async (app, ada) => {
    const kept = await provisionAlbum(app, ada, "kept");
    writeRows(
      app,
      `${numbered(9_999)} insert into album
        (album_id, owner_id, protocol_version, created_at)
        select ${numberedUuid("0c0c0c0c")}, '${ada.userId}', '2026-11-01', 0
        from numbers`,
    );
    const post = (album_id: string) =>
      app.send("POST", "/v1/albums", { token: ada.token, json: { album_id } });
    await expectLimit(await post(uuidOf("more")), 10_000);
    await expectJson(await post(kept), 200);
    const bob = await registerWriter(app, "bob");
    await provisionAlbum(app, bob, "bob's");
  });
});

Deno.test("the rosters of an account name 250,000 at most, and one can always be made smaller", async () => {
  await withAda(async (app, ada) => {
    const album = await provisionAlbum(app, ada, "one");
    const members = ["x", "y"].map((name) => ({ member: uuidOf(name) }));
    await publishRoster(app, ada, album, 1, members);
    const other = await provisionAlbum(app, ada, "other");
    writeRows(
      app,
      `${numbered(249_998)} insert into roster_member
        (album_id, member, role, owner_id)
        select '${other}', ${numberedUuid("0d0d0d0d")}, 'viewer',
          '${ada.userId}' from numbers`,
    );
    const more = await rosterBytes(ada, album, 2, [
      ...members,
      { member: uuidOf("z") },
    ]);
    await expectLimit(await putRoster(app, ada, album, more), 250_000);
    await publishRoster(app, ada, album, 2, members.slice(1));
  });
});

Deno.test("an account mints 10,000 capabilities", async () => {
  await withAda(async (app, ada) => {
    const album = await provisionAlbum(app, ada, "one");
    const bob = await registerPerson(app, "bob");
    await publishRoster(app, ada, album, 1, [{ member: bob.userId }]);
    writeRows(
      app,
      `${numbered(9_999)} insert into capability_grant (grant_id, album_id,
        peer, member, scope, ttl_seconds, not_after, renewable, created_at)
        select ${numberedUuid("0e0e0e0e")}, '${album}', 'p', 'm', 'read', 60,
          ${START_MS * 2}, 0, 0 from numbers`,
    );
    const request = { peer: "https://peer.example", member: bob.userId };
    await expectJson(await mint(app, ada, album, request), 201);
    await expectLimit(await mint(app, ada, album, request), 10_000);
  }, FEDERATED);
});

Deno.test("an album remembers 1,000 intents, and takes no other", async () => {
  await withAda(async (app, ada) => {
    const album = await provisionAlbum(app, ada, "old", OLD_PROTOCOL);
    writeRows(
      app,
      `${numbered(1_000)} insert into upgrade (album_id, intent_id, body_hash,
        to_protocol_version, successor_id, state, begun_at, expires_at)
        select '${album}', ${numberedUuid("0f0f0f0f")}, '', '2026-11-01', '',
          'ended', 0, 0 from numbers`,
    );
    const body = await intentBytes(ada, album, "one more");
    await expectProblem(
      await beginUpgrade(app, ada, album, body),
      "error.album.intent_invalid",
    );
  });
});

Deno.test("an account has 50,000 blobs that no manifest names yet", async () => {
  await withAda(async (app, ada) => {
    writeRows(
      app,
      `insert into blob (hash, size, stored_at) values ('${HASH}', 1, 0)`,
      `${numbered(49_999)} insert into holding (owner_id, asset_id, role, hash,
        size, upload_id, finalized_at, receipt_seq)
        select '${ada.userId}', ${numberedUuid("0a1a1a1a")}, 'original',
          '${HASH}', 1, '', ${START_MS}, 0 from numbers`,
    );
    await createUpload(app, ada, ciphertext("last", 9), {
      fileId: uuidOf("last"),
    });
    writeRows(
      app,
      `insert into holding (owner_id, asset_id, role, hash, size, upload_id,
        finalized_at, receipt_seq) values ('${ada.userId}', 'x', 'original',
        '${HASH}', 1, '', ${START_MS}, 0)`,
    );
    const refused = await app.send("POST", "/v1/upload", {
      token: ada.token,
      json: uploadRequest(ada, ciphertext("more", 9), {
        fileId: uuidOf("more"),
      }),
    });
    await expectLimit(refused, 50_000);
  });
});

Deno.test("lifecycle writes bring 64 MiB above the quota, and no more", async () => {
  const quota = 1_000_000;
  const above = 64 * 1024 * 1024;
  await withAda(async (app, ada) => {
    const album = await provisionAlbum(app, ada, "one");
    const { assetId, original, manifest } = await createAsset(
      app,
      ada,
      "photo",
      { albumId: album },
    );
    let prior = manifest;
    const edit = (word: string) => {
      const next = ciphertext(word, 700);
      const request = opRequest(ada, album, assetId, next, {
        action: "replace",
        original,
        prior: hashOf(prior),
      });
      return { next, answer: sendOp(app, ada, album, request) };
    };
    const use = (bytes: number) =>
      writeRows(app, `update usage set used_bytes = ${bytes}`);
    use(quota);
    const first = edit("above the quota");
    await expectJson(await first.answer, 200);
    prior = first.next;
    use(quota + above);
    await expectLimit(await edit("too far").answer, "quota");
    use(quota + above - 700);
    await expectJson(await edit("not too far").answer, 200);
  }, { STRONGROOM_ACCOUNT_QUOTA_BYTES: String(quota) });
});

Deno.test("of more than 1,000 sessions the idlest ends, and of more cohorts the oldest is forgotten", async () => {
  await withAda(async (app, ada) => {
    writeRows(
      app,
      `${numbered(999)} insert into session (session_id, user_id, token_hash,
        created_at, issued_at, last_used_at, expires_at, presented_at,
        newest_jti)
        select ${numberedUuid("0a2a2a2a")}, '${ada.userId}', 'token ' || n, 0,
          ${START_MS}, ${START_MS} - n, ${START_MS * 2}, 0,
          ${numberedUuid("0a3a3a3a")} from numbers`,
      `${numbered(1_000)} insert into cohort
        select '${ada.userId}', printf('%064x', n), n, n from numbers`,
    );
    const opened = await app.send("POST", "/v1/auth/login", {
      json: { address: ada.address, password: PASSWORD, cohort_hash: HASH },
    });
    const { access_token: token } = await expectJson(opened, 200);
    const { sessions, cohorts } = await expectJson(
      await app.send("GET", "/v1/auth/sessions", { token }),
      200,
    );
    assert.equal(sessions.length, 1_000);
    const ids = sessions.map((one: { session_id: string }) => one.session_id);
    // The idlest of those that lay there was the last of them.
    assert.ok(
      !ids.includes(`0a2a2a2a-0000-4000-8000-${"3e6".padStart(12, "0")}`),
    );
    assert.ok(ids.includes(ada.sessionId));
    assert.equal(cohorts.length, 1_000);
    assert.equal(cohorts[0].cohort_hash, HASH);
  });
});

Deno.test("challenges of the global sign-out and channels of enrollment do not pile up", async () => {
  await withAda(async (app, ada) => {
    writeRows(
      app,
      `${numbered(1_500)} insert into revoke_challenge
        (challenge_id, user_id, challenge, expires_at)
        select ${numberedUuid("00000000")}, '${ada.userId}', x'00',
          ${START_MS * 2} from numbers`,
    );
    await expectJson(
      await app.send("POST", "/v1/auth/logout/all/challenge", {
        token: ada.token,
      }),
      200,
    );
    const challenges = "select count(*) from revoke_challenge";
    assert.equal(readNumber(app, challenges), 1_000);
    for (let i = 0; i < 10; i++) {
      app.clock.advance(1_000);
      await openChannel(app, ada);
    }
    const channels = "select count(*) from enrollment_channel";
    assert.equal(readNumber(app, channels), 8);
  });
});

Deno.test("what a client calls itself has 256 characters in a manifest's envelope", async () => {
  await withAda(async (app, ada) => {
    const bytes = ciphertext("named", 9);
    const create = (client_version: string) =>
      app.send("POST", "/v1/upload", {
        token: ada.token,
        json: uploadRequest(ada, bytes, { envelope: { client_version } }),
      });
    const refused = await expectProblem(
      await create("x".repeat(257)),
      "error.request.invalid",
    );
    assert.equal(refused.errors[0].path, "/manifest_envelope/client_version");
    await expectJson(await create("x".repeat(256)), 201);
  });
});

Deno.test("what the disk keeps free is not taken by links, rosters and lifecycle writes", async () => {
  let free = Infinity;
  const files = { ...denoFiles, freeBytes: () => Promise.resolve(free) };
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const album = await provisionAlbum(app, ada, "one");
    const { assetId, original, manifest } = await createAsset(
      app,
      ada,
      "photo",
      { albumId: album },
    );
    const op = opRequest(ada, album, assetId, ciphertext("next", 700), {
      action: "replace",
      original,
      prior: hashOf(manifest),
    });
    const roster = await rosterBytes(ada, album, 1, []);
    const writes = [
      () => share(app, ada, "one"),
      () => putRoster(app, ada, album, roster),
      () => sendOp(app, ada, album, op),
    ];
    free = 1_000_000;
    for (const write of writes) {
      await expectProblem(await write(), "error.storage.full");
    }
    assert.equal(readNumber(app, "select count(*) from share"), 0);
    free = Infinity;
    for (const write of writes) assert.ok((await write()).ok);
  }, { files, settings: { STRONGROOM_RESERVED_DISK_BYTES: "1000000" } });
});
