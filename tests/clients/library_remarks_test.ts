/**
 * Comments and hearts in an album of several people: who says what of which
 * photo, and what a member or a server cannot make of it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { utf8 } from "../../src/core/bytes.ts";
import { DAY_MS } from "../../src/core/time.ts";
import type { Library } from "../../src/library/mod.ts";
import {
  decodeMetadata,
  encodeMetadata,
} from "../../src/client/documents/metadata.ts";
import {
  addRemark,
  commentText,
  remarkRights,
  remarksOn,
  removeRemarks,
  takeHeartBack,
} from "../../src/library/albums/remarks.ts";
import { plainOf } from "../../src/library/rows/plaintext_cache.ts";
import { leaveAlbum } from "../../src/library/sharing/viewer_saying.ts";
import { photosAmong } from "../../src/library/rows/photo_copies.ts";
import {
  type AlbumCast,
  idOf,
  invite,
  seen,
  take,
  withCast,
} from "../support/album_cast.ts";

/** Ada's album with Bob, who may add, and Eve; a photo of Ada's and of Bob's. */
function withAlbum(
  test: (
    cast: AlbumCast & {
      readonly id: string;
      readonly ofAda: string;
      readonly ofBob: string;
    },
  ) => Promise<void>,
  eve: "viewer" | "contributor" = "contributor",
): Promise<void> {
  return withCast(async (cast) => {
    const { ada, bob } = cast;
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await invite(id, ada, "eve", eve);
    const ofAda = (await take(ada, "of ada", id)).row.id;
    await bob.sync();
    await bob.albums.accept(id);
    const ofBob = (await take(bob, "of bob", id)).row.id;
    await cast.eve.sync();
    await cast.eve.albums.accept(id);
    await cast.eve.sync();
    await ada.sync();
    await test({ ...cast, id, ofAda, ofBob });
  });
}

/** What is said of a photo, by whom. */
function said(library: Library, photo?: string): string[] {
  return remarksOn(library, photo).map(({ author, kind, text }) =>
    `${author} ${text ?? kind}`
  );
}

Deno.test("comments and hearts come to everybody in an album as their authors', and are photos nowhere", async () => {
  await withAlbum(async ({ ada, bob, eve, id, ofAda, ofBob }) => {
    await addRemark(bob, ofAda, "  Scho\u0308n!\n");
    await addRemark(bob, ofAda);
    await addRemark(eve, ofAda);
    await addRemark(eve, ofBob, "Where was that?");
    for (const library of [ada, bob, eve]) {
      await library.sync();
      assert.deepEqual(
        said(library, ofAda).sort(),
        [
          `${idOf(bob)} Schön!`,
          `${idOf(bob)} heart`,
          `${idOf(eve)} heart`,
        ].sort(),
      );
      assert.equal(remarksOn(library).length, 4);
      assert.deepEqual(await seen(library, id), ["of ada", "of bob"]);
      const { index, vault } = library;
      assert.equal([...index.rows()].length, 2);
      assert.equal(index.apart().length, 4);
      assert.equal(photosAmong(vault, library.list()).length, 2);
      assert.deepEqual([library.unopened(), library.trashed()], [[], []]);
      for (const { metadata } of index.apart()) {
        assert.deepEqual(index.allByPlaintext(metadata?.sha256 ?? ""), []);
      }
    }
    // A second heart is the same one, and is taken back with it.
    await addRemark(bob, ofAda);
    assert.equal(remarksOn(bob, ofAda).length, 3);
    await takeHeartBack(bob, ofAda);
    await ada.sync();
    assert.deepEqual(
      said(ada, ofAda).sort(),
      [
        `${idOf(bob)} Schön!`,
        `${idOf(eve)} heart`,
      ].sort(),
    );
    assert.deepEqual(bob.trashed(), []);
  });
});

