/**
 * Links of a library: share links that change after they were given out, and
 * notes on upload links.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  DamagedBlob,
  hasLinks,
  type Library,
  memoryStore,
  type NewDerivative,
  NoLongerWaits,
  openGuestBox,
  openLibrary,
  plainOf,
} from "../../src/library/mod.ts";
import { createViewer } from "../../src/client/api/links.ts";
import { editPhoto } from "../../src/library/care/editing_photo.ts";
import { openCustody } from "../../src/library/trust/custody.ts";
import {
  stillSeen,
  takeOutWhereSeen,
} from "../../src/library/sharing/hiding.ts";
import { storeEncoded } from "../../src/library/sharing/link_index.ts";
import {
  encodeShareIndex,
  isSmallerCopy,
  parseShareLink,
} from "../../src/client/documents/share.ts";
import { utf8 } from "../../src/core/bytes.ts";
import {
  buildUploadLink,
  parseUploadLink,
} from "../../src/client/documents/upload_link.ts";
import { countPlaceless } from "../../src/library/sharing/placeless_counts.ts";
import { ORIGIN, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  libraryOn,
  platformOn,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";
import { linkedBlobs } from "../../src/web/workers/finding/linked_blobs.ts";
import { seenByLink } from "../support/link_viewer.ts";
import {
  giveNewer,
  photo,
  secondDevice,
  take,
} from "../support/library_sharing.ts";

Deno.test("a link changes after it was given out: its address stays, and its old index goes", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const rows = [];
    for (const name of ["a", "b", "c"]) rows.push(await take(ada, name));
    const [a, b, c] = rows.map(({ id }) => id);
    const { url, opaqueId } = await ada.share({
      assetIds: [a ?? "", b ?? ""],
      title: "Walk",
      message: "As promised",
      from: "Ada",
    });
    const first = await seenByLink(wire, url);
    assert.deepEqual(first.names, ["a.jpg", "b.jpg"]);
    assert.equal(first.index.message, "As promised");
    assert.equal(first.index.from, "Ada");

    // On another device of the same person.
    const other = await secondDevice(wire, ada, "ada");
    const contents = await other.shareContents(opaqueId);
    assert.equal(contents.title, "Walk");
    assert.deepEqual(contents.items.map(({ assetId }) => assetId), [a, b]);
    await other.changeShare(opaqueId, {
      title: "The walk",
      message: null,
      add: [c ?? "", a ?? ""],
      remove: [contents.items[1]?.hash ?? ""],
      expiresAt: "2026-12-01T00:00:00Z",
    });
    const second = await seenByLink(wire, url);
    assert.deepEqual(second.names, ["a.jpg", "c.jpg"]);
    assert.deepEqual(second.files, [photo("a"), photo("c")]);
    assert.equal(second.index.title, "The walk");
    assert.equal(second.index.message, undefined);
    assert.equal(second.index.from, "Ada");
    await ada.sync();
    const [own] = await ada.shares();
    assert.equal(own?.url, url);
    assert.equal(own?.title, "The walk");
    assert.equal(own?.expires_at, "2026-12-01T00:00:00.000Z");
    await ada.changeShare(opaqueId, { expiresAt: null });
    assert.equal((await ada.shares())[0]?.expires_at ?? undefined, undefined);

    // Indexes hold keys: none that is not in use stays behind.
    const indexes = () =>
      [...ada.index.rows()].filter(({ metadata }) =>
        metadata?.kind === "share-index"
      );
    assert.equal(indexes().length, 1);
    const items = (await ada.shareContents(opaqueId)).items;
    await assert.rejects(
      ada.changeShare(opaqueId, { remove: items.map(({ hash }) => hash) }),
    );
    await ada.revokeShare(opaqueId);
    assert.equal(indexes().length, 0);
    await ada.sync();
    assert.deepEqual(ada.trashed(), []);
  });
});

Deno.test("a link that follows a list has what is in it, from every device, and nothing once the list is empty", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id: a } = await take(ada, "a");
    const { id: b } = await take(ada, "b");
    const { id: c } = await take(ada, "c");
    const { url, opaqueId } = await ada.share({
      assetIds: [a, b],
      title: "Kitchen",
      follows: "favourites",
    });
    const other = await secondDevice(wire, ada, "ada");
    assert.equal(other.state.held.links[opaqueId]?.follows, "favourites");
    // The first device vouches for the second one's state.
    for (const device of [other, ada, other]) await device.sync();
    assert.equal(await other.keepShareAt(opaqueId, [c, b]), true);
    const { names, files, index } = await seenByLink(wire, url);
    assert.deepEqual(names, ["c.jpg", "b.jpg"]);
    assert.deepEqual(files, [photo("c"), photo("b")]);
    assert.equal(index.title, "Kitchen");
    // There is nothing to change, and no new index.
    const [before] = await other.shares();
    assert.equal(await other.keepShareAt(opaqueId, [c, b]), false);
    const [after] = await other.shares();
    assert.equal(after?.metadata_hash, before?.metadata_hash);

    await ada.sync();
    assert.equal(await ada.keepShareAt(opaqueId, []), true);
    assert.deepEqual((await seenByLink(wire, url)).names, []);
    assert.equal(await ada.keepShareAt(opaqueId, [a]), true);
    assert.deepEqual((await seenByLink(wire, url)).names, ["a.jpg"]);
    // Indexes hold keys: none that is not in use stays behind.
    const indexes = [...ada.index.rows()].filter(({ metadata }) =>
      metadata?.kind === "share-index"
    );
    assert.equal(indexes.length, 1);
  });
});

Deno.test("a link that follows a list shows its photos as they are by now, and none whose place became known", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const [a, b] = [await take(ada, "a"), await take(ada, "b")];
    const { url, opaqueId } = await ada.share({
      assetIds: [a.id, b.id],
      follows: "favourites",
    });
    await ada.amend(b.id, { about: { caption: "The pier" } });
    assert.equal(await ada.keepShareAt(opaqueId, [a.id, b.id]), true);
    const { index } = await seenByLink(wire, url);
    assert.deepEqual(
      index.items.map(({ caption }) => caption),
      [undefined, "The pier"],
    );
    assert.equal(await ada.keepShareAt(opaqueId, [a.id, b.id]), false);
    assert.equal(await ada.keepShareAt(opaqueId, [b.id, a.id]), true);

    // Its original may tell the place as well, and there is no smaller copy.
    const place = { latitude: 45.9, longitude: 9.2 };
    await ada.amend(a.id, { about: { place } });
    assert.equal(await ada.keepShareAt(opaqueId, [a.id, b.id]), true);
    assert.deepEqual((await seenByLink(wire, url)).names, ["b.jpg"]);
    const viewer = createViewer({ baseUrl: ORIGIN, fetch: wire.fetch });
    const [file] = a.blobs.filter(({ role }) => role === "original");
    await assert.rejects(viewer.sharedBlob(opaqueId, file?.hash ?? ""), {
      status: 404,
    });
  });
});

Deno.test("a link gets a smaller copy of an edited photo, also where it keeps places, and a frame exchanges what it had", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const frame = await ada.share({ assetIds: [id], follows: "favourites" });
    const bytes = ciphertext("what is left", 900);
    const given = await ada.share({ assetIds: [id], title: "Given before" });
    const sides = { width: 20, height: 40 };
    await editPhoto(
      ada,
      id,
      { crop: { x: 0, y: 0, width: 0.5, height: 1 } },
      {
        ...sides,
        thumbhash: new Uint8Array(20),
        smaller: [{ kind: "preview", mime: "image/jpeg", ...sides, bytes }],
      },
    );
    assert.equal(countPlaceless([...ada.list()]).edited, 1);
    // Nor does a link go on with the original that had it before.
    const changed = await seenByLink(wire, given.url);
    assert.deepEqual(changed.files, [bytes]);
    assert.equal(changed.index.title, "Given before");
    const [file] = ada.index.get(id)?.blobs
      .filter(({ role }) => role === "original") ?? [];
    const viewer = createViewer({ baseUrl: ORIGIN, fetch: wire.fetch });
    await assert.rejects(
      viewer.sharedBlob(given.opaqueId, file?.hash ?? ""),
      { status: 404 },
    );
    const { url } = await ada.share({ assetIds: [id], places: "kept" });
    assert.deepEqual((await seenByLink(wire, url)).files, [bytes]);
    assert.equal(await ada.keepShareAt(frame.opaqueId, [id]), true);
    assert.deepEqual((await seenByLink(wire, frame.url)).files, [bytes]);
    // Taken back, it is whole again, and what was made for the edit is gone.
    const back = await ada.amend(id, {
      about: { edit: undefined },
      without: ["preview"],
    });
    assert.deepEqual(back.metadata?.derivatives, []);
    assert.equal(await ada.keepShareAt(frame.opaqueId, [id]), true);
    assert.deepEqual((await seenByLink(wire, frame.url)).files, [photo("a")]);
  });
});

Deno.test("an edit names the links that may still show the photo as it was, in items that cannot be read", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const { id: other } = await take(ada, "b");
    const assetIds = [id, other];
    const newer = (item: object | undefined) => ({ ...item, chunk_size: 1 });
    const given = await ada.share({ assetIds, title: "Given" });
    await giveNewer(wire, ada, given, ([a, b]) => [newer(a), b]);
    const follows = "favourites";
    const living = await ada.share({ assetIds, title: "Living", follows });
    await giveNewer(wire, ada, living, ([a, b]) => [newer(a), b]);
    const elsewhere = await ada.share({ assetIds, title: "Of another photo" });
    await giveNewer(wire, ada, elsewhere, ([a, b]) => [a, newer(b)]);
    const twice = await ada.share({ assetIds, title: "Twice" });
    await giveNewer(wire, ada, twice, ([a, b]) => [a, newer(a), b]);
    for (const word of ["once", "again"]) {
      assert.deepEqual(await mirror(ada, id, word), ["Given", "Living"]);
    }
    const { names, index } = await seenByLink(wire, twice.url);
    assert.deepEqual([names, index.unread], [["b.jpg", "a.jpg"], undefined]);
    for (const { opaqueId } of [elsewhere, twice]) {
      await ada.revokeShare(opaqueId);
    }
    assert.deepEqual(await mirror(ada, id, "alone"), ["Given", "Living"]);
  });
});

Deno.test("an edit names the links whose index this program cannot read, also those that follow a list", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const assetIds = [id];
    for (const title of ["Newer", "Shapeless", "Living", "Known"]) {
      const follows = title === "Living" ? { follows: "favourites" } : {};
      const link = await ada.share({ assetIds, title, ...follows });
      const more = title === "Shapeless" ? { items: "none" } : { v: 2 };
      if (title === "Known") continue;
      await giveNewer(wire, ada, link, (items) => items, more);
    }
    assert.deepEqual(await mirror(ada, id), [
      ...["Living", "Newer", "Shapeless"],
    ]);
  });
});

Deno.test("the sync after an edit changes a link that another device changed a moment ago, and names those whose index is still not in this library", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const given = await ada.share({ assetIds: [id], title: "Given" });
    const phone = await secondDevice(wire, ada, "ada");
    await phone.changeShare(given.opaqueId, { title: "Changed" });
    await phone.share({ assetIds: [id], title: "New" });
    // Ending them would be for nothing.
    assert.deepEqual(await mirror(ada, id), []);
    await ada.sync();
    assert.deepEqual(await toldOf(ada), []);
    const titles = [];
    for (const { url } of await ada.shares()) {
      const { index, files } = await seenByLink(wire, url ?? "");
      assert.deepEqual(files, [ciphertext("mirrored", 900)]);
      titles.push(index.title);
    }
    assert.deepEqual(titles.toSorted(), ["Changed", "New"]);

    wire.intercept = async (request, pass) => {
      const answer = await pass(request);
      const { pathname } = new URL(request.url);
      if (request.method !== "GET" || pathname !== "/v1/shares") return answer;
      const json = await answer.json();
      for (const link of json.shares) {
        if (link.opaque_id !== given.opaqueId) continue;
        link.metadata_hash = "0".repeat(64);
      }
      return Response.json(json);
    };
    assert.deepEqual(await mirror(ada, id), []);
    await ada.sync();
    assert.deepEqual(await toldOf(ada), [given.opaqueId]);
    await ada.sync();
    assert.deepEqual(await toldOf(ada), []);
  });
});

Deno.test("a link that another device changed during an edit is left to a sync that begins after the edit", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const given = await ada.share({ assetIds: [id], title: "Given" });
    const phone = await secondDevice(wire, ada, "ada");
    await ada.sync();
    const isRead = Promise.withResolvers<void>();
    const isEdited = Promise.withResolvers<void>();
    let isNoted = false;
    let during: Promise<unknown> | undefined;
    wire.intercept = async (request, pass) => {
      const { pathname } = new URL(request.url);
      if (isNoted && during === undefined) {
        during = ada.sync();
        await isRead.promise;
        await phone.changeShare(given.opaqueId, { title: "Changed" });
      }
      const answer = await pass(request);
      isNoted ||= request.method === "PUT" && pathname.includes("/state/");
      if (pathname !== "/v1/sync") return answer;
      // It has read the feed, and goes on after the edit.
      isRead.resolve();
      await isEdited.promise;
      return answer;
    };
    assert.deepEqual(await mirror(ada, id), []);
    wire.intercept = undefined;
    isEdited.resolve();
    await during;
    assert.deepEqual(await toldOf(ada), []);
    await ada.sync();
    assert.deepEqual(await toldOf(ada), []);
    const [link] = await ada.shares();
    const { index, files } = await seenByLink(wire, link?.url ?? "");
    assert.equal(index.title, "Changed");
    assert.deepEqual(files, [ciphertext("mirrored", 900)]);
  });
});

Deno.test("the server lets go of the small pictures that an edit replaced, unless a link shows them", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const album = await ada.albums.create({ title: "Summer" });
    const { id } = await take(ada, "a");
    const { row: copy } = await ada.copyInto(id, album.id);
    const frame = await ada.share({ assetIds: [id], follows: "favourites" });
    const sides = { width: 20, height: 40 };
    const editTo = async (word: string, assetId = id) => {
      const bytes = ciphertext(word, 900);
      await editPhoto(ada, assetId, { mirrored: true }, {
        ...sides,
        thumbhash: new Uint8Array(20),
        smaller: [{ kind: "preview", mime: "image/jpeg", ...sides, bytes }],
      });
      return bytes;
    };
    /** How many small pictures the server has of a photo. */
    const smallOf = async (assetId: string) => {
      const { blobs } = await ada.vault.session.account.asset(assetId);
      return blobs.filter(({ role }) => role === "derivative").length;
    };
    await editTo("once");
    const left = await editTo("twice");
    assert.deepEqual([await smallOf(id), await smallOf(copy.id)], [1, 1]);
    assert.equal(await ada.keepShareAt(frame.opaqueId, [id]), true);
    assert.deepEqual((await seenByLink(wire, frame.url)).files, [left]);
    const { id: other } = await take(ada, "b");
    await ada.share({ assetIds: [other] });
    for (const word of ["first", "with a link"]) await editTo(word, other);
    assert.equal(await smallOf(other), 2);
  });
});

