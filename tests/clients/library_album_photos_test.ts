/**
 * Photos in an album of several people: whose they are, what is said of them,
 * and what a server cannot slip in.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fileOf, wholeOf } from "../support/library.ts";
import {
  idOf,
  invite,
  photo,
  seen,
  take,
  withCast,
} from "../support/album_cast.ts";
import { ciphertext } from "../support/people.ts";
import {
  othersIn,
  withTimelineAlbum,
} from "../../src/library/albums/timeline_albums.ts";
import { isInHand, isOwnAlbum } from "../../src/library/albums/album_rights.ts";

Deno.test("a library's own photos stay its own next to an album", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await ada.take(fileOf("own.jpg", photo("own")));
    await bob.sync();
    assert.deepEqual(bob.list(), []);
    // The same bytes may lie in both.
    const twice = await take(ada, "own", id);
    assert.equal(twice.outcome, "kept");
    assert.equal((await take(ada, "own", id)).outcome, "known");
    assert.deepEqual(await seen(bob, id), ["own"]);
  });
});

Deno.test("a member takes only own photos out of an album, its owner any, and only the owner chooses its cover", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await bob.sync();
    await bob.albums.accept(id);
    const ofAda = (await take(ada, "of ada", id)).row;
    const ofBob = (await take(bob, "of bob", id)).row;
    const more = (await take(bob, "more of bob", id)).row;
    assert.deepEqual(await seen(bob, id), ["more of bob", "of ada", "of bob"]);
    await ada.sync();
    // What is offered, and what the server then does.
    assert.equal(isInHand(bob, ofAda), false);
    await assert.rejects(bob.takeOutOf([ofAda.id]), {
      code: "error.album.role_forbidden",
    });
    assert.equal(isInHand(bob, ofBob), true);
    await bob.takeOutOf([ofBob.id]);
    assert.equal(isInHand(ada, more), true);
    await ada.takeOutOf([more.id]);
    assert.deepEqual(await seen(ada, id), ["of ada"]);
    assert.deepEqual([isOwnAlbum(bob, id), isOwnAlbum(ada, id)], [false, true]);
    await assert.rejects(
      bob.albums.describe(id, { title: "Summer", cover: ofAda.id }),
    );
    await ada.albums.describe(id, { title: "Summer", cover: ofAda.id });
  });
});

Deno.test("what one said of a photo in an album is said of it once its file comes into the library, and never the other way", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    const { row } = await take(ada, "own", id);
    await ada.amend(row.id, {
      about: { caption: "At the gate", rating: 5, keywords: ["gate"] },
    });
    // Another member's words about the same photo stay theirs.
    await bob.sync();
    const { row: theirs } = await take(bob, "of both", id);
    await bob.amend(theirs.id, { about: { caption: "of bob" } });
    await ada.sync();
    const own = await ada.take(fileOf("own.jpg", photo("own")));
    assert.equal(own.outcome, "kept");
    const { caption, rating, keywords } = own.row.metadata ?? {};
    assert.deepEqual([caption, rating, keywords], ["At the gate", 5, ["gate"]]);
    const both = await ada.take(fileOf("both.jpg", photo("of both")));
    assert.equal(both.row.metadata?.caption, undefined);
    // A file that brings words of its own keeps them.
    const { row: worded } = await take(ada, "worded", id);
    await ada.amend(worded.id, { about: { caption: "before" } });
    const file = fileOf("worded.jpg", photo("worded"));
    const about = { ...file.about, caption: "of the file" };
    const brought = await ada.take({ ...file, about });
    assert.equal(brought.row.metadata?.caption, "of the file");
    const { row: secret } = await ada.take(fileOf("s.jpg", photo("secret")));
    await ada.amend(secret.id, { about: { caption: "for me alone" } });
    const shared = await take(ada, "secret", id);
    assert.equal(shared.outcome, "kept");
    assert.equal(shared.row.metadata?.caption, undefined);
  });
});

Deno.test("a photo in an album that its owner's identity did not sign is not shown", async () => {
  await withCast(async ({ wire, ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await bob.sync();
    await take(bob, "of bob", id);
    // The server says that it is ada's, who could have read its key.
    wire.intercept = (request, pass) => {
      if (!request.url.endsWith("/assets/query")) return undefined;
      return pass(request).then(async (answer) => {
        const json = await answer.json();
        for (const asset of json.assets) asset.owner = idOf(ada);
        return Response.json(json);
      });
    };
    assert.deepEqual(await seen(ada, id), []);
    const [row] = [...ada.index.rows()].filter(({ album }) => album === id);
    assert.match(row?.fault ?? "", /not of its owner/);
  });
});

Deno.test("a photo of the library goes into an album without its bytes, and what is the owner's alone stays behind", async () => {
  await withCast(async ({ wire, ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    const thumbnail = ciphertext("small", 500);
    const { row } = await ada.take({
      ...fileOf("own.jpg", photo("own")),
      about: {
        name: "own.jpg",
        mime: "image/jpeg",
        path: "Pictures/secret plans",
        favourite: true,
        caption: "At the gate",
      },
      derivatives: [{
        kind: "thumbnail",
        mime: "image/jpeg",
        width: 9,
        height: 9,
        bytes: thumbnail,
      }],
    });
    const sent = wire.sent.length;
    const copy = await ada.copyInto(row.id, id);
    assert.equal(copy.outcome, "kept");
    // Its blobs are taken where they are, together with the manifest.
    const writes = wire.sent.slice(sent).filter((one) => !/^GET/.test(one));
    assert.deepEqual(writes, [`POST /v1/albums/${id}/ops`]);
    assert.equal((await ada.copyInto(row.id, id)).outcome, "known");

    assert.deepEqual(await seen(bob, id), ["own"]);
    const [theirs] = bob.list();
    assert.equal(theirs?.metadata?.caption, "At the gate");
    assert.equal(theirs?.metadata?.path, undefined);
    assert.equal(theirs?.metadata?.favourite, undefined);
    assert.deepEqual(
      await wholeOf(bob.read(copy.row.id, { derivative: "thumbnail" })),
      thumbnail,
    );
    // The one in the library may go; the album keeps its own.
    await ada.trash(row.id);
    assert.deepEqual(await seen(bob, id), ["own"]);
    // And out of the album into one's own library, which is another's account.
    await assert.rejects(bob.copyInto(row.id, bob.vault.libraryAlbumId));
    const own = await bob.copyInto(copy.row.id, bob.vault.libraryAlbumId);
    assert.equal(own.row.owner, idOf(bob));
    await bob.albums.leave(id);
    await bob.sync();
    assert.deepEqual(await wholeOf(bob.read(own.row.id)), photo("own"));
  });
});

Deno.test("what is said of a photo changes for everybody, under every key, and a small picture may come later", async () => {
  await withCast(async ({ ada, bob, eve }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await invite(id, ada, "eve");
    const { row } = await take(ada, "one", id);
    assert.deepEqual(await seen(bob, id), ["one"]);
    await ada.albums.remove(id, idOf(eve));
    const small = ciphertext("small", 300);
    const picture = { mime: "image/jpeg", width: 9, height: 9, bytes: small };
    const changed = await ada.amend(row.id, {
      about: { caption: "At the gate", camera: { make: "Own" } },
      derivatives: [{ kind: "thumbnail", ...picture }],
    });
    assert.notEqual(changed.head, row.head);
    assert.equal(changed.custody, "receipted");
    assert.equal(changed.epoch, 1);
    assert.deepEqual(await seen(bob, id), ["one"]);
    const theirs = bob.index.get(row.id);
    assert.equal(theirs?.metadata?.caption, "At the gate");
    assert.deepEqual(
      await wholeOf(bob.read(row.id, { derivative: "thumbnail" })),
      small,
    );
    await assert.rejects(bob.amend(row.id, { about: { caption: "mine" } }));

    // Again, and a device that missed it is told, and comes after it.
    const later = await ada.amend(row.id, { about: { caption: undefined } });
    assert.equal(later.metadata?.caption, undefined);
    assert.equal(later.metadata?.derivatives.length, 1);
    ada.index.put(changed);
    await assert.rejects(ada.amend(row.id, { about: { caption: "old" } }), {
      code: "error.asset.stale_revival",
    });
    ada.index.put({ ...changed, seq: 0 });
    await seen(eve, id);
    assert.deepEqual(await seen(bob, id), ["one"]);
    assert.equal(bob.index.get(row.id)?.metadata?.caption, undefined);
    const { account } = ada.vault.session;
    const { blobs } = await account.asset(row.id);
    assert.equal(blobs.filter(({ role }) => role === "derivative").length, 1);
  });
});

Deno.test("a timeline shows each other member's photos of chosen albums once, none in place of another member's, and none that is one's own as well, hidden or in the archive too", async () => {
  await withCast(async ({ ada, bob, eve }) => {
    const [summer, winter] = [
      await ada.albums.create({ title: "Summer" }),
      await ada.albums.create({ title: "Winter" }),
    ];
    for (const { id } of [summer, winter]) {
      await invite(id, ada, "bob");
      await invite(id, ada, "eve");
      for (const one of [bob, eve]) {
        await one.sync();
        await one.albums.accept(id);
      }
    }
    const { row: hidden } = await ada.take(fileOf("mine.jpg", photo("mine")));
    await ada.flags.change([hidden.id], { hidden: true });
    await take(ada, "ada", summer.id);
    for (const name of ["mine", "bob", "twice"]) {
      await take(bob, name, summer.id);
    }
    for (const name of ["twice", "eve"]) await take(eve, name, summer.id);
    await take(bob, "twice", winter.id);
    await take(bob, "winter", winter.id);
    await ada.sync();
    const now = Date.now();
    const shown = () =>
      ada.list().filter(othersIn(ada))
        .map(({ metadata }) => metadata?.name.replace(".jpg", "")).sort();
    const choose = (id: string, isIn: boolean) =>
      ada.state.change((held) => ({
        ...held,
        settings: withTimelineAlbum(held.settings, id, isIn, now),
      }));
    assert.deepEqual(shown(), []);
    await choose(summer.id, true);
    assert.deepEqual(shown(), ["bob", "eve", "twice", "twice"]);
    await choose(winter.id, true);
    assert.deepEqual(shown(), ["bob", "eve", "twice", "twice", "winter"]);
    await ada.people.block(idOf(eve), true);
    assert.deepEqual(shown(), ["bob", "twice", "winter"]);
    await choose(summer.id, false);
    assert.deepEqual(shown(), ["twice", "winter"]);
  });
});

Deno.test("who leaves takes their own photos into the library if they choose, but those that cannot be read, and nothing of others but what they saved", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await bob.sync();
    await bob.albums.accept(id);
    const { row: ofAda } = await take(ada, "of ada", id);
    const { row: saved } = await take(ada, "saved", id);
    const { row: hidden } = await take(bob, "hidden", id);
    await take(bob, "of bob", id);
    await bob.take(fileOf("both.jpg", photo("both")));
    await take(bob, "both", id);
    await bob.flags.change([hidden.id], { hidden: true });
    const { row: damaged } = await take(bob, "damaged", id);
    const { row: shut } = await take(bob, "unopened", id);
    await bob.sync();
    await bob.copyInto(saved.id, bob.vault.libraryAlbumId);
    bob.index.put({ ...damaged, custody: "damaged" });
    const { metadata: _, ...bare } = shut;
    bob.index.put(bare);
    assert.equal(await bob.takeOwnAlong(id), 2);
    await bob.albums.leave(id);
    assert.deepEqual(await seen(ada, id), [
      "damaged",
      "of ada",
      "saved",
      "unopened",
    ]);
    const { libraryAlbumId } = bob.vault;
    const names = bob.list().filter(({ album }) => album === libraryAlbumId)
      .map(({ metadata }) => metadata?.name).sort();
    assert.deepEqual(names, [
      "both.jpg",
      "hidden.jpg",
      "of bob.jpg",
      "saved.jpg",
    ]);
    const [kept] = bob.list().filter(({ metadata }) =>
      metadata?.name === "hidden.jpg"
    );
    assert(kept !== undefined && bob.flags.of(kept).hidden);
    // Nothing went to the trash: all of it is in the library.
    assert.deepEqual(bob.trashed(), []);
    assert.equal(bob.index.get(ofAda.id)?.owner, idOf(ada));
  });
});