Deno.test("of a photo the newest 500 hearts of guests are shown, however many a member claims, and all of members", async () => {
  await withAlbum(async ({ ada, bob, ofAda }) => {
    await addRemark(bob, ofAda);
    await ada.sync();
    const [row] = ada.index.apart();
    const { metadata } = row ?? {};
    assert(row !== undefined && metadata?.remark !== undefined);
    const { remark } = metadata;
    const claimed = Array.from({ length: 501 }, (_, n) => ({
      ...row,
      id: `claimed-${n}`,
      metadata: {
        ...metadata,
        remark: { ...remark, guest: { name: `${n}`, link: "l", id: `${n}` } },
      },
    }));
    const index = Object.create(ada.index, {
      apart: { value: () => [row, ...claimed] },
    });
    const { albums, deletions, people, vault } = ada;
    const shown = remarksOn({ albums, deletions, index, people, vault }, ofAda);
    assert.equal(shown.filter(({ guest }) => guest !== undefined).length, 500);
    assert.equal(shown.length, 501);
  });
});

Deno.test("a comment is deleted by its author and by the album's owner alone, and does not come back to either", async () => {
  await withAlbum(async ({ ada, bob, eve, ofAda }) => {
    await addRemark(bob, ofAda, "mine");
    await addRemark(bob, ofAda, "rude");
    await ada.sync();
    await eve.sync();
    const [mine, rude] = remarksOn(ada, ofAda);
    assert(mine !== undefined && rude !== undefined);
    assert.deepEqual(
      [ada, bob, eve].map((who) => remarksOn(who, ofAda)[0]?.removable),
      [true, true, false],
    );
    await assert.rejects(removeRemarks(eve, [mine.id]));
    const before = [ada, bob].map(({ index }) => [
      index.get(mine.id),
      index.get(rude.id),
    ]);
    await removeRemarks(bob, [mine.id]);
    await removeRemarks(ada, [rude.id]);
    for (const library of [ada, bob, eve]) {
      await library.sync();
      assert.deepEqual(said(library), []);
      assert.deepEqual([library.trashed(), library.removed()], [[], []]);
      assert.deepEqual(library.missing(), []);
    }
    // The server shows them again to those who deleted them.
    for (const row of before[0] ?? []) if (row) ada.index.put(row);
    for (const row of before[1] ?? []) if (row) bob.index.put(row);
    assert.deepEqual(said(ada), [`${idOf(bob)} mine`]);
    assert.deepEqual(said(bob), [`${idOf(bob)} rude`]);
  });
});

Deno.test("a comment that this account deleted does not come back because the feed says so", async () => {
  await withAlbum(async ({ ada, bob, eve, ofAda }) => {
    await addRemark(bob, ofAda, "mine");
    await addRemark(bob, ofAda, "rude");
    await ada.sync();
    const [mine, rude] = remarksOn(ada, ofAda);
    assert(mine !== undefined && rude !== undefined);
    await bob.trash(mine.id);
    await removeRemarks(ada, [rude.id]);
    // No program of theirs noted it: a server can do so alone.
    await bob.vault.session.account.restoreAsset(mine.id);
    await ada.vault.session.account.restoreAsset(rude.id);
    for (const library of [ada, bob, eve]) await library.sync();
    assert(ada.deletions.isSaidRestored(rude.id));
    assert(bob.deletions.isSaidRestored(mine.id));
    assert.deepEqual(said(ada), [`${idOf(bob)} mine`]);
    assert.deepEqual(said(bob), [`${idOf(bob)} rude`]);
    assert.equal(said(eve).length, 2);
  });
});