for (const by of ["the same device", "another device"] as const) {
  for (const stage of ["the copy", "link 1", "link 2", "link 3"] as const) {
    Deno.test(`an edit that is interrupted at ${stage} is finished by ${by} at its next run, in every link and copy`, async () => {
      await withTestApp(async (app) => {
        const wire = wireTo(app);
        const device = deviceOf(wire, "laptop");
        const ada = await beginLibrary(device, "ada");
        const phone = await secondDevice(wire, ada, "ada");
        await phone.sync();
        const album = await ada.albums.create({ title: "Summer" });
        const { id } = await take(ada, "a");
        const { row: copy } = await ada.copyInto(id, album.id);
        const urls: string[] = [];
        for (const one of [id, copy.id, id]) {
          const made = await ada.share({ assetIds: [one], places: "kept" });
          urls.push(made.url);
        }
        const bytes = ciphertext("what is left", 900);
        const sides = { width: 20, height: 40 };
        const edit = { crop: { x: 0, y: 0, width: 0.5, height: 1 } };
        let links = 0;
        let isCut = false;
        wire.intercept = (request) => {
          const { pathname } = new URL(request.url);
          if (request.method === "PATCH" && pathname.includes("/shares/")) {
            isCut ||= stage === `link ${++links}`;
          }
          isCut ||= stage === "the copy" && request.method !== "GET" &&
            ada.index.get(id)?.metadata?.edit !== undefined;
          return isCut ? Promise.reject(new TypeError("cut")) : undefined;
        };
        await assert.rejects(editPhoto(ada, id, edit, {
          ...sides,
          thumbhash: new Uint8Array(20),
          smaller: [{ kind: "preview", mime: "image/jpeg", ...sides, bytes }],
        }));
        assert.ok(isCut);
        wire.intercept = undefined;
        const next = by === "the same device"
          ? await openLibrary(ada.vault, device.store)
          : phone;
        // It may be at it still.
        if (next === phone) app.clock.now += 61_000;
        await next.sync();
        for (const url of urls) {
          assert.deepEqual((await seenByLink(wire, url)).files, [bytes]);
        }
        assert.deepEqual(next.index.get(copy.id)?.metadata?.edit, edit);
        assert.deepEqual(begunEdits(next), [null]);
      });
    });
  }
}

