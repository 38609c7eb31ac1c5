/**
 * What guests have left, as the owner of the link sees, reads and deletes it
 * (protocol/links.md#contributions). Adopting is in `adoption_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { provisionAlbum, publishRoster, readFeed } from "../support/albums.ts";
import { START_MS } from "../support/app.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  adopt,
  after,
  contribute,
  createGuestUpload,
  finalizeGuest,
  GUEST_BYTES as BYTES,
  issueLink,
  listContributions,
  listLinks,
  onContribution,
  putGuest,
  revokeLink,
  SEALED_METADATA,
  usageOf,
  viewLink,
  withContribution,
} from "../support/guests.ts";
import {
  ciphertext,
  hashOf,
  type Person,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { expectBytes, refreshed, withFaultlessApp } from "../support/api.ts";

const DAY = 24 * 3_600_000;

Deno.test("contributions come in pages, by number and by bytes, and one by one", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "many", { max_files: 200 });
    const path = `/v1/upload-links/${link}/contributions`;
    const page = async (query: string): Promise<Json> =>
      await expectJson(await app.send("GET", `${path}${query}`, ada), 200);
    const ids: string[] = [];
    const large = "A".repeat(16 * 1024 / 3 * 4);
    for (let n = 0; n < 130; n++) {
      app.clock.advance(1);
      const { upload_id } = await contribute(
        app,
        link,
        ciphertext(`file ${n}`, 10),
        n < 60 ? { sealed_metadata: large.slice(0, 21_844) } : {},
      );
      ids.push(upload_id);
    }
    const walk = async (limit: string) => {
      const sizes: number[] = [];
      const seen: string[] = [];
      for (let after = "";;) {
        const query = `?${limit}${after && `&after=${after}`}`;
        const { contributions, next_after } = await page(query);
        assert(JSON.stringify(contributions).length <= 1024 * 1024 + 1024);
        sizes.push(contributions.length);
        seen.push(...contributions.map(({ upload_id }: Json) => upload_id));
        if (next_after === undefined) break;
        after = next_after;
      }
      assert.deepEqual(seen, ids);
      return sizes;
    };
    assert.deepEqual(await walk("limit=60"), [47, 60, 23]);
    assert.deepEqual(await walk("limit=999"), [47, 83]);
    assert.deepEqual((await page("")).contributions.length, 47);
    const rest = `?after=${ids[9]}`;
    assert.equal((await page(rest)).contributions[0].upload_id, ids[10]);

    const one = await app.send("GET", `${path}/${ids[0]}`, ada);
    const { contributions: [first] } = await page("?limit=1");
    assert.deepEqual(await expectJson(one, 200), first);
    const bob = await registerWriter(app, "bob");
    for (const [who, id] of [[bob, ids[0]], [ada, uuidOf("none")]] as const) {
      const none = await app.send("GET", `${path}/${id}`, who);
      await expectProblem(none, "error.upload_link.not_found");
    }
    const bad = await app.send("GET", `${path}?limit=0`, ada);
    await expectProblem(bad, "error.request.malformed");

    const codes = new Set<number>();
    for (let n = 0; n < 120; n++) {
      const answer = await app.send("GET", `${path}/${ids[0]}`, ada);
      codes.add(answer.status);
      await answer.body?.cancel();
    }
    assert.deepEqual([...codes], [200, 429]);
    for (const query of ["", `/${ids[0]}`]) {
      const spent = await app.send("GET", `${path}${query}`, ada);
      assert(Number(spent.headers.get("retry-after")) > 0);
      await expectProblem(spent, "error.account.rate_limited");
    }
    app.clock.advance(60_000);
    ada = await refreshed(app, ada);
    assert.equal((await page("")).contributions.length, 47);
  });
});

Deno.test("a finalized session is a contribution, and counts as used", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    // An open session is no contribution.
    await createGuestUpload(app, link, ciphertext("open", 10));
    app.clock.advance(1_000);
    const { upload_id: later } = await contribute(
      app,
      link,
      ciphertext("later", 20),
      { sealed_metadata: "AAAA" },
    );
    assert.deepEqual(await listContributions(app, ada, link), [
      {
        upload_id: id,
        ciphertext_hash: hashOf(BYTES),
        size: 1_000,
        sealed_metadata: SEALED_METADATA,
        received_at: after(0),
      },
      {
        upload_id: later,
        ciphertext_hash: hashOf(ciphertext("later", 20)),
        size: 20,
        sealed_metadata: "AAAA",
        received_at: after(1_000),
      },
    ]);
    assert.deepEqual(await usageOf(app, ada), {
      used_bytes: 1_020,
      reserved_bytes: 10,
      open_uploads: 0,
    });
  });
});

Deno.test("contributions outlive a restart and the link's revocation", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    const again = await app.reopen();
    await expectEmpty(await revokeLink(again, ada, link), 204);
    const [left] = await listContributions(again, ada, link);
    assert.equal(left.upload_id, id);
    const blob = await onContribution(again, ada, "GET", link, id);
    expectBytes(await blob.arrayBuffer(), BYTES);
  });
});

Deno.test("the feed tells the owner alone, with the link's album", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "album");
    const member = { member: bob.userId, role: "contributor" };
    await publishRoster(app, ada, albumId, 1, [member]);
    const plain = await issueLink(app, ada, "plain");
    const album = await issueLink(app, bob, "album", { album_id: albumId });
    const seen = async (person: Person, query = "") =>
      (await readFeed(app, person.token, query)).entries.filter((
        { action }: Json,
      ) => action === "contribution");
    await contribute(app, plain, BYTES);
    const { upload_id } = await createGuestUpload(app, album, BYTES);
    app.clock.advance(1_000);
    await expectJson(await putGuest(app, album, upload_id, BYTES), 200);
    await expectJson(await finalizeGuest(app, album, upload_id), 200);
    const [first, ...others] = await seen(ada);
    assert.deepEqual(others, []);
    const { sync_seq, ...entry } = first;
    assert.deepEqual(entry, { action: "contribution", at: after(0) });
    const [second, ...more] = await seen(bob);
    assert.deepEqual(more, []);
    assert(second.sync_seq > sync_seq);
    assert.equal(second.album_id, albumId);
    assert.equal(second.at, after(1_000));
    // Not for those who read the album, its owner among them.
    assert.deepEqual(await seen(ada, `?album_id=${albumId}`), []);
  });
});

Deno.test("a contribution ends a wait for the feed", async () => {
  await withContribution(async ({ app, ada, link }) => {
    const { next_after } = await readFeed(app, ada.token);
    const waiting = readFeed(app, ada.token, `?after=${next_after}&wait=30`);
    await contribute(app, link, ciphertext("another", 10));
    const { entries } = await waiting;
    assert.equal(entries[0].action, "contribution");
  });
});

Deno.test("the owner downloads it byte for byte, whole, in part and conditionally", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    const hash = hashOf(BYTES);
    const read = (headers: Record<string, string> = {}, method = "GET") =>
      onContribution(app, ada, method, link, id, headers);
    const whole = await read();
    assert.equal(whole.status, 200);
    for (
      const [name, value] of [
        ["etag", `"${hash}"`],
        ["content-type", "application/octet-stream"],
        ["content-length", "1000"],
        ["accept-ranges", "bytes"],
        ["cache-control", "private, immutable, max-age=31536000, no-transform"],
        ["x-content-type-options", "nosniff"],
        ["last-modified", new Date(START_MS).toUTCString()],
      ] as const
    ) assert.equal(whole.headers.get(name), value);
    assert.match(whole.headers.get("repr-digest") ?? "", /^sha-256=:/);
    expectBytes(await whole.arrayBuffer(), BYTES);
    const part = await read({ Range: "bytes=100-299" });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get("content-range"), "bytes 100-299/1000");
    expectBytes(await part.arrayBuffer(), BYTES.slice(100, 300));
    await expectEmpty(await read({ "If-None-Match": `"${hash}"` }), 304);
    await expectEmpty(await read({}, "HEAD"), 200);
  });
});

Deno.test("another account's contributions, open uploads and unknown ids are 404", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    const bob = await registerWriter(app, "bob");
    const foreign = await issueLink(app, bob, "bob's");
    const open = await createGuestUpload(app, link, BYTES);
    const cases: [Person, string, string][] = [
      [bob, link, id],
      [ada, foreign, id],
      [bob, foreign, id],
      [ada, link, open.upload_id],
      [ada, link, uuidOf("none")],
    ];
    for (const [who, opaque, upload] of cases) {
      for (const method of ["GET", "DELETE"]) {
        await expectProblem(
          await onContribution(app, who, method, opaque, upload),
          "error.upload_link.not_found",
        );
      }
    }
    const path = `/v1/upload-links/${link}/contributions`;
    await expectProblem(
      await app.send("GET", path, { token: bob.token }),
      "error.upload_link.not_found",
    );
    assert.equal((await listContributions(app, ada, link)).length, 1);
  });
});

Deno.test("a deleted contribution gives back what it took", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    const remove = () => onContribution(app, ada, "DELETE", link, id);
    await expectEmpty(await remove(), 204);
    await expectProblem(await remove(), "error.upload_link.not_found");
    await expectProblem(
      await onContribution(app, ada, "GET", link, id),
      "error.upload_link.not_found",
    );
    await expectProblem(
      await finalizeGuest(app, link, id),
      "error.upload_link.not_found",
    );
    await expectProblem(
      await adopt(app, ada, BYTES, id),
      "error.upload.not_found",
    );
    assert.deepEqual(await listContributions(app, ada, link), []);
    assert.equal((await viewLink(app, link)).max_bytes_left, 1_000_000);
    assert.equal((await usageOf(app, ada)).used_bytes, 0);
  });
});

Deno.test("a contribution that is not adopted in 30 days is gone, even before the purge runs", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    app.clock.advance(30 * DAY - 1);
    let now = await refreshed(app, ada);
    await app.purge();
    assert.equal((await listContributions(app, now, link)).length, 1);
    app.clock.advance(1);
    now = await refreshed(app, ada);
    for (const purge of [() => Promise.resolve(), app.purge]) {
      await purge();
      assert.deepEqual(await listContributions(app, now, link), []);
      await expectProblem(
        await onContribution(app, now, "GET", link, id),
        "error.upload_link.not_found",
      );
      await expectProblem(
        await adopt(app, now, BYTES, id),
        "error.upload.not_found",
      );
      assert.equal((await listLinks(app, now))[0].bytes_used, 0);
    }
    assert.equal((await usageOf(app, ada)).used_bytes, 0);
    assert.deepEqual(
      await app.app.db.selectFrom("guest_upload").selectAll().execute(),
      [],
    );
  });
});

Deno.test("the same bytes twice are two contributions", async () => {
  await withContribution(async ({ app, ada, link, id }) => {
    const { upload_id: second } = await contribute(app, link, BYTES);
    assert.equal((await usageOf(app, ada)).used_bytes, 2_000);
    await expectEmpty(await onContribution(app, ada, "DELETE", link, id), 204);
    const blob = await onContribution(app, ada, "GET", link, second);
    expectBytes(await blob.arrayBuffer(), BYTES);
    await expectJson(await adopt(app, ada, BYTES, second), 201);
    assert.equal((await usageOf(app, ada)).used_bytes, 1_000);
  });
});