Deno.test("who only looks reads what is said, and who was removed says nothing more", async () => {
  await withAlbum(async ({ ada, bob, eve, id, ofAda }) => {
    await addRemark(bob, ofAda, "before");
    await eve.sync();
    assert.deepEqual(said(eve), [`${idOf(bob)} before`]);
    assert.deepEqual(
      [ada, bob, eve].map((who) => remarkRights(who, ofAda)),
      ["write", "write", "read"],
    );
    await assert.rejects(addRemark(eve, ofAda, "I"), { name: "DocumentError" });
    await ada.sync();
    const sha256 = bob.index.get(ofAda)?.metadata?.sha256 ?? "";
    // The server has it before Ada's program, which removes him first, reads
    // of it: as one that takes what it should not.
    const { row: taken } = await bob.take(
      remarkOn(ofAda, sha256),
      { albumId: id },
    );
    await ada.albums.remove(id, idOf(bob));
    // His program does not know yet, and a server that keeps to it refuses.
    const late = remarkOn(ofAda, sha256, { at: "2026-06-02T10:00:00Z" });
    await assert.rejects(bob.take(late, { albumId: id }), {
      name: "ApiProblem",
    });
    await ada.sync();
    assert(ada.index.get(taken.id)?.fault !== undefined);
    assert.deepEqual(said(ada), [`${idOf(bob)} before`]);
  }, "viewer");
});

/** A heart as a member's own program could make it. */
function remarkOn(on: string, of: string, more: object = {}) {
  const remark = { on, of, at: "2026-06-01T10:00:00Z", ...more };
  return {
    source: plainOf(utf8(JSON.stringify(remark))),
    about: {
      kind: "heart",
      name: "heart.json",
      mime: "application/json",
      remark,
    },
  };
}

Deno.test("a heart counts for the photo of its album and of its bytes alone, and never where it was replaced", async () => {
  await withAlbum(async ({ ada, bob, ofAda, ofBob }) => {
    const { id: other } = await ada.albums.create({ title: "Autumn" });
    await invite(other, ada, "bob");
    await bob.sync();
    await bob.albums.accept(other);
    const sha256 = bob.index.get(ofAda)?.metadata?.sha256 ?? "";
    // Of a photo of another album, and of other bytes than the photo has.
    await bob.take(remarkOn(ofAda, sha256), { albumId: other });
    await bob.take(remarkOn(ofBob, sha256), {
      albumId: bob.index.get(ofBob)?.album ?? "",
    });
    await ada.sync();
    assert.equal(ada.index.apart().length, 2);
    assert.deepEqual(said(ada), []);
    await addRemark(bob, ofAda, "as it was");
    const [own] = bob.index.apart().filter(({ metadata }) =>
      metadata?.kind === "comment"
    );
    await ada.sync();
    assert.equal(said(ada).length, 1);
    assert(own?.metadata?.remark !== undefined);
    const { remark } = own.metadata;
    await bob.amend(own.id, {
      about: { remark: { ...remark, text: "something else" } },
    });
    await ada.sync();
    assert.deepEqual(said(ada), []);
  });
});

Deno.test("a server puts a comment under no other name, photo or album", async () => {
  await withAlbum(async ({ app, wire, ada, bob, eve, ofAda, ofBob }) => {
    await addRemark(bob, ofAda, "of bob");
    const { id: lies } = bob.index.apart()[0] ?? {};
    const other = crypto.randomUUID();
    const stories: readonly ((asset: Record<string, unknown>) => void)[] = [
      (asset) => asset["owner"] = idOf(eve),
      (asset) => asset["owner"] = idOf(ada),
      (asset) => asset["asset_id"] = other,
      (asset) => asset["album_id"] = null,
    ];
    for (const change of stories) {
      let told = 0;
      // What was refused is asked for again.
      app.clock.now += 2 * DAY_MS;
      wire.intercept = async (request, send) => {
        const response = await send(request);
        if (!new URL(request.url).pathname.endsWith("/query")) return response;
        const body = JSON.parse(await response.clone().text());
        const assets: readonly Record<string, unknown>[] = body.assets ?? [];
        const found = assets.find(({ asset_id }) => asset_id === lies);
        if (found === undefined) return response;
        change(found);
        told += 1;
        return new Response(JSON.stringify(body), response);
      };
      await ada.sync();
      assert(told > 0);
      assert.deepEqual(said(ada), []);
      assert.deepEqual(said(ada, ofBob), []);
    }
    wire.intercept = undefined;
    app.clock.now += 2 * DAY_MS;
    await ada.sync();
    assert.deepEqual(said(ada, ofAda), [`${idOf(bob)} of bob`]);
  });
});