Deno.test("an edit changes the other links where one refuses its change, and the next sync names that one and ends the edit", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    for (const title of ["One", "Two"]) {
      await ada.share({ assetIds: [id], title });
    }
    // That which would be changed first.
    const [refused, other] = await ada.shares();
    assert.ok(refused?.title !== undefined);
    wire.intercept = ({ method, url }) =>
      method === "PATCH" && url.endsWith(refused.opaque_id)
        ? Promise.resolve(refusal(422, "error.request.invalid"))
        : undefined;
    for (const word of ["once", "again"]) {
      assert.deepEqual(await mirror(ada, id, word), []);
      const { files } = await seenByLink(wire, other?.url ?? "");
      assert.deepEqual(files, [ciphertext(word, 900)]);
    }
    // No index stays that no link has: it would contain keys.
    const indexes = [...ada.index.rows()].filter(({ metadata }) =>
      metadata?.kind === "share-index"
    );
    assert.equal(indexes.length, 2);
    await ada.sync();
    assert.deepEqual(await toldOf(ada), [refused.title]);
    assert.deepEqual(begunEdits(ada), [null]);
    wire.intercept = undefined;
    assert.deepEqual(await mirror(ada, id, "at last"), []);
    const { files } = await seenByLink(wire, refused.url ?? "");
    assert.deepEqual(files, [ciphertext("at last", 900)]);
  });
});

Deno.test("taking an edit back changes each link once, also where another one refuses its change", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    for (const title of ["One", "Two"]) {
      await ada.share({ assetIds: [id], title });
    }
    assert.deepEqual(await mirror(ada, id), []);
    const [other, refused] = await ada.shares();
    let changes = 0;
    wire.intercept = ({ method, url }) => {
      if (method !== "PATCH") return undefined;
      if (url.endsWith(refused?.opaque_id ?? "")) {
        return Promise.resolve(refusal(422, "error.request.invalid"));
      }
      changes++;
      return undefined;
    };
    await editPhoto(ada, id, undefined, made("as it was"));
    assert.deepEqual(await toldOf(ada), []);
    await ada.sync();
    assert.deepEqual(await toldOf(ada), [refused?.title]);
    assert.deepEqual(begunEdits(ada), [null]);
    assert.equal(changes, 1);
    const { files } = await seenByLink(wire, other?.url ?? "");
    assert.deepEqual(files, [photo("a")]);
  });
});

for (
  const [why, status, code] of [
    ["the account is full", 422, "error.storage.quota_exceeded"],
    ["the server is busy", 503, "error.server.busy"],
  ] as const
) {
  Deno.test(`an edit that cannot be finished because ${why} fails no sync, and is finished later`, async () => {
    await withTestApp(async (app) => {
      const wire = wireTo(app);
      const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
      const { id } = await take(ada, "a");
      const { url } = await ada.share({ assetIds: [id] });
      wire.intercept = ({ method }) =>
        method === "PATCH" ? Promise.resolve(refusal(status, code)) : undefined;
      await assert.rejects(mirror(ada, id), { code });
      for (const _ of ["once", "again"]) await ada.sync();
      assert.notDeepEqual(begunEdits(ada), [null]);
      wire.intercept = undefined;
      await ada.sync();
      assert.deepEqual(begunEdits(ada), [null]);
      assert.deepEqual(await toldOf(ada), []);
      const { files } = await seenByLink(wire, url);
      assert.deepEqual(files, [ciphertext("mirrored", 900)]);
    });
  });
}

