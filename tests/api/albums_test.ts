import assert from "node:assert/strict";
import { START_MS, type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  type Person,
  registerWriter,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { expectNoErrors } from "../support/api.ts";

const ALBUM = uuidOf("holidays");

function provision(
  app: TestApp,
  person: Person,
  albumId: Json = ALBUM,
  protocol = "2026-11-01",
): Promise<Response> {
  return app.send("POST", "/v1/albums", {
    token: person.token,
    protocol,
    json: { album_id: albumId },
  });
}

async function listAlbums(app: TestApp, person: Person): Promise<Json[]> {
  const response = await app.send("GET", "/v1/albums", { token: person.token });
  const list = await expectJson(response, 200);
  assert.deepEqual(Object.keys(list), ["albums"]);
  return list.albums;
}

Deno.test("an album is provisioned once and pinned to the request's date", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const created = await expectJson(
      await provision(app, ada, ALBUM, "2026-07-15"),
      201,
    );
    assert.deepEqual(created, {
      album_id: ALBUM,
      protocol_version: "2026-07-15",
      created: true,
    });
    app.clock.advance(60_000);
    const again = await expectJson(
      await provision(app, ada, ALBUM, "2026-11-01"),
      200,
    );
    assert.deepEqual(again, {
      album_id: ALBUM,
      protocol_version: "2026-07-15",
      created: false,
    });
    const [album, ...others] = await listAlbums(app, ada);
    assert.deepEqual(others, []);
    assert.equal(Date.parse(album.created_at), START_MS);
  });
});

Deno.test("an album id held by another account is 403", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    await expectJson(await provision(app, ada), 201);
    await expectProblem(
      await provision(app, bob),
      "error.album.not_owner",
    );
    assert.deepEqual(await listAlbums(app, bob), []);
    assert.equal((await listAlbums(app, ada)).length, 1);
  });
});

Deno.test("an album id is a canonical lowercase UUID", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (
      const id of [
        "",
        "holidays",
        ALBUM.toUpperCase(),
        ALBUM.replaceAll("-", ""),
        `{${ALBUM}}`,
        `urn:uuid:${ALBUM}`,
        `${ALBUM} `,
        `${ALBUM}\n`,
        null,
        1,
        [ALBUM],
        { id: ALBUM },
      ]
    ) {
      const refusal = await expectProblem(
        await provision(app, ada, id),
        "error.request.invalid",
      );
      assert.deepEqual(refusal.errors.map((one: Json) => one.path), [
        "/album_id",
      ]);
    }
    expectNoErrors(app);
  });
});

Deno.test("a listing names the caller's own albums and what they are", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    assert.deepEqual(await listAlbums(app, ada), []);
    const ids = [uuidOf("one"), uuidOf("two"), uuidOf("three")];
    for (const id of ids) {
      app.clock.advance(1_000);
      await expectJson(await provision(app, ada, id), 201);
    }
    await expectJson(await provision(app, bob, uuidOf("bob's")), 201);
    const listed = await listAlbums(app, ada);
    assert.deepEqual(
      listed.map((album) => album.album_id).toSorted(),
      ids.toSorted(),
    );
    const { successor_album_id, created_at, ...album } = listed.find((one) =>
      one.album_id === ids[0]
    );
    assert.equal(successor_album_id ?? null, null);
    assert.equal(Date.parse(created_at), START_MS + 1_000);
    assert.deepEqual(album, {
      album_id: ids[0],
      role: "owner",
      protocol_version: "2026-11-01",
      roster_version: 0,
      amk_epoch: 0,
      tombstoned: false,
    });
  });
});

Deno.test("of two provisions of one id at once one creates", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const own = await Promise.all([1, 2, 3].map(() => provision(app, ada)));
    const statuses = own.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, 200, 201]);
    const other = uuidOf("contested");
    const contested = await Promise.all(
      [ada, bob].map((person) => provision(app, person, other)),
    );
    assert.deepEqual(
      contested.map(({ status }) => status).toSorted(),
      [201, 403],
    );
    for (const answer of [...own, ...contested]) await answer.body?.cancel();
  });
});

Deno.test("albums outlive a restart", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await expectJson(await provision(app, ada), 201);
    const before = await listAlbums(app, ada);
    const again = await app.reopen();
    assert.deepEqual(await listAlbums(again, ada), before);
    await expectJson(await provision(again, ada), 200);
  });
});

Deno.test("a tombstoned album is listed as one and takes no upload", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await expectJson(await provision(app, ada), 201);
    await app.app.db.updateTable("album")
      .set({ tombstoned_at: app.clock.now })
      .execute();
    const [album] = await listAlbums(app, ada);
    assert.equal(album.tombstoned, true);
    await expectProblem(
      await app.send("POST", "/v1/upload", {
        token: ada.token,
        json: uploadRequest(ada, ciphertext("a blob", 10), { albumId: ALBUM }),
      }),
      "error.album.tombstoned",
    );
  });
});
