/**
 * Upload links, the owner's side: issuing and listing them
 * (protocol/links.md#upload-links). Guests' side is in
 * `guest_uploads_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { provisionAlbum, publishRoster } from "../support/albums.ts";
import { START_MS } from "../support/app.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  after,
  asGuest,
  contribute,
  createGuestUpload,
  issueLink,
  linkRequest,
  listLinks,
  postLink,
  RECIPIENT_KEY,
  revokeLink,
  viewLink,
} from "../support/guests.ts";
import {
  ciphertext,
  registerPerson,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { opaqueId, suspend, withFaultlessApp } from "../support/api.ts";

const DAY = 24 * 3_600_000;

const BYTES = ciphertext("contribution", 100);

function pathsOf(refusal: Json): string[] {
  return refusal.errors.map((one: Json) => one.path);
}

Deno.test("issuing a link answers 201 with its opaque_id and nothing else", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const request = linkRequest("link");
    assert.deepEqual(await expectJson(await postLink(app, ada, request), 201), {
      opaque_id: request.opaque_id,
    });
  });
});

Deno.test("issuing needs a directory, and an active account", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await expectProblem(
      await postLink(app, ada, linkRequest("link")),
      "error.directory.required",
    );
    const eve = await registerWriter(app, "eve");
    await suspend(app, eve);
    await expectProblem(
      await postLink(app, eve, linkRequest("link")),
      "error.account.suspended",
    );
  });
});

Deno.test("the shape of a link is checked", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const big = toBase64(new Uint8Array(4_097));
    const id = opaqueId("shape");
    const refused: [string, Json][] = [
      ["opaque_id", [
        id.slice(1),
        `${id}0`,
        id.toUpperCase(),
        1,
        null,
        "\ud800",
      ]],
      ["album_id", ["album", 1, "", "\udfff"]],
      ["recipient_key", ["", big, "AAA", "_-__", 1, null, "\ud800"]],
      ["wrapped_secret", ["", big, "AAA", 1, "\ud800"]],
      [
        "expires_at",
        [
          null,
          after(0),
          after(-1),
          after(90 * DAY + 1),
          "9999-12-31T23:59:59Z",
          "tomorrow",
          START_MS + DAY,
          "\ud800",
        ],
      ],
      ...["max_bytes", "max_files"].map((key): [string, Json] => [
        key,
        [0, -1, 1.5, "1", null, 2 ** 53, 1e300, true, []],
      ]),
    ];
    for (const [key, values] of refused) {
      for (const value of values) {
        const refusal = await expectProblem(
          await postLink(app, ada, linkRequest("shape", { [key]: value })),
          "error.request.invalid",
        );
        assert.deepEqual(pathsOf(refusal), [`/${key}`], String(value));
      }
    }
    const unknown = await expectProblem(
      await postLink(app, ada, linkRequest("shape", { note: "" })),
      "error.request.invalid",
    );
    assert.deepEqual(pathsOf(unknown), ["/note"]);
    // Nothing of these took the id, and the bounds are allowed.
    await issueLink(app, ada, "shape", {
      recipient_key: toBase64(new Uint8Array(4_096)),
      wrapped_secret: toBase64(new Uint8Array(4_096)),
      album_id: null,
      expires_at: after(90 * DAY),
      max_bytes: Number.MAX_SAFE_INTEGER,
      max_files: Number.MAX_SAFE_INTEGER,
    });
    const [listed] = await listLinks(app, ada);
    assert.equal(listed.max_bytes, Number.MAX_SAFE_INTEGER);
  });
});

Deno.test("the same caller repeating the same body gets 201 again", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const request = linkRequest("link", { wrapped_secret: "AAAA" });
    const first = await expectJson(await postLink(app, ada, request), 201);
    app.clock.advance(60_000);
    const reversed = Object.fromEntries(Object.entries(request).toReversed());
    for (const again of [request, reversed, { ...request, album_id: null }]) {
      const answer = await expectJson(await postLink(app, ada, again), 201);
      assert.deepEqual(answer, first);
    }
    assert.equal((await listLinks(app, ada)).length, 1);
    const answers = await Promise.all(
      [1, 2, 3].map(() => postLink(app, ada, linkRequest("at once"))),
    );
    for (const answer of answers) await expectJson(answer, 201);
  });
});

Deno.test("any other use of a known opaque_id is 422", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const album_id = await provisionAlbum(app, ada, "album");
    const request = linkRequest("link");
    await expectJson(await postLink(app, ada, request), 201);
    for (
      const over of [
        { recipient_key: "AAAA" },
        { wrapped_secret: "AAAA" },
        { expires_at: after(DAY) },
        { max_bytes: 1 },
        { max_files: 1 },
        { album_id },
      ]
    ) {
      await expectProblem(
        await postLink(app, ada, { ...request, ...over }),
        "error.upload_link.opaque_id_unavailable",
      );
    }
    await expectProblem(
      await postLink(app, bob, request),
      "error.upload_link.opaque_id_unavailable",
    );
    await expectEmpty(await revokeLink(app, ada, request.opaque_id), 204);
    await expectProblem(
      await postLink(app, ada, request),
      "error.upload_link.opaque_id_unavailable",
    );
  });
});

Deno.test("album_id is an album that the caller may write to", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const carol = await registerWriter(app, "carol");
    const album_id = await provisionAlbum(app, ada, "album");
    await publishRoster(app, ada, album_id, 1, [
      { member: bob.userId, role: "contributor" },
      { member: carol.userId, role: "viewer" },
    ]);
    const eve = await registerWriter(app, "eve");
    await issueLink(app, ada, "ada's", { album_id });
    await issueLink(app, bob, "bob's", { album_id });
    await expectProblem(
      await postLink(app, carol, linkRequest("carol's", { album_id })),
      "error.album.role_forbidden",
    );
    await expectProblem(
      await postLink(app, eve, linkRequest("eve's", { album_id })),
      "error.album.not_found",
    );
    const unknown = { album_id: uuidOf("no album") };
    await expectProblem(
      await postLink(app, ada, linkRequest("unknown", unknown)),
      "error.album.not_found",
    );
    assert.equal((await listLinks(app, bob))[0].album_id, album_id);
    await app.app.db.updateTable("album").set({ tombstoned_at: 1 }).execute();
    await expectProblem(
      await postLink(app, ada, linkRequest("late", { album_id })),
      "error.album.tombstoned",
    );
  });
});

Deno.test("the list shows the caller's links and what was used of them", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const first = await issueLink(app, ada, "first");
    app.clock.advance(1_000);
    const album_id = await provisionAlbum(app, ada, "album");
    const second = await issueLink(app, ada, "second", { album_id });
    await issueLink(app, bob, "bob's");
    await contribute(app, first, BYTES);
    await createGuestUpload(app, first, ciphertext("open", 30));
    const common = {
      max_bytes: 1_000_000,
      max_files: 100,
      expires_at: after(30 * DAY),
    };
    assert.deepEqual(await listLinks(app, ada), [
      {
        ...common,
        opaque_id: first,
        bytes_used: 130,
        files_used: 2,
        created_at: after(0),
        last_received_at: after(1_000),
      },
      {
        ...common,
        opaque_id: second,
        album_id,
        bytes_used: 0,
        files_used: 0,
        created_at: after(1_000),
      },
    ]);
  });
});

Deno.test("a guest is told what the link takes, and not whose it is", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const album_id = await provisionAlbum(app, ada, "album");
    const open = await issueLink(app, ada, "open", { album_id });
    await contribute(app, open, BYTES);
    assert.deepEqual(await viewLink(app, open), {
      recipient_key: RECIPIENT_KEY,
      passphrase_protected: false,
      max_bytes_left: 999_900,
      files_left: 99,
      expires_at: after(30 * DAY),
    });
    const secret = ciphertext("secret", 90);
    const locked = await issueLink(app, ada, "locked", {
      wrapped_secret: toBase64(secret),
    });
    assert.equal((await viewLink(app, locked)).passphrase_protected, true);
    const answer = await asGuest(app, "GET", `${locked}/wrapped-secret`);
    assert.equal(answer.headers.get("cache-control"), "no-store, no-transform");
    assert.equal(
      answer.headers.get("content-type"),
      "application/octet-stream",
    );
    assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), secret);
    await expectProblem(
      await asGuest(app, "GET", `${open}/wrapped-secret`),
      "error.upload_link.not_found",
    );
  });
});

Deno.test("guests are answered whatever origin their page is of", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    const headers = { Origin: "https://somewhere.example" };
    const answer = await asGuest(app, "GET", link, { headers });
    await answer.body?.cancel();
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  });
});