for (const becomes of ["purged", "refused"] as const) {
  Deno.test(`an edit that was interrupted changes the other links where a copy is ${becomes}, names those of that copy, and ends`, async () => {
    await withTestApp(async (app) => {
      const wire = wireTo(app);
      const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
      const phone = await secondDevice(wire, ada, "ada");
      const album = await ada.albums.create({ title: "Summer" });
      const { id } = await take(ada, "a");
      const { row: copied } = await ada.copyInto(id, album.id);
      // Links show the copy by a blob that the photo itself does not have.
      const copy = await ada.amend(copied.id, {
        about: { place: { latitude: 45.9, longitude: 9.2 } },
        derivatives: [small("of the copy")],
      });
      const { id: other } = await take(ada, "b");
      const links = [];
      for (
        const [title, assetIds] of Object.entries({
          "Of the copy": [copy.id, other],
          "Of the photo": [id],
          "Of both": [copy.id, other, id],
        })
      ) links.push(await ada.share({ assetIds, title }));
      let isCut = false;
      wire.intercept = ({ method }) => {
        isCut ||= method !== "GET" &&
          ada.index.get(id)?.metadata?.edit !== undefined;
        return isCut ? Promise.reject(new TypeError("cut")) : undefined;
      };
      await assert.rejects(mirror(ada, id));
      wire.intercept = ({ url }) =>
        becomes === "refused" && new URL(url).pathname.endsWith("/ops")
          ? Promise.resolve(refusal(422, "error.request.invalid"))
          : undefined;
      if (becomes === "purged") {
        await ada.trash(copy.id);
        await ada.purge(copy.id);
      }
      app.clock.now += 61_000;
      // Here the edit is newer than the sync, which may find more next time.
      await phone.sync();
      assert.deepEqual(await toldOf(phone), []);
      await phone.sync();
      assert.deepEqual(await toldOf(phone), ["Of both", "Of the copy"]);
      assert.deepEqual(begunEdits(phone), [null]);
      const kept = copy.metadata?.derivatives[0]?.hash;
      const edited = phone.index.get(id)?.metadata?.derivatives[0]?.hash;
      const [beside] = phone.index.get(other)?.blobs ?? [];
      const shown = [];
      for (const { opaqueId } of links) {
        const { items } = await phone.shareContents(opaqueId);
        shown.push(items.map(({ hash }) => hash));
      }
      assert.deepEqual(shown, [
        [kept, beside?.hash],
        [edited],
        [kept, beside?.hash, edited],
      ]);
    });
  });
}

Deno.test("commands of another device end an edit that has changed nothing only once it is a minute old", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    await ada.share({ assetIds: [id] });
    const device = deviceOf(wire, "phone");
    const { vault } = await libraryOn(device, ada, "ada");
    /** What is left of the edit after a command: each is a program of its own. */
    const leftBy = async () => {
      const phone = await openLibrary(vault, device.store);
      await phone.sync();
      return begunEdits(phone);
    };
    assert.deepEqual(await leftBy(), []);
    // As if it were still at making small pictures.
    wire.intercept = ({ method }) =>
      method === "POST" ? Promise.reject(new TypeError("cut")) : undefined;
    await assert.rejects(mirror(ada, id));
    wire.intercept = undefined;
    const begun = begunEdits(ada);
    assert.notDeepEqual(begun, [null]);
    for (const _ of ["hears of it", "had heard of it"]) {
      assert.deepEqual(await leftBy(), begun);
    }
    app.clock.now += 61_000;
    assert.deepEqual(await leftBy(), [null]);
  });
});

Deno.test("an edit that was interrupted before it changed anything ends at the next sync", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const { url } = await ada.share({ assetIds: [id] });
    wire.intercept = ({ method }) =>
      method === "POST" ? Promise.reject(new TypeError("cut")) : undefined;
    await assert.rejects(mirror(ada, id));
    wire.intercept = undefined;
    assert.notDeepEqual(begunEdits(ada), [null]);
    await ada.sync();
    assert.deepEqual(begunEdits(ada), [null]);
    assert.deepEqual(await toldOf(ada), []);
    assert.deepEqual((await seenByLink(wire, url)).files, [photo("a")]);
  });
});

Deno.test("an edit notes also the assets of one that another device began and this one has not heard of", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const phone = await secondDevice(wire, ada, "ada");
    assert.deepEqual(await mirror(phone, id, "first"), []);
    const { url } = await phone.share({ assetIds: [id] });
    wire.intercept = ({ method }) =>
      method === "PATCH" ? Promise.reject(new TypeError("cut")) : undefined;
    await assert.rejects(mirror(phone, id, "second"));
    wire.intercept = undefined;
    const assetsOf = (library: Library) =>
      begunEdits(library).flatMap((begun) =>
        Object.keys(Object(begun)["assets"])
      );
    const earlier = assetsOf(phone);
    assert.notDeepEqual(earlier, []);
    // Only so does it learn that another device has changed the photo.
    await assert.rejects(mirror(ada, id, "third"), {
      code: "error.asset.stale_revival",
    });
    const now = new Set(assetsOf(ada));
    assert.deepEqual(earlier.filter((hash) => !now.has(hash)), []);
    assert.deepEqual(await mirror(ada, id, "third"), []);
    await ada.sync();
    assert.deepEqual(await toldOf(ada), []);
    const { files } = await seenByLink(wire, url);
    assert.deepEqual(files, [ciphertext("third", 900)]);
    assert.deepEqual(begunEdits(ada), [null]);
  });
});

Deno.test("the links that a finished edit did not reach are kept until they were told or ended, whoever asked for the sync", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const device = deviceOf(wire, "laptop");
    const ada = await beginLibrary(device, "ada");
    const { id } = await take(ada, "a");
    const assetIds = [id];
    const newer = [];
    for (const title of ["Newer", "Newest"]) {
      const link = await ada.share({ assetIds, title });
      await giveNewer(wire, ada, link, (items) => items, { v: 2 });
      newer.push(link);
    }
    // It is killed when it is about to end the note.
    let notes = 0;
    wire.intercept = (request) =>
      request.method === "PUT" && request.url.includes("/state/") &&
        ++notes > 1
        ? Promise.reject(new TypeError("cut"))
        : undefined;
    await assert.rejects(mirror(ada, id));
    wire.intercept = undefined;
    const first = await openLibrary(ada.vault, device.store);
    assert.deepEqual(await toldOf(first), ["Newer", "Newest"]);
    // It follows the feed, and reports none of it.
    await first.emptyTrash();
    const next = await openLibrary(ada.vault, device.store);
    await next.revokeShare(newer[0]?.opaqueId ?? "");
    assert.deepEqual(await toldOf(next), ["Newest"]);
    await next.sync();
    assert.deepEqual(await toldOf(next), []);
  });
});