Deno.test("an album whose owner turned comments off shows none and takes none, until they are on again", async () => {
  await withAlbum(async ({ ada, bob, id, ofAda }) => {
    await addRemark(bob, ofAda, "seen");
    const change = async (remarks?: boolean) => {
      const { info } = ada.albums.get(id) ?? {};
      const { remarks: _, ...rest } = { title: "Summer", ...info };
      await ada.albums.describe(id, {
        ...rest,
        ...(remarks === undefined ? {} : { remarks }),
      });
      await bob.sync();
      await ada.sync();
    };
    await change(false);
    assert.deepEqual([said(ada), said(bob)], [[], []]);
    await assert.rejects(addRemark(bob, ofAda), { name: "DocumentError" });
    await change();
    assert.equal(said(ada).length, 1);
  });
});

Deno.test("an album ends although the server refuses to delete a comment in it once", async () => {
  await withAlbum(async ({ wire, ada, bob, id, ofAda }) => {
    await addRemark(bob, ofAda, "one");
    await addRemark(bob, ofAda, "two");
    await ada.sync();
    const [one] = remarksOn(ada, ofAda);
    assert(one !== undefined);
    // Another program deleted it, and the feed has not told it yet.
    wire.intercept = (request, pass) =>
      request.method === "DELETE" && request.url.endsWith(one.id)
        ? pass(
          new Request(
            request.url.replace(one.id, crypto.randomUUID()),
            request,
          ),
        )
        : undefined;
    await ada.discardAlbum(id);
    assert.deepEqual(said(ada), []);
    assert.equal(ada.list().some(({ album }) => album === id), false);
  });
});

Deno.test("who leaves an album leaves nothing said in it", async () => {
  await withAlbum(async ({ ada, bob, id, ofAda }) => {
    await addRemark(bob, ofAda, "one");
    await addRemark(bob, ofAda);
    await ada.sync();
    await addRemark(ada, ofAda, "mine");
    await bob.sync();
    await leaveAlbum(bob, id);
    await ada.sync();
    assert.deepEqual(said(ada), [`${idOf(ada)} mine`]);
    const own = bob.index.apart().filter(({ owner }) => owner === idOf(bob));
    assert.deepEqual(own, []);
    assert.equal(bob.albums.get(id), undefined);
  });
});

Deno.test("an album with comments ends as one without", async () => {
  await withAlbum(async ({ ada, bob, id, ofAda }) => {
    await addRemark(ada, ofAda, "mine");
    await addRemark(bob, ofAda, "bob's");
    await ada.discardAlbum(id);
    await ada.sync();
    assert.deepEqual(ada.list().map(({ metadata }) => metadata?.name), [
      "of ada.jpg",
    ]);
    assert.equal(ada.index.apart().length, 0);
    assert.deepEqual(ada.missing(), []);
  });
});

Deno.test("a comment has 1 to 1,000 characters in NFC; any other is ignored, and costs no photo", () => {
  assert.equal(commentText(" e\u0301 "), "\u00e9");
  assert.equal(commentText(" \n"), undefined);
  assert.equal(commentText("🎉".repeat(1_000))?.length, 2_000);
  assert.equal(commentText("🎉".repeat(1_001)), undefined);
  const about = {
    kind: "comment",
    name: "comment.json",
    mime: "application/json",
    size: 1,
    sha256: "00".repeat(32),
    derivatives: [],
  };
  const remark = {
    on: crypto.randomUUID(),
    of: "11".repeat(32),
    at: "2026-06-01T10:00:00Z",
  };
  const read = (text: string) =>
    decodeMetadata(utf8(JSON.stringify({
      ...about,
      remark: { ...remark, text },
    }))).remark?.text;
  assert.equal(read("x".repeat(1_000)), "x".repeat(1_000));
  for (const text of ["", "x".repeat(1_001), "e\u0301", "x".repeat(100_000)]) {
    assert.equal(read(text), undefined);
    assert.throws(() =>
      encodeMetadata({ ...about, remark: { ...remark, text } })
    );
  }
});