Deno.test("a link gives its films as smaller copies, or as they are again, but no original with its place, and never less than it gave", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const film = async (
      name: string,
      more: {
        readonly copy?: true;
        readonly place?: true;
        readonly width?: number;
      } = {},
    ) => {
      const { width = 1920 } = more;
      const { row } = await ada.take({
        source: plainOf(photo(name)),
        about: {
          name: `${name}.mov`,
          mime: "video/quicktime",
          width,
          height: width * 9 / 16,
          ...more.place && { place: { latitude: 45.9, longitude: 9.2 } },
        },
        derivatives: more.copy === undefined ? [] : [{
          ...{ kind: "playable-720", mime: "video/mp4" },
          ...{ width: 1280, height: 720, bytes: photo(`${name} in 720p`) },
        }],
      });
      return row.id;
    };
    const still = await take(ada, "still");
    const ids = [
      await film("large", { copy: true }),
      await film("lake", { copy: true, place: true }),
      await film("none", { place: true }),
      await film("tiny", { width: 640 }),
      still.id,
    ];
    const { opaqueId, url } = await ada.share({
      assetIds: ids,
      title: "Walk",
      places: "kept",
    });
    const { names: before } = await seenByLink(wire, url);
    assert.deepEqual(before, [
      ...["large.mov", "lake.mov", "none.mov", "tiny.mov", "still.jpg"],
    ]);
    const given = async () => {
      const { items } = await ada.shareContents(opaqueId);
      return items.map(({ film }) => film);
    };
    assert.deepEqual(await given(), [
      ...["large", "large", "large", "small", undefined],
    ]);

    await ada.changeShare(opaqueId, { shownFilms: "smaller" });
    const smaller = await seenByLink(wire, url);
    assert.deepEqual(smaller.names, [
      ...["large.mp4", "lake.mp4", "none.mov", "tiny.mov", "still.jpg"],
    ]);
    assert.deepEqual(smaller.files.slice(0, 2), [
      photo("large in 720p"),
      photo("lake in 720p"),
    ]);
    assert.equal(smaller.index.title, "Walk");
    assert.deepEqual(await given(), [
      ...["copy", "copy", "large", "small", undefined],
    ]);
    // The link no longer gives the original.
    const viewer = createViewer({ baseUrl: ORIGIN, fetch: wire.fetch });
    const [file] = ada.index.get(ids[0] ?? "")?.blobs
      .filter(({ role }) => role === "original") ?? [];
    await assert.rejects(viewer.sharedBlob(opaqueId, file?.hash ?? ""), {
      status: 404,
    });

    await ada.changeShare(opaqueId, { title: "Hike", shownFilms: "original" });
    const again = await seenByLink(wire, url);
    assert.deepEqual(again.names, [
      ...["large.mov", "lake.mp4", "none.mov", "tiny.mov", "still.jpg"],
    ]);
    assert.deepEqual(again.files[0], photo("large"));
    assert.equal(again.index.title, "Hike");
  });
});

Deno.test("a link that cannot be noted as following a list is revoked, and a revoked one is noted no more", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    wire.intercept = (request) => {
      if (request.method !== "PUT" || !request.url.includes("/v1/state/")) {
        return undefined;
      }
      wire.intercept = undefined;
      return Promise.reject(new TypeError("the network is gone for a moment"));
    };
    await assert.rejects(ada.share({ assetIds: [id], follows: "favourites" }));
    assert.equal(wire.intercept, undefined);
    assert.deepEqual(await ada.shares(), []);
    const indexes = [...ada.index.rows()].filter(({ metadata }) =>
      metadata?.kind === "share-index"
    );
    assert.deepEqual(indexes, []);

    const { opaqueId } = await ada.share({
      assetIds: [id],
      follows: "favourites",
    });
    await ada.revokeShare(opaqueId);
    const other = await secondDevice(wire, ada, "ada");
    for (const { state } of [ada, other]) {
      const noted = state.held.links[opaqueId];
      assert.equal(noted?.removed, true);
      assert.equal(noted.follows, undefined);
    }
  });
});

Deno.test("a server that says that a link has the index of another one brings nothing under the other's secret, and neither is lost", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const [a, b] = [await take(ada, "a"), await take(ada, "b")];
    const known = await ada.share({ assetIds: [a.id] });
    const frame = await ada.share({ assetIds: [a.id], follows: "album/x" });
    const others = (await ada.shares())
      .find(({ opaque_id: id }) => id === known.opaqueId);
    wire.intercept = async (request, pass) => {
      const answer = await pass(request);
      const { pathname } = new URL(request.url);
      if (request.method !== "GET" || pathname !== "/v1/shares") return answer;
      const json = await answer.json();
      for (const link of json.shares) {
        link.metadata_hash = others?.metadata_hash;
      }
      return Response.json(json);
    };
    const refused = { name: "DocumentError" };
    await assert.rejects(
      ada.keepShareAt(frame.opaqueId, [a.id, b.id]),
      refused,
    );
    await assert.rejects(
      ada.changeShare(frame.opaqueId, { add: [b.id] }),
      refused,
    );
    const urls = new Map(
      (await ada.shares()).map((one) => [one.opaque_id, one.url]),
    );
    assert.equal(urls.get(known.opaqueId), known.url);
    assert.equal(urls.get(frame.opaqueId), undefined);
    await ada.revokeShare(frame.opaqueId);
    wire.intercept = undefined;
    assert.deepEqual((await seenByLink(wire, known.url)).names, ["a.jpg"]);
  });
});

Deno.test("a link that follows a list loses what has left it although something in the list cannot be shown", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const [a, b] = [await take(ada, "a"), await take(ada, "b")];
    const { url, opaqueId } = await ada.share({
      assetIds: [a.id],
      follows: "album/x",
    });
    const bad = ada.index.get(b.id);
    assert(bad?.metadata !== undefined);
    ada.index.put({ ...bad, metadata: { ...bad.metadata, size: 1 } });
    assert.equal(await ada.keepShareAt(opaqueId, [b.id]), true);
    assert.deepEqual((await seenByLink(wire, url)).names, []);

    // What the server does not take leaves no index behind, and no old one is
    // in the record of deletions for ever.
    const indexes = () =>
      [...ada.index.rows()].filter(({ metadata }) =>
        metadata?.kind === "share-index"
      ).length;
    wire.intercept = (request) =>
      request.method === "PATCH"
        ? Promise.resolve(
          Response.json({
            type: "about:blank",
            status: 503,
            code: "error.server.busy",
          }, {
            status: 503,
            headers: { "Content-Type": "application/problem+json" },
          }),
        )
        : undefined;
    await assert.rejects(ada.keepShareAt(opaqueId, [a.id]));
    wire.intercept = undefined;
    assert.equal(indexes(), 1);
    assert.equal(await ada.keepShareAt(opaqueId, [a.id]), true);
    assert.deepEqual((await seenByLink(wire, url)).names, ["a.jpg"]);
    assert.equal(indexes(), 1);
  });
});

Deno.test("a link with items that cannot be read shows the others, and keeps those as they are until their photos leave it", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const rows = [];
    for (const name of ["a", "b", "c"]) rows.push(await take(ada, name));
    const [a, b, c] = rows.map(({ id }) => id);
    assert(a !== undefined && b !== undefined && c !== undefined);
    const link = await ada.share({ assetIds: [a, b] });
    const { url, opaqueId } = link;
    const { index: { items: [, ofB] } } = await seenByLink(wire, url);
    const note = { note: "a heading" };
    await giveNewer(wire, ada, link, (items) => [
      note,
      items[0],
      { ...items[1], chunk_size: 65_537 },
    ]);
    const seen = async () => {
      const { names, index } = await seenByLink(wire, url);
      const unread = (index.unread ?? []).map(({ at, item }) => {
        const isNote = JSON.stringify(item) === JSON.stringify(note);
        return `${at} ${isNote ? "note" : "photo"}`;
      });
      return [...names, ...unread];
    };
    const viewer = createViewer({ baseUrl: ORIGIN, fetch: wire.fetch });
    const isServed = async () => {
      try {
        await viewer.sharedBlob(opaqueId, ofB?.hash ?? "");
        return true;
      } catch {
        return false;
      }
    };
    const before = ["a.jpg", "0 note", "2 photo"];
    assert.deepEqual(await seen(), before);
    const contents = await ada.shareContents(opaqueId);
    assert.deepEqual(contents.items.map(({ name }) => name), ["a.jpg"]);
    assert.equal(contents.unread.length, 2);
    // As it is, it is not changed, and what is added comes next to it.
    for (const ids of [[a, b], "as_shown"] as const) {
      assert.equal(await ada.keepShareAt(opaqueId, ids), false);
    }
    assert.equal(await ada.keepShareAt(opaqueId, [a, b, c]), true);
    assert.deepEqual(await seen(), ["a.jpg", "c.jpg", "0 note", "2 photo"]);
    await ada.changeShare(opaqueId, { title: "New" });
    assert.deepEqual(await seen(), ["a.jpg", "c.jpg", "0 note", "2 photo"]);
    assert.equal(await isServed(), true);
    // What leaves the list leaves the link, also where nothing else is read.
    await ada.keepShareAt(opaqueId, [b]);
    await assert.rejects(seen(), { name: "DocumentError" });
    await ada.keepShareAt(opaqueId, [a]);
    assert.deepEqual(await seen(), ["a.jpg", "0 note"]);
    assert.equal(await isServed(), false);
  });
});

Deno.test("what guests say no more leaves items that this program cannot read, at any depth and in any shape", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const link = await ada.share({ assetIds: [id] });
    const [kind, rude] = ["1", "2"].map((digit) => ({
      id: digit.repeat(32),
      from: "Grandma",
      at: "2026-01-01T00:00:00.000Z",
    }));
    assert(kind !== undefined && rude !== undefined);
    await giveNewer(wire, ada, link, ([item]) => [
      item,
      { heading: "Lake", remarks: { of_another_shape: { text: "rude" } } },
      { group: [{ name: "b.jpg", remarks: [rude, kind, "rude", null] }] },
    ]);
    const remarks = new Map([["of a photo", [kind]]]);
    const said = { reacts: true, remarks };
    await ada.keepShareAt(link.opaqueId, "as_shown", said);
    const { index } = await seenByLink(wire, link.url);
    assert.deepEqual(index.unread?.map(({ item }) => item), [
      { heading: "Lake" },
      { group: [{ name: "b.jpg", remarks: [kind] }] },
    ]);
  });
});

Deno.test("photos count as linked by what a link shows in items that cannot be read, and another link that cannot be read at all hides none", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const rows = [];
    for (const name of ["a", "b", "c"]) rows.push(await take(ada, name));
    const assetIds = rows.map(({ id }) => id);
    const [a, b, c] = assetIds;
    assert(a !== undefined && b !== undefined && c !== undefined);
    await ada.share({ assetIds: [a] });
    const unread = await ada.share({ assetIds: [b] });
    await giveNewer(wire, ada, unread, ([item]) => [
      { ...item, chunk_size: 1 },
    ]);
    for (const _ of ["before", "after"]) {
      const newer = await ada.share({ assetIds: [c] });
      await giveNewer(wire, ada, newer, (items) => items, { v: 2 });
      await ada.share({ assetIds: [a] });
    }
    const linked = await linkedBlobs({ opened: () => ada })();
    const names = rows.filter(({ blobs }) =>
      blobs.some(({ hash }) => linked.has(hash))
    ).map(({ metadata }) => metadata?.name);
    assert.deepEqual(names, ["a.jpg", "b.jpg"]);
  });
});

Deno.test("an item that cannot be read and names photos leaves their own items in a link that follows a list", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const ids = [];
    for (const name of ["a", "b", "c"]) ids.push((await take(ada, name)).id);
    const [a, b, c] = ids;
    assert(a !== undefined && b !== undefined && c !== undefined);
    const follows = "favourites";
    const link = await ada.share({ assetIds: [a, b, c], follows });
    const { url, opaqueId } = link;
    await giveNewer(wire, ada, link, (items) => {
      const [ofA, ofB, ofC] = items;
      const heading = { heading: "Lake", photos: [ofA?.hash, ofC?.hash] };
      return [heading, ofA, ofB];
    });
    const seen = async () => {
      const { names, index } = await seenByLink(wire, url);
      return [...names, index.unread?.length ?? 0];
    };
    assert.equal(await ada.keepShareAt(opaqueId, [a, b, c]), false);
    assert.deepEqual(await seen(), ["a.jpg", "b.jpg", 1]);
    assert.equal(await ada.keepShareAt(opaqueId, [a, b]), true);
    assert.deepEqual(await seen(), ["a.jpg", "b.jpg", 0]);
  });
});

Deno.test("hiding a photo in a link that follows a list leaves items there that cannot be read and name other photos", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const ids = [];
    for (const name of ["a", "b", "c"]) ids.push((await take(ada, name)).id);
    const [a = ""] = ids;
    const follows = "favourites";
    const link = await ada.share({ assetIds: ids, follows });
    await giveNewer(wire, ada, link, (items) => {
      const [ofA, ofB, ofC] = items;
      const heading = { heading: "Lake", photos: [ofA?.hash, ofB?.hash] };
      const newer = { ...ofB, chunk_size: 1 };
      return [heading, ofA, newer, ofC, { photos: [ofC?.hash] }];
    });
    await takeOutWhereSeen(ada, [a]);
    const { names, index } = await seenByLink(wire, link.url);
    assert.deepEqual(names, ["c.jpg"]);
    const [left, ...others] = index.unread ?? [];
    assert.match(JSON.stringify(left), /"b.jpg"/);
    assert.equal(others.length, 1);
  });
});

Deno.test("where a link has items that cannot be read, hiding a photo says that it may be seen there, and removes what names it", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const link = await ada.share({ assetIds: [id] });
    await giveNewer(wire, ada, link, ([item]) => [
      item,
      { ...item, chunk_size: 65_537 },
      "heading",
    ]);
    const { unread, links: [found] } = await stillSeen(ada, [id]);
    assert.deepEqual([unread, found?.isAll], [true, false]);
    await takeOutWhereSeen(ada, [id]);
    const { opaqueId } = link;
    const [{ metadata_hash: hash } = { metadata_hash: "" }] = await ada
      .shares();
    const left = await ada.shareContents(opaqueId, hash);
    assert.deepEqual([left.items.length, left.unread.length], [0, 1]);
    await ada.keepShareAt(opaqueId, [(await take(ada, "b")).id]);
    const now = await seenByLink(wire, link.url);
    assert.deepEqual(now.names, ["b.jpg"]);
    assert.deepEqual(now.index.unread?.map(({ item }) => item), ["heading"]);
  });
});

Deno.test("hiding ends links that show a photo only in items which cannot be read, too", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const { id: other } = await take(ada, "b");
    const newer = (item: object | undefined) => ({ ...item, chunk_size: 1 });
    const twice = await ada.share({ assetIds: [id], title: "Twice" });
    await giveNewer(wire, ada, twice, ([item]) => [item, newer(item)]);
    const alone = await ada.share({ assetIds: [id], title: "Alone" });
    await giveNewer(wire, ada, alone, ([item]) => [newer(item)]);
    const both = await ada.share({ assetIds: [id, other], title: "Both" });
    await giveNewer(wire, ada, both, ([item, b]) => [newer(item), b]);
    const { links } = await stillSeen(ada, [id]);
    assert.deepEqual(links.map(({ isAll }) => isAll).toSorted(), [
      false,
      true,
      true,
    ]);
    assert.deepEqual(await takeOutWhereSeen(ada, [id]), {
      albums: [],
      links: [],
      unread: false,
    });
    const now = await ada.shares();
    assert.deepEqual(now.map((one) => one.opaque_id), [both.opaqueId]);
    const { names, index } = await seenByLink(wire, both.url);
    assert.deepEqual([names, index.unread], [["b.jpg"], undefined]);
  });
});

Deno.test("a link whose upload link cannot be read keeps it, and loses what is hidden", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const { url, opaqueId } = await ada.share({ assetIds: [id] });
    const { index } = await seenByLink(wire, url);
    const { secret } = parseShareLink(url) ?? {};
    assert(secret !== undefined);
    const json = JSON.parse(new TextDecoder().decode(encodeShareIndex(index)));
    const { vault } = ada;
    const { hash } = await storeEncoded(
      {
        vault,
        custody: openCustody(vault, memoryStore()),
        index: ada.index,
      },
      utf8(JSON.stringify({ ...json, n: 1, adds: { of_another_shape: 1 } })),
      "share-index.json",
      { opaqueId, secret: new Uint8Array(secret) },
    );
    await vault.session.account.changeShare(opaqueId, {
      metadataHash: hash,
      serves: [hash, ...index.items.map((item) => item.hash)],
    });
    const unreadAdds = { of_another_shape: 1 };
    await ada.changeShare(opaqueId, { title: "New" });
    const { index: changed } = await seenByLink(wire, url);
    assert.deepEqual([changed.title, changed.unreadAdds], ["New", unreadAdds]);
    assert.equal(await ada.keepShareAt(opaqueId, []), true);
    const now = await seenByLink(wire, url);
    assert.deepEqual([now.names, now.index.unreadAdds], [[], unreadAdds]);
  });
});

Deno.test("a link that leaves places out hands out no file that tells one", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const place = { latitude: 52.5, longitude: 13.4 };
    const at = (name: string) => ({
      about: { name: `${name}.heic`, mime: "image/heic", place },
    });
    const picture = photo("preview of home");
    const home = await take(ada, "home", {
      ...at("home"),
      derivatives: [{
        kind: "preview",
        mime: "image/jpeg",
        width: 40,
        height: 30,
        bytes: picture,
      }],
    });
    const video = await take(ada, "video", at("video"));
    const plain = await take(ada, "plain");
    const assetIds = [home.id, video.id, plain.id];
    const made = await ada.share({ assetIds });
    assert.deepEqual(made.leftOut, [video.id]);
    const { names, files } = await seenByLink(wire, made.url);
    assert.deepEqual(names, ["home.jpg", "plain.jpg"]);
    assert.deepEqual(files, [picture, photo("plain")]);
    const original = home.blobs.find(({ role }) => role === "original");
    const viewer = createViewer({ baseUrl: ORIGIN, fetch: wire.fetch });
    await assert.rejects(
      viewer.sharedBlob(made.opaqueId, original?.hash ?? ""),
      { code: "error.share.not_found" },
    );
    // Unless the person says otherwise.
    const { url } = await ada.share({ assetIds, places: "kept" });
    assert.deepEqual((await seenByLink(wire, url)).names, [
      "home.heic",
      "video.heic",
      "plain.jpg",
    ]);
  });
});

Deno.test("a link gives a smaller copy of a photo that tells its place, however small that is, and both sides can say so", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const place = { latitude: 52.5, longitude: 13.4 };
    const small = (kind: "thumbnail" | "preview", what: string) => ({
      kind,
      mime: "image/jpeg",
      width: 40,
      height: 30,
      bytes: photo(what),
    });
    const tiny = await take(ada, "tiny", {
      about: { name: "tiny.jpg", mime: "image/jpeg", place },
      derivatives: [small("thumbnail", "tiny without its place")],
    });
    const clip = await take(ada, "clip", {
      about: { name: "clip.mp4", mime: "video/mp4", place },
      derivatives: [small("preview", "a frame of it")],
    });
    const bare = await take(ada, "bare", {
      about: { name: "bare.jpg", mime: "image/jpeg", place },
    });
    const plain = await take(ada, "plain");
    const rows = [tiny, clip, bare, plain];
    // What whoever shares is told before.
    assert.deepEqual(countPlaceless(rows), {
      places: 3,
      copies: 1,
      stills: 1,
      edited: 0,
      leftOut: 1,
      leftOutFilms: 0,
    });
    const assetIds = rows.map(({ id }) => id);
    const made = await ada.share({ assetIds });
    assert.deepEqual(made.leftOut, [bare.id]);
    const { index, files } = await seenByLink(wire, made.url);
    assert.deepEqual(files, [
      photo("tiny without its place"),
      photo("a frame of it"),
      photo("plain"),
    ]);
    // What whoever opens the link is told.
    assert.deepEqual(index.items.map(isSmallerCopy), [true, true, false]);
    const { url } = await ada.share({ assetIds, places: "kept" });
    const whole = await seenByLink(wire, url);
    assert.ok(!whole.index.items.some(isSmallerCopy));
  });
});

Deno.test("a link shows a photo no more while it is in the trash, and again once it is restored", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    assert.equal(hasLinks(ada.index), false);
    const a = await take(ada, "a");
    const b = await take(ada, "b");
    const { url } = await ada.share({ assetIds: [a.id, b.id] });
    assert.equal(hasLinks(ada.index), true);
    assert.equal((await seenByLink(wire, url)).files.length, 2);
    await ada.trash(a.id);
    await assert.rejects(seenByLink(wire, url), {
      code: "error.share.not_found",
    });
    await ada.restore(a.id);
    assert.equal((await seenByLink(wire, url)).files.length, 2);
    const [link] = await ada.shares();
    await ada.revokeShare(link?.opaque_id ?? "");
    assert.equal(hasLinks(ada.index), false);
  });
});

Deno.test("an upload link says who asks, to guests and to all devices, and not to the server", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const note = "Photos of the fête, for Ada";
    const made = await ada.request({
      expiresAt: "2026-12-01T00:00:00Z",
      maxBytes: 1_000_000,
      maxFiles: 5,
      note,
    });
    const link = parseUploadLink(made.url);
    assert.equal(link?.note, note);
    assert.equal(link?.fingerprint?.length, 32);
    const other = await secondDevice(wire, ada, "ada");
    const [own] = await other.requests();
    assert.equal(own?.url, made.url);
    assert.equal(own?.note, note);
    const { origin, opaqueId } = { ...link, opaqueId: made.opaqueId };
    // One that lost its fingerprint is damaged, whatever else it says.
    const bare = buildUploadLink({ origin: origin ?? "", opaqueId, note });
    assert.equal(parseUploadLink(bare), undefined);
    assert.equal(parseUploadLink(`${made.url}${"A".repeat(3_000)}`), undefined);
    assert.equal(parseUploadLink(`${made.url}.!`), undefined);

    // What waits is looked at before it is taken, and gets its small picture.
    const camera = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
    const box = await openGuestBox(camera, made.url);
    const about = { name: "gate.jpg", mime: "image/jpeg" };
    await box.send({ source: plainOf(photo("gate")), about });
    const [waiting] = await ada.inbox();
    const { opaqueId: of, uploadId } = waiting ??
      { opaqueId: "", uploadId: "" };
    const peeked = await ada.peek(of, uploadId, 1_000_000);
    assert.deepEqual(peeked.bytes, photo("gate"));
    assert.equal(peeked.file?.name, "gate.jpg");
    await assert.rejects(ada.peek(of, uploadId, 100), /too large/);
    const small = photo("small");
    const { row } = await ada.accept(of, uploadId, {
      about: { taken_at: "2026-05-01T00:00:00Z", width: 40, height: 30 },
      derivatives: [{
        kind: "thumbnail",
        mime: "image/jpeg",
        width: 4,
        height: 3,
        bytes: small,
      }],
    });
    await other.sync();
    assert.equal(other.index.get(row.id)?.metadata?.width, 40);
    assert.deepEqual(
      await wholeOf(other.read(row.id, { derivative: "thumbnail" })),
      small,
    );
    await assert.rejects(ada.peek(of, uploadId, 1_000_000), NoLongerWaits);

    // The very same photo once more is no second photo.
    await box.send({ source: plainOf(photo("gate")), about });
    const [again] = await ada.inbox();
    const { outcome, row: same } = await ada.accept(of, again?.uploadId ?? "");
    assert.equal(outcome, "known");
    assert.equal(same.id, row.id);
    assert.deepEqual(await ada.inbox(), []);
    assert.deepEqual(ada.list().map(({ id }) => id), [row.id]);
  });
});

Deno.test("what a guest sealed badly is not shown", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url } = await ada.request({
      expiresAt: "2026-12-01T00:00:00Z",
      maxBytes: 1_000_000,
      maxFiles: 5,
    });
    const camera = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
    const box = await openGuestBox(camera, url);
    const about = { name: "gate.jpg", mime: "image/jpeg" };
    await box.send({ source: plainOf(photo("gate")), about });
    const [waiting] = await ada.inbox();
    const { opaqueId, uploadId } = waiting ?? { opaqueId: "", uploadId: "" };
    wire.intercept = (request, pass) =>
      !request.url.endsWith(`/contributions/${uploadId}/blob`)
        ? undefined
        : pass(request).then(async (answer) => {
          const bytes = new Uint8Array(await answer.arrayBuffer());
          bytes[40] = 1 ^ (bytes[40] ?? 0);
          return new Response(bytes, answer);
        });
    await assert.rejects(ada.peek(opaqueId, uploadId, 1_000_000), DamagedBlob);
  });
});

Deno.test("a link shows the clock where a photo was taken, and no zone", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a", {
      about: {
        name: "a.jpg",
        mime: "image/jpeg",
        taken_at: "2024-06-12T12:30:00Z",
        taken_offset: 120,
      },
    });
    const { url } = await ada.share({ assetIds: [id] });
    const { items: [item] } = (await seenByLink(wire, url)).index;
    assert.equal(item?.taken_at, "2024-06-12T14:30:00.000Z");
    assert(item !== undefined && !("taken_offset" in item));
  });
});

/** Edits a photo; returns the links of which the person is to be told. */
async function mirror(library: Library, id: string, word = "mirrored") {
  await editPhoto(library, id, { mirrored: true }, made(word));
  return await toldOf(library);
}

/** What an edit has made. */
function made(word: string) {
  return {
    width: 20,
    height: 40,
    thumbhash: new Uint8Array(20),
    smaller: [small(word)],
  };
}

function small(word: string): NewDerivative {
  const bytes = ciphertext(word, 900);
  return { kind: "preview", mime: "image/jpeg", width: 20, height: 40, bytes };
}

/** The names of links that may still show a photo as it was; they were told. */
async function toldOf({ stillShown }: Library) {
  const links = await stillShown.list();
  await stillShown.told(links.map(({ opaqueId }) => opaqueId));
  return links.map(({ name }) => name).toSorted();
}

/** What is noted of edits that have begun. */
function begunEdits({ state }: Library): readonly unknown[] {
  return Object.entries(state.held.settings)
    .flatMap(([name, { value }]) => name.startsWith("edit/") ? [value] : []);
}

function refusal(status: number, code: string): Response {
  return Response.json({ type: "about:blank", status, code }, {
    status,
    headers: { "Content-Type": "application/problem+json" },
  });
}
